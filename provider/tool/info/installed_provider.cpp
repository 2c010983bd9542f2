#include "installed_provider.h"

#include <openssl/conf.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

namespace gpuaes::tool {
namespace {

// The first error that says more than its number, and no more of them.
std::string take_error()
{
  std::string said;
  const char* data = nullptr;
  int flags = 0;
  while (const unsigned long code = ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags)) {
    const char* const reason = ERR_reason_error_string(code);
    const bool has_data = (flags & ERR_TXT_STRING) != 0 && data != nullptr && *data != 0;
    if (said.empty() && has_data) said = (reason != nullptr ? std::string(reason) + ": " : std::string()) + data;
  }
  return said;
}

OSSL_LIB_CTX* new_library()
{
  // The default context would read openssl.cnf by itself and load the provider once more.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  OSSL_LIB_CTX* const library = OSSL_LIB_CTX_new();
  if (library == nullptr) throw std::bad_alloc();
  return library;
}

}  // namespace

InstalledProvider::InstalledProvider(const std::string& folder) : library_(new_library())
{
  if (!folder.empty()) OSSL_PROVIDER_set_default_search_path(library_, folder.c_str());
  read_config();
  // An error of the configuration says more than the one that follows from it.
  why_not_loaded_ = config_error_;
  provider_ = OSSL_PROVIDER_try_load(library_, "gpuaes", 1);
  const std::string error = take_error();
  if (why_not_loaded_.empty()) why_not_loaded_ = error;
}

InstalledProvider::~InstalledProvider()
{
  if (provider_ != nullptr) OSSL_PROVIDER_unload(provider_);
  OSSL_LIB_CTX_free(library_);
}

void InstalledProvider::read_config()
{
  const std::unique_ptr<char, void (*)(char*)> file(CONF_get1_default_config_file(),
                                                    [](char* name) { CRYPTO_free(name, OPENSSL_FILE, OPENSSL_LINE); });
  std::error_code unseen;  // to programs, what they can't look at isn't there either
  if (file == nullptr || !std::filesystem::exists(file.get(), unseen)) return;
  config_file_ = file.get();
  OSSL_LIB_CTX_load_config(library_, file.get());
  config_error_ = take_error();
  loaded_by_config_ = OSSL_PROVIDER_available(library_, "gpuaes") == 1;
  const std::unique_ptr<EVP_CIPHER, void (*)(EVP_CIPHER*)> cipher(EVP_CIPHER_fetch(library_, "AES-256-CTR", nullptr),
                                                                  EVP_CIPHER_free);
  preferred_by_config_ =
      cipher != nullptr && std::string(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher.get()))) == "gpuaes";
  ERR_clear_error();  // the file may leave programs without AES
}

bool InstalledProvider::self_test()
{
  const bool usable = OSSL_PROVIDER_self_test(provider_) == 1;
  ERR_clear_error();
  return usable;
}

std::string InstalledProvider::text(const char* parameter) const
{
  char* value = nullptr;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(parameter, &value, 0), OSSL_PARAM_construct_end()};
  return OSSL_PROVIDER_get_params(provider_, params) == 1 && value != nullptr ? value : "";
}

int InstalledProvider::number(const char* parameter) const
{
  int value = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_int(parameter, &value), OSSL_PARAM_construct_end()};
  OSSL_PROVIDER_get_params(provider_, params);
  return value;
}

nlohmann::ordered_json InstalledProvider::document(const char* parameter) const
{
  const std::string json = text(parameter);
  return json.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json::parse(json);
}

}  // namespace gpuaes::tool
