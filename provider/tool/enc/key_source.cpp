#include "key_source.h"

#include "match/key_text.h"
#include "match/usage_error.h"
#include "passphrase.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace gpuaes::enc {
namespace {

constexpr std::string_view kMagic = "Salted__";

// As long as is wanted: what is missing is zeros, and what is too much is left out, with a warning, as OpenSSL's command has it.
SecretBytes from_hex(std::string_view text, const std::string& option, std::size_t bytes, const Tell& tell)
{
  SecretBytes result(bytes);
  for (std::size_t i = 0; i < std::min(text.size(), 2 * bytes); ++i) {
    const int digit = OPENSSL_hexchar2int(static_cast<unsigned char>(text[i]));
    if (digit < 0) throw match::UsageError(option + ": what is given isn't hexadecimal digits alone");
    result[i / 2] = static_cast<std::uint8_t>(result[i / 2] | (i % 2 == 0 ? digit << 4 : digit));
  }
  if (text.size() > 2 * bytes)
    tell(option + ": more than " + std::to_string(2 * bytes) + " digits; the rest is ignored");
  else if (text.size() < 2 * bytes)
    tell(option + ": fewer than " + std::to_string(2 * bytes) + " digits; zeros are added");
  return result;
}

std::string_view text_of(const SecretBytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string digits(const std::uint8_t* bytes, std::size_t count)
{
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

}  // namespace

Header header_with(const Salt& salt)
{
  Header header;
  std::copy(salt.begin(), salt.end(), std::copy(kMagic.begin(), kMagic.end(), header.begin()));
  return header;
}

Salt salt_in(const Header& header, const std::string& name)
{
  if (!std::equal(kMagic.begin(), kMagic.end(), header.begin()))
    throw std::runtime_error(name +
                             ": bad magic number: it doesn't begin with Salted__, as files encrypted with a passphrase do "
                             "unless -S or -nosalt was given");
  Salt salt;
  std::copy(header.begin() + kMagic.size(), header.end(), salt.begin());
  return salt;
}

KeySource::KeySource(const Library& library, const Settings& settings, const Tell& tell)
    : library_(library),
      cipher_(*settings.cipher),
      derivation_{settings.key.digest, settings.key.iterations},
      salted_(settings.key.salted)
{
  const KeySettings& given = settings.key;
  if (given.key_hex) given_key_ = from_hex(text_of(*given.key_hex), "-K", cipher_.key_bytes, tell);
  if (given.key_file) given_key_ = match::key_in_file(*given.key_file, "--key-file", cipher_.key_bytes);
  if (given.iv_hex && cipher_.counts) given_iv_ = from_hex(*given.iv_hex, "-iv", cipher_.iv_bytes(), tell);
  if (given.iv_hex && !cipher_.counts) tell("-iv: not used by this cipher");
  if (given.salt_hex && salted_) {
    const SecretBytes salt = from_hex(*given.salt_hex, "-S", kSaltBytes, tell);
    given_salt_.emplace();
    std::copy(salt.begin(), salt.end(), given_salt_->begin());
  }
  if (given.has_key() && !given.has_passphrase()) {
    if (cipher_.counts && !given_iv_) throw match::UsageError("A key without a passphrase needs -iv with CTR");
    return;
  }
  passphrase_ = read_passphrase(given, cipher_, settings.decrypts);
  if (!derivation_.iterations) tell("warning: deprecated key derivation used; -pbkdf2 or -iter would be better");
}

Salt KeySource::make_salt() const
{
  if (given_salt_) return *given_salt_;
  Salt salt{};
  if (has_header() && RAND_bytes_ex(library_.context(), salt.data(), salt.size(), 0) != 1)
    throw std::runtime_error("OpenSSL has no random bytes for a salt");
  return salt;
}

KeyAndIv KeySource::make_key(const Salt& salt) const
{
  KeyAndIv key{.key = SecretBytes(cipher_.key_bytes)};
  if (passphrase_)
    key = derivation_.run(library_, cipher_, *passphrase_,
                          salted_ ? std::span<const std::uint8_t>(salt) : std::span<const std::uint8_t>());
  if (given_key_) key.key = *given_key_;
  if (given_iv_) std::copy(given_iv_->begin(), given_iv_->end(), key.iv);
  return key;
}

std::string KeySource::describe(const KeyAndIv& key, const Salt& salt) const
{
  std::string text;
  if (passphrase_ && salted_) text += "salt=" + digits(salt.data(), salt.size()) + "\n";
  text += "key=" + digits(key.key.data(), key.key.size()) + "\n";
  if (cipher_.counts) text += "iv =" + digits(key.iv, sizeof key.iv) + "\n";
  return text;
}

}  // namespace gpuaes::enc
