// Key and IV of a file, given or derived, and the header that tells the salt: as `openssl enc` of OpenSSL 3 does it.
#pragma once

#include "derivation.h"
#include "settings.h"

#include <array>
#include <optional>
#include <span>
#include <string>

namespace gpuaes::enc {

// "Salted__" and the salt stand before the data when the salt is nobody's but the file's to know.
inline constexpr std::size_t kSaltBytes = 8;
inline constexpr std::size_t kHeaderBytes = 16;
using Salt = std::array<std::uint8_t, kSaltBytes>;
using Header = std::array<std::uint8_t, kHeaderBytes>;

Header header_with(const Salt& salt);
// Throws std::runtime_error that names the file if this isn't a header.
Salt salt_in(const Header& header, const std::string& name);

class KeySource {
 public:
  // Reads the passphrase, if there is need of one, and gives warnings to `tell`. Throws std::runtime_error.
  KeySource(const Library& library, const Settings& settings, const Tell& tell);

  bool has_header() const { return passphrase_ && salted_ && !given_salt_; }
  // The salt that was given, or a new one.
  Salt make_salt() const;
  // `salt` matters only if there is a passphrase and it is salted.
  KeyAndIv make_key(const Salt& salt) const;
  // As -p prints it.
  std::string describe(const KeyAndIv& key, const Salt& salt) const;

 private:
  const Library& library_;
  const CipherKind& cipher_;
  const Derivation derivation_;
  const bool salted_;
  std::optional<SecretBytes> passphrase_;
  std::optional<SecretBytes> given_key_;
  std::optional<SecretBytes> given_iv_;
  std::optional<Salt> given_salt_;
};

}  // namespace gpuaes::enc
