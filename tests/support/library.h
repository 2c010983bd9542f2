// A library context of OpenSSL with the providers that a test wants, and what they say of themselves.
#pragma once

#include <openssl/evp.h>
#include <openssl/provider.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace gpuaes::test {

// By key of the settings table, for example {{"mode", "always"}}.
using Settings = std::map<std::string, std::string>;

// Sets GPUAES_<KEY> while it lives.
class SettingsInForce {
 public:
  explicit SettingsInForce(const Settings& settings);
  ~SettingsInForce();
  SettingsInForce(const SettingsInForce&) = delete;
  SettingsInForce& operator=(const SettingsInForce&) = delete;

 private:
  const Settings settings_;
};

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherPointer = std::unique_ptr<EVP_CIPHER, Free>;
using ContextPointer = std::unique_ptr<EVP_CIPHER_CTX, Free>;

class Library {
 public:
  // The default provider alone.
  static Library with_default();
  // This build's provider, linked into the test, beside the default provider, on the device that is tested unless the settings name
  // one. The settings are those of the environment at this moment and stay in force.
  static Library with_gpuaes(const Settings& settings = {});
  // The same without a look at the test device, with the settings that the environment has already: several threads may do this at
  // a time.
  static Library with_environment();
  // The same as the first from the module as it is installed. The counters of its stand-in are its own.
  static Library with_module(const Settings& settings = {});

  Library(Library&& other) noexcept;
  Library& operator=(Library&&) = delete;
  ~Library();

  // As an application would fetch it, preferring gpuaes where it is loaded.
  CipherPointer fetch(const std::string& name) const;
  OSSL_LIB_CTX* get() const { return library_; }
  OSSL_PROVIDER* gpuaes() const { return gpuaes_; }

  // A parameter of gpuaes. Throws if it can't be had.
  std::string text(const char* parameter) const;
  std::uint64_t number(const char* parameter) const;
  int status() const;
  // Waits until bring-up is over and returns the state.
  std::string settled_state() const;

 private:
  Library();
  void load_gpuaes(const Settings& settings);
  void load_gpuaes();

  OSSL_LIB_CTX* library_;
  OSSL_PROVIDER* default_ = nullptr;
  OSSL_PROVIDER* gpuaes_ = nullptr;
};

}  // namespace gpuaes::test
