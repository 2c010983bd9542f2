// The provider as an application gets it: through libcrypto, from where openssl.cnf, OPENSSL_MODULES or the command line say. All
// that is known of it is what its parameters tell.
#pragma once

#include <openssl/crypto.h>
#include <openssl/provider.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace gpuaes::tool {

class InstalledProvider {
 public:
  // `folder`: where gpuaes.so is; empty: where OpenSSL looks.
  explicit InstalledProvider(const std::string& folder);
  ~InstalledProvider();
  InstalledProvider(const InstalledProvider&) = delete;
  InstalledProvider& operator=(const InstalledProvider&) = delete;

  bool loaded() const { return provider_ != nullptr; }
  // If it isn't, what OpenSSL says.
  const std::string& why_not_loaded() const { return why_not_loaded_; }

  const std::string& config_file() const { return config_file_; }
  // What OpenSSL says of the file if something in it is wrong; most programs don't tell.
  const std::string& config_error() const { return config_error_; }
  // Whether a program that reads this file gets gpuaes loaded, and its AES-256-CTR without asking for it.
  bool loaded_by_config() const { return loaded_by_config_; }
  bool preferred_by_config() const { return preferred_by_config_; }

  // Brings the device up and waits; whether it can be used.
  bool self_test();

  // Parameters; empty, 0 or null if the provider has no such.
  std::string text(const char* parameter) const;
  int number(const char* parameter) const;
  nlohmann::ordered_json document(const char* parameter) const;

  OSSL_LIB_CTX* library() const { return library_; }

 private:
  void read_config();

  OSSL_LIB_CTX* const library_;
  OSSL_PROVIDER* provider_ = nullptr;
  std::string why_not_loaded_;
  std::string config_file_;
  std::string config_error_;
  bool loaded_by_config_ = false;
  bool preferred_by_config_ = false;
};

}  // namespace gpuaes::tool
