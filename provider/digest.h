// The CRC-16 digests that OpenSSL can fetch.
#pragma once

#include <openssl/core.h>

namespace gpuaes {

// Ends with an entry of nulls, as OpenSSL wants it.
const OSSL_ALGORITHM* digest_algorithms();

}  // namespace gpuaes
