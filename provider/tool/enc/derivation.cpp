#include "derivation.h"

#include "match/usage_error.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <stdexcept>

namespace gpuaes::enc {
namespace {

// Key and IV in a row. To OpenSSL, a null pointer isn't an empty passphrase.
bool by_pbkdf2(const Library& library, const std::string& digest, int iterations, std::span<const std::uint8_t> passphrase,
               std::span<const std::uint8_t> salt, SecretBytes& both)
{
  char nothing = 0;
  const auto octets = [&](const char* key, std::span<const std::uint8_t> bytes) {
    void* const data = bytes.empty() ? static_cast<void*>(&nothing) : const_cast<std::uint8_t*>(bytes.data());
    return OSSL_PARAM_construct_octet_string(key, data, bytes.size());
  };
  int lax = 1;  // PKCS #5 alone, without the lower bounds of SP 800-132, as for the command
  auto count = static_cast<unsigned>(iterations);
  const OSSL_PARAM params[] = {octets(OSSL_KDF_PARAM_PASSWORD, passphrase),
                               octets(OSSL_KDF_PARAM_SALT, salt),
                               OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &count),
                               OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &lax),
                               OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, const_cast<char*>(digest.c_str()), 0),
                               OSSL_PARAM_construct_end()};
  const OpenSslPtr<EVP_KDF> kdf(EVP_KDF_fetch(library.context(), "PBKDF2", nullptr));
  const OpenSslPtr<EVP_KDF_CTX> context(kdf == nullptr ? nullptr : EVP_KDF_CTX_new(kdf.get()));
  return context != nullptr && EVP_KDF_derive(context.get(), both.data(), both.size(), params) == 1;
}

bool by_digests(const Library& library, const EVP_MD* digest, const CipherKind& kind, std::span<const std::uint8_t> passphrase,
                std::span<const std::uint8_t> salt, KeyAndIv& key)
{
  const std::uint8_t nothing = 0;
  const OpenSslPtr<EVP_CIPHER> cipher(EVP_CIPHER_fetch(library.context(), kind.name, nullptr));
  return cipher != nullptr && EVP_BytesToKey(cipher.get(), digest, salt.empty() ? nullptr : salt.data(),
                                             passphrase.empty() ? &nothing : passphrase.data(), static_cast<int>(passphrase.size()),
                                             1, key.key.data(), key.iv) > 0;
}

}  // namespace

KeyAndIv Derivation::run(const Library& library, const CipherKind& cipher, std::span<const std::uint8_t> passphrase,
                         std::span<const std::uint8_t> salt) const
{
  const OpenSslPtr<EVP_MD> found(EVP_MD_fetch(library.context(), digest.c_str(), nullptr));
  if (found == nullptr) throw match::UsageError("-md " + digest + ": OpenSSL's default provider has no such digest");
  KeyAndIv key{.key = SecretBytes(cipher.key_bytes)};
  bool done;
  if (iterations) {
    SecretBytes both(cipher.key_bytes + cipher.iv_bytes());
    done = by_pbkdf2(library, digest, *iterations, passphrase, salt, both);
    const auto end_of_key = both.begin() + static_cast<std::ptrdiff_t>(cipher.key_bytes);
    std::copy(both.begin(), end_of_key, key.key.begin());
    std::copy(end_of_key, both.end(), key.iv);
  } else {
    done = by_digests(library, found.get(), cipher, passphrase, salt, key);
  }
  if (!done) throw std::runtime_error("OpenSSL can't derive a key with -md " + digest);
  return key;
}

}  // namespace gpuaes::enc
