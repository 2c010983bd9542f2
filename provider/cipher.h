// The six ciphers' dispatch tables.
#pragma once

#include "default_provider.h"
#include "dispatch.h"
#include "provider_context.h"

#include <vector>

namespace gpuaes {
namespace cipher {

void* new_context(void* provctx, std::size_t index);
void free_context(void* context);
void* duplicate(void* context);
int encrypt_init(void* context, const unsigned char* key, std::size_t keylen, const unsigned char* iv, std::size_t ivlen,
                 const OSSL_PARAM params[]);
int decrypt_init(void* context, const unsigned char* key, std::size_t keylen, const unsigned char* iv, std::size_t ivlen,
                 const OSSL_PARAM params[]);
int encrypt_skey_init(void* context, void* skeydata, const unsigned char* iv, std::size_t ivlen, const OSSL_PARAM params[]);
int decrypt_skey_init(void* context, void* skeydata, const unsigned char* iv, std::size_t ivlen, const OSSL_PARAM params[]);
int update(void* context, unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in, std::size_t inl);
int final(void* context, unsigned char* out, std::size_t* outl, std::size_t outsize);
int one_shot(void* context, unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in, std::size_t inl);
int get_ctx_params(void* context, OSSL_PARAM params[]);
int set_ctx_params(void* context, const OSSL_PARAM params[]);
const OSSL_PARAM* gettable_ctx_params(void* context, void* provctx, std::size_t index);
const OSSL_PARAM* settable_ctx_params(void* context, void* provctx, std::size_t index);

}  // namespace cipher

// What doesn't depend on a context is the default provider's own function. Opaque keys are offered if it takes them.
template <std::size_t Index>
std::vector<OSSL_DISPATCH> cipher_functions(const DefaultCipher& defaults)
{
  std::vector<OSSL_DISPATCH> functions = {
      dispatch<OSSL_FUNC_cipher_newctx_fn>(OSSL_FUNC_CIPHER_NEWCTX,
                                           [](void* provctx) { return cipher::new_context(provctx, Index); }),
      dispatch<OSSL_FUNC_cipher_freectx_fn>(OSSL_FUNC_CIPHER_FREECTX, cipher::free_context),
      dispatch<OSSL_FUNC_cipher_dupctx_fn>(OSSL_FUNC_CIPHER_DUPCTX, cipher::duplicate),
      dispatch<OSSL_FUNC_cipher_encrypt_init_fn>(OSSL_FUNC_CIPHER_ENCRYPT_INIT, cipher::encrypt_init),
      dispatch<OSSL_FUNC_cipher_decrypt_init_fn>(OSSL_FUNC_CIPHER_DECRYPT_INIT, cipher::decrypt_init),
      dispatch<OSSL_FUNC_cipher_update_fn>(OSSL_FUNC_CIPHER_UPDATE, cipher::update),
      dispatch<OSSL_FUNC_cipher_final_fn>(OSSL_FUNC_CIPHER_FINAL, cipher::final),
      dispatch<OSSL_FUNC_cipher_cipher_fn>(OSSL_FUNC_CIPHER_CIPHER, cipher::one_shot),
      dispatch<OSSL_FUNC_cipher_get_params_fn>(OSSL_FUNC_CIPHER_GET_PARAMS, defaults.get_params),
      dispatch<OSSL_FUNC_cipher_gettable_params_fn>(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, defaults.gettable_params),
      dispatch<OSSL_FUNC_cipher_get_ctx_params_fn>(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, cipher::get_ctx_params),
      dispatch<OSSL_FUNC_cipher_set_ctx_params_fn>(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, cipher::set_ctx_params),
      dispatch<OSSL_FUNC_cipher_gettable_ctx_params_fn>(
          OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS,
          [](void* context, void* provctx) { return cipher::gettable_ctx_params(context, provctx, Index); }),
      dispatch<OSSL_FUNC_cipher_settable_ctx_params_fn>(
          OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS,
          [](void* context, void* provctx) { return cipher::settable_ctx_params(context, provctx, Index); }),
  };
  if (defaults.encrypt_skey_init != nullptr)
    functions.push_back(dispatch<SkeyInit>(kCipherEncryptSkeyInit, cipher::encrypt_skey_init));
  if (defaults.decrypt_skey_init != nullptr)
    functions.push_back(dispatch<SkeyInit>(kCipherDecryptSkeyInit, cipher::decrypt_skey_init));
  functions.push_back({0, nullptr});
  return functions;
}

}  // namespace gpuaes
