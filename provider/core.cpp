#include "core.h"

#include <openssl/crypto.h>
#include <openssl/params.h>

#include <cstdarg>

namespace gpuaes {
namespace {

using VsetError = OSSL_FUNC_core_vset_error_fn;

void set_error(VsetError* vset_error, const OSSL_CORE_HANDLE* handle, unsigned reason, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vset_error(handle, reason, format, arguments);
  va_end(arguments);
}

}  // namespace

Core::Core(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* functions) : handle_(handle)
{
  for (; functions->function_id != 0; ++functions) switch (functions->function_id) {
      case OSSL_FUNC_CORE_GET_PARAMS:
        get_params_ = OSSL_FUNC_core_get_params(functions);
        break;
      case OSSL_FUNC_CORE_NEW_ERROR:
        new_error_ = OSSL_FUNC_core_new_error(functions);
        break;
      case OSSL_FUNC_CORE_VSET_ERROR:
        vset_error_ = OSSL_FUNC_core_vset_error(functions);
        break;
      case OSSL_FUNC_CRYPTO_MALLOC:
        malloc_ = OSSL_FUNC_CRYPTO_malloc(functions);
        break;
      default:
        break;
    }
}

bool Core::shares_our_libcrypto() const { return malloc_ == &CRYPTO_malloc; }

std::optional<std::string> Core::setting(const char* key) const
{
  char* value = nullptr;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(key, &value, 0), OSSL_PARAM_construct_end()};
  if (get_params_ == nullptr || get_params_(handle_, params) == 0 || value == nullptr) return std::nullopt;
  return value;
}

void Core::raise(unsigned reason, const std::string& detail) const
{
  if (new_error_ == nullptr || vset_error_ == nullptr) return;
  new_error_(handle_);
  if (detail.empty())
    set_error(vset_error_, handle_, reason, nullptr);
  else
    set_error(vset_error_, handle_, reason, "%s", detail.c_str());
}

}  // namespace gpuaes
