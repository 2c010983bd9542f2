#include "default_provider.h"

#include <openssl/crypto.h>

namespace gpuaes {
namespace {

// `names` is a list with colons between.
bool has_name(std::string_view names, std::string_view wanted)
{
  while (!names.empty()) {
    const std::size_t colon = names.find(':');
    if (names.substr(0, colon) == wanted) return true;
    if (colon == std::string_view::npos) break;
    names.remove_prefix(colon + 1);
  }
  return false;
}

template <typename Function>
void take(const OSSL_DISPATCH& entry, Function*& function)
{
  function = reinterpret_cast<Function*>(entry.function);
}

}  // namespace

bool DefaultCipher::is_complete() const
{
  return names != nullptr && newctx != nullptr && freectx != nullptr && dupctx != nullptr && encrypt_init != nullptr &&
         decrypt_init != nullptr && update != nullptr && final != nullptr && cipher != nullptr && get_params != nullptr &&
         get_ctx_params != nullptr && set_ctx_params != nullptr && gettable_params != nullptr && gettable_ctx_params != nullptr &&
         settable_ctx_params != nullptr;
}

DefaultProvider::DefaultProvider()
    : libctx_(OSSL_LIB_CTX_new()), provider_(libctx_ != nullptr ? OSSL_PROVIDER_load(libctx_, "default") : nullptr)
{
}

DefaultProvider::~DefaultProvider()
{
  OSSL_PROVIDER_unload(provider_);
  OSSL_LIB_CTX_free(libctx_);
}

const OSSL_ALGORITHM* DefaultProvider::find(int operation, std::string_view name) const
{
  int no_cache = 0;
  const OSSL_ALGORITHM* algorithm = OSSL_PROVIDER_query_operation(provider_, operation, &no_cache);
  for (; algorithm != nullptr && algorithm->algorithm_names != nullptr; ++algorithm)
    if (has_name(algorithm->algorithm_names, name)) return algorithm;
  return nullptr;
}

DefaultCipher DefaultProvider::find_cipher(std::string_view name) const
{
  DefaultCipher cipher;
  const OSSL_ALGORITHM* const algorithm = find(OSSL_OP_CIPHER, name);
  if (algorithm == nullptr) return cipher;
  cipher.names = algorithm->algorithm_names;
  cipher.provctx = OSSL_PROVIDER_get0_provider_ctx(provider_);
  for (const OSSL_DISPATCH* entry = algorithm->implementation; entry->function_id != 0; ++entry) switch (entry->function_id) {
      case OSSL_FUNC_CIPHER_NEWCTX:
        take(*entry, cipher.newctx);
        break;
      case OSSL_FUNC_CIPHER_FREECTX:
        take(*entry, cipher.freectx);
        break;
      case OSSL_FUNC_CIPHER_DUPCTX:
        take(*entry, cipher.dupctx);
        break;
      case OSSL_FUNC_CIPHER_ENCRYPT_INIT:
        take(*entry, cipher.encrypt_init);
        break;
      case OSSL_FUNC_CIPHER_DECRYPT_INIT:
        take(*entry, cipher.decrypt_init);
        break;
      case OSSL_FUNC_CIPHER_UPDATE:
        take(*entry, cipher.update);
        break;
      case OSSL_FUNC_CIPHER_FINAL:
        take(*entry, cipher.final);
        break;
      case OSSL_FUNC_CIPHER_CIPHER:
        take(*entry, cipher.cipher);
        break;
      case OSSL_FUNC_CIPHER_GET_PARAMS:
        take(*entry, cipher.get_params);
        break;
      case OSSL_FUNC_CIPHER_GET_CTX_PARAMS:
        take(*entry, cipher.get_ctx_params);
        break;
      case OSSL_FUNC_CIPHER_SET_CTX_PARAMS:
        take(*entry, cipher.set_ctx_params);
        break;
      case OSSL_FUNC_CIPHER_GETTABLE_PARAMS:
        take(*entry, cipher.gettable_params);
        break;
      case OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS:
        take(*entry, cipher.gettable_ctx_params);
        break;
      case OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS:
        take(*entry, cipher.settable_ctx_params);
        break;
      case kCipherEncryptSkeyInit:
        take(*entry, cipher.encrypt_skey_init);
        break;
      case kCipherDecryptSkeyInit:
        take(*entry, cipher.decrypt_skey_init);
        break;
      default:
        break;
    }
  return cipher;
}

DefaultSkeyManagement DefaultProvider::find_skey_management(std::string_view name) const
{
  const OSSL_ALGORITHM* const algorithm = find(kOperationSkeyManagement, name);
  if (algorithm == nullptr) return {};
  return {algorithm->algorithm_names, OSSL_PROVIDER_get0_provider_ctx(provider_), algorithm->implementation};
}

}  // namespace gpuaes
