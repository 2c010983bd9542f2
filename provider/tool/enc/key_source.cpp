#include "key_source.h"

#include "match/usage_error.h"
#include "passphrase.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace gpuaes::enc {
namespace {

constexpr std::string_view kMagic = "Salted__";

// As long as is wanted: what is missing is zeros, and what is too much is left out, with a warning, as OpenSSL's command has it.
SecretBytes from_hex(std::string_view text, const std::string& option, std::size_t bytes, const Tell& tell)
{
  if (text.size() > 2 * bytes)
    tell(option + ": more than " + std::to_string(2 * bytes) + " digits; the rest is ignored");
  else if (text.size() < 2 * bytes)
    tell(option + ": fewer than " + std::to_string(2 * bytes) + " digits; zeros are added");
  SecretBytes result(bytes);
  for (std::size_t i = 0; i < std::min(text.size(), 2 * bytes); ++i) {
    const int digit = OPENSSL_hexchar2int(static_cast<unsigned char>(text[i]));
    if (digit < 0) throw match::UsageError(option + ": what is given isn't hexadecimal digits alone");
    result[i / 2] = static_cast<std::uint8_t>(result[i / 2] | (i % 2 == 0 ? digit << 4 : digit));
  }
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
      digest_name_(settings.key.digest),
      iterations_(settings.key.iterations),
      salted_(settings.key.salted)
{
  const KeySettings& given = settings.key;
  const bool has_passphrase = given.passphrase || given.passphrase_file || given.passphrase_source;
  if (given.key_hex) given_key_ = from_hex(text_of(*given.key_hex), "-K", cipher_.key_bytes, tell);
  if (given.iv_hex && cipher_.counts) given_iv_ = from_hex(*given.iv_hex, "-iv", cipher_.iv_bytes(), tell);
  if (given.iv_hex && !cipher_.counts) tell("-iv: not used by this cipher");
  if (given.salt_hex && salted_) {
    const SecretBytes salt = from_hex(*given.salt_hex, "-S", kSaltBytes, tell);
    given_salt_.emplace();
    std::copy(salt.begin(), salt.end(), given_salt_->begin());
  }
  if (given.key_hex && !has_passphrase) {
    if (cipher_.counts && !given_iv_) throw match::UsageError("-K without a passphrase needs -iv with CTR");
    return;
  }
  passphrase_ = read_passphrase(given, cipher_, settings.decrypts);
  if (!iterations_) tell("warning: deprecated key derivation used; -pbkdf2 or -iter would be better");
}

Salt KeySource::make_salt() const
{
  if (given_salt_) return *given_salt_;
  Salt salt{};
  if (has_header() && RAND_bytes_ex(library_.context(), salt.data(), salt.size(), 0) != 1)
    throw std::runtime_error("OpenSSL has no random bytes for a salt");
  return salt;
}

void KeySource::derive(KeyAndIv& key, const Salt* salt) const
{
  const OpenSslPtr<EVP_MD> digest(EVP_MD_fetch(library_.context(), digest_name_.c_str(), nullptr));
  if (digest == nullptr) throw match::UsageError("-md " + digest_name_ + ": OpenSSL's default provider has no such digest");
  if (!iterations_) {
    const OpenSslPtr<EVP_CIPHER> cipher(EVP_CIPHER_fetch(library_.context(), cipher_.name, nullptr));
    if (cipher == nullptr ||
        EVP_BytesToKey(cipher.get(), digest.get(), salt != nullptr ? salt->data() : nullptr, passphrase_->data(),
                       static_cast<int>(passphrase_->size()), 1, key.key.data(), key.iv) != static_cast<int>(cipher_.key_bytes))
      throw std::runtime_error("OpenSSL can't derive a key with -md " + digest_name_);
    return;
  }
  Salt none{};
  int lax = 1;  // PKCS #5 alone, without the lower bounds of SP 800-132, as for the command
  unsigned iterations = static_cast<unsigned>(*iterations_);
  SecretBytes both(cipher_.key_bytes + cipher_.iv_bytes());
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD,
                                        passphrase_->empty() ? none.data() : const_cast<std::uint8_t*>(passphrase_->data()),
                                        passphrase_->size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT,
                                        salt != nullptr ? const_cast<std::uint8_t*>(salt->data()) : none.data(),
                                        salt != nullptr ? salt->size() : 0),
      OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &iterations),
      OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &lax),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, const_cast<char*>(digest_name_.c_str()), 0),
      OSSL_PARAM_construct_end()};
  const OpenSslPtr<EVP_KDF> kdf(EVP_KDF_fetch(library_.context(), "PBKDF2", nullptr));
  const OpenSslPtr<EVP_KDF_CTX> context(kdf == nullptr ? nullptr : EVP_KDF_CTX_new(kdf.get()));
  if (context == nullptr || EVP_KDF_derive(context.get(), both.data(), both.size(), params) != 1)
    throw std::runtime_error("OpenSSL can't derive a key by PBKDF2 with -md " + digest_name_);
  const auto end_of_key = both.begin() + static_cast<std::ptrdiff_t>(cipher_.key_bytes);
  std::copy(both.begin(), end_of_key, key.key.begin());
  std::copy(end_of_key, both.end(), key.iv);
}

KeyAndIv KeySource::make_key(const Salt& salt) const
{
  KeyAndIv key{.key = SecretBytes(cipher_.key_bytes)};
  if (passphrase_) derive(key, salted_ ? &salt : nullptr);
  if (given_key_) key.key = *given_key_;
  if (given_iv_) std::copy(given_iv_->begin(), given_iv_->end(), key.iv);
  return key;
}

std::string KeySource::describe(const KeyAndIv& key, const Salt& salt) const
{
  std::string text;
  if (salted_) text += "salt=" + digits(salt.data(), salt.size()) + "\n";
  text += "key=" + digits(key.key.data(), key.key.size()) + "\n";
  if (cipher_.counts) text += "iv =" + digits(key.iv, sizeof key.iv) + "\n";
  return text;
}

}  // namespace gpuaes::enc
