// The functions that OpenSSL's core lends to a provider. Errors raised through them land in the application's own libcrypto.
#pragma once

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include <optional>
#include <string>

namespace gpuaes {

class Core {
 public:
  Core(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* functions);

  // Whether the application's libcrypto is the one that this module is linked to. If not, a program that contains its own copy has
  // loaded us, and calls into ours could load us a second time.
  bool shares_our_libcrypto() const;

  // A key of the provider's section of openssl.cnf, if it is set.
  std::optional<std::string> setting(const char* key) const;

  // `reason` is one of ours (ErrorReason), or packed with another library's number by ERR_PACK.
  void raise(unsigned reason, const std::string& detail = {}) const;

 private:
  const OSSL_CORE_HANDLE* handle_;
  OSSL_FUNC_core_get_params_fn* get_params_ = nullptr;
  OSSL_FUNC_core_new_error_fn* new_error_ = nullptr;
  OSSL_FUNC_core_vset_error_fn* vset_error_ = nullptr;
  OSSL_FUNC_CRYPTO_malloc_fn* malloc_ = nullptr;
};

}  // namespace gpuaes
