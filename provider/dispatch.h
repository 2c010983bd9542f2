// Entries of OpenSSL's dispatch tables.
#pragma once

#include <openssl/core.h>

namespace gpuaes {

// `Function` is OpenSSL's type for this id, so that a wrong signature doesn't compile.
template <typename Function>
OSSL_DISPATCH dispatch(int id, Function* function)
{
  return {id, reinterpret_cast<void (*)()>(function)};
}

}  // namespace gpuaes
