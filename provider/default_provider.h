// OpenSSL's default provider in a library context of our own, called through its dispatch tables: one indirect call, and every
// parameter, error and oddity is its own.
#pragma once

#include "skey.h"

#include <openssl/core_dispatch.h>
#include <openssl/provider.h>

#include <memory>
#include <string_view>

namespace gpuaes {

// What the default provider offers under one set of names.
struct DefaultCipher {
  const char* names = nullptr;
  void* provctx = nullptr;
  OSSL_FUNC_cipher_newctx_fn* newctx = nullptr;
  OSSL_FUNC_cipher_freectx_fn* freectx = nullptr;
  OSSL_FUNC_cipher_dupctx_fn* dupctx = nullptr;
  OSSL_FUNC_cipher_encrypt_init_fn* encrypt_init = nullptr;
  OSSL_FUNC_cipher_decrypt_init_fn* decrypt_init = nullptr;
  OSSL_FUNC_cipher_update_fn* update = nullptr;
  OSSL_FUNC_cipher_final_fn* final = nullptr;
  OSSL_FUNC_cipher_cipher_fn* cipher = nullptr;
  OSSL_FUNC_cipher_get_params_fn* get_params = nullptr;
  OSSL_FUNC_cipher_get_ctx_params_fn* get_ctx_params = nullptr;
  OSSL_FUNC_cipher_set_ctx_params_fn* set_ctx_params = nullptr;
  OSSL_FUNC_cipher_gettable_params_fn* gettable_params = nullptr;
  OSSL_FUNC_cipher_gettable_ctx_params_fn* gettable_ctx_params = nullptr;
  OSSL_FUNC_cipher_settable_ctx_params_fn* settable_ctx_params = nullptr;
  SkeyInit* encrypt_skey_init = nullptr;  // OpenSSL 3.5 and later
  SkeyInit* decrypt_skey_init = nullptr;

  // Whether all is there that we build on.
  bool is_complete() const;
};

struct DefaultSkeyManagement {
  const char* names = nullptr;
  void* provctx = nullptr;
  const OSSL_DISPATCH* functions = nullptr;
};

class DefaultProvider {
 public:
  // Loads it. loaded() tells whether that went well.
  DefaultProvider();
  ~DefaultProvider();
  DefaultProvider(const DefaultProvider&) = delete;
  DefaultProvider& operator=(const DefaultProvider&) = delete;

  bool loaded() const { return provider_ != nullptr; }

  // Both take one of the algorithm's names; the result has no names if there is none.
  DefaultCipher find_cipher(std::string_view name) const;
  DefaultSkeyManagement find_skey_management(std::string_view name) const;

 private:
  const OSSL_ALGORITHM* find(int operation, std::string_view name) const;

  OSSL_LIB_CTX* libctx_;
  OSSL_PROVIDER* provider_;
};

}  // namespace gpuaes
