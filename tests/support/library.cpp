#include "library.h"

#include "test_device.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <utility>

extern "C" OSSL_provider_init_fn OSSL_provider_init;

namespace gpuaes::test {
namespace {

std::string variable(const std::string& key)
{
  std::string name = "GPUAES_";
  for (const char c : key) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

Settings with_test_device(Settings settings)
{
  settings.try_emplace("device", test_device_name());
  settings.try_emplace("calibration", "off");  // so that what goes where is always the same
  return settings;
}

OSSL_PROVIDER* load(OSSL_LIB_CTX* library, const char* name)
{
  OSSL_PROVIDER* const provider = OSSL_PROVIDER_load(library, name);
  if (provider == nullptr) throw std::runtime_error(std::string("OSSL_PROVIDER_load failed: ") + name);
  return provider;
}

}  // namespace

SettingsInForce::SettingsInForce(const Settings& settings) : settings_(settings)
{
  for (const auto& [key, value] : settings_) setenv(variable(key).c_str(), value.c_str(), 1);
}

SettingsInForce::~SettingsInForce()
{
  for (const auto& [key, value] : settings_) unsetenv(variable(key).c_str());
}

Library::Library() : library_(OSSL_LIB_CTX_new()) {}

Library::Library(Library&& other) noexcept
    : library_(std::exchange(other.library_, nullptr)),
      default_(std::exchange(other.default_, nullptr)),
      gpuaes_(std::exchange(other.gpuaes_, nullptr))
{
}

Library::~Library()
{
  if (gpuaes_ != nullptr) OSSL_PROVIDER_unload(gpuaes_);
  if (default_ != nullptr) OSSL_PROVIDER_unload(default_);
  OSSL_LIB_CTX_free(library_);
}

Library Library::with_default()
{
  Library library;
  library.default_ = load(library.library_, "default");
  return library;
}

Library Library::with_gpuaes(const Settings& settings)
{
  Library library;
  OSSL_PROVIDER_add_builtin(library.library_, "gpuaes", OSSL_provider_init);
  library.load_gpuaes(settings);
  return library;
}

Library Library::with_environment()
{
  Library library;
  OSSL_PROVIDER_add_builtin(library.library_, "gpuaes", OSSL_provider_init);
  library.load_gpuaes();
  return library;
}

#ifdef GPUAES_TEST_MODULE_DIR
Library Library::with_module(const Settings& settings)
{
  Library library;
  OSSL_PROVIDER_set_default_search_path(library.library_, GPUAES_TEST_MODULE_DIR);
  library.load_gpuaes(settings);
  return library;
}
#endif

void Library::load_gpuaes(const Settings& settings)
{
  const SettingsInForce in_force(with_test_device(settings));
  load_gpuaes();
}

void Library::load_gpuaes()
{
  gpuaes_ = load(library_, "gpuaes");
  default_ = load(library_, "default");
  // Settings are read once more with the first context.
  const CipherPointer cipher = fetch("AES-128-CTR");
  const ContextPointer context(EVP_CIPHER_CTX_new());
  if (cipher) EVP_CipherInit_ex2(context.get(), cipher.get(), nullptr, nullptr, 1, nullptr);
}

CipherPointer Library::fetch(const std::string& name) const
{
  CipherPointer cipher(EVP_CIPHER_fetch(library_, name.c_str(), "?provider=gpuaes"));
  if (!cipher) throw std::runtime_error("no cipher " + name);
  const std::string from = OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher.get()));
  if ((from == "gpuaes") != (gpuaes_ != nullptr)) throw std::runtime_error(name + " came from " + from);
  return cipher;
}

std::string Library::text(const char* parameter) const
{
  const char* value = nullptr;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(parameter, const_cast<char**>(&value), 0), OSSL_PARAM_construct_end()};
  if (OSSL_PROVIDER_get_params(gpuaes_, params) != 1 || value == nullptr) throw std::runtime_error(std::string("no ") + parameter);
  return value;
}

std::uint64_t Library::number(const char* parameter) const
{
  std::uint64_t value = ~std::uint64_t{0};
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint64(parameter, &value), OSSL_PARAM_construct_end()};
  if (OSSL_PROVIDER_get_params(gpuaes_, params) != 1 || OSSL_PARAM_modified(params) != 1)
    throw std::runtime_error(std::string("no ") + parameter);
  return value;
}

int Library::status() const
{
  int value = -1;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_int(OSSL_PROV_PARAM_STATUS, &value), OSSL_PARAM_construct_end()};
  if (OSSL_PROVIDER_get_params(gpuaes_, params) != 1) throw std::runtime_error("no status");
  return value;
}

std::string Library::settled_state() const
{
  std::string state;
  while ((state = text("gpuaes.state")) == "starting") usleep(1000);
  return state;
}

}  // namespace gpuaes::test
