// Opaque keys (EVP_SKEY), which OpenSSL has since 3.5.
#include <openssl/opensslv.h>

#if OPENSSL_VERSION_NUMBER >= 0x30500000L

#include "support/bytes.h"
#include "support/library.h"
#include "support/test_device.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <memory>

namespace gpuaes::test {
namespace {

struct FreeSkey {
  void operator()(EVP_SKEY* key) const { EVP_SKEY_free(key); }
};
using Skey = std::unique_ptr<EVP_SKEY, FreeSkey>;

Bytes finish(EVP_CIPHER_CTX* context, const Bytes& input)
{
  Bytes output(input.size() + 32);
  int written = 0;
  int last = 0;
  EXPECT_EQ(EVP_CipherUpdate(context, output.data(), &written, input.data(), static_cast<int>(input.size())), 1);
  EXPECT_EQ(EVP_CipherFinal_ex(context, output.data() + written, &last), 1);
  output.resize(static_cast<std::size_t>(written + last));
  return output;
}

class DiffSkey : public OnDevice<::testing::TestWithParam<const char*>> {};

// The type of key by which it is imported makes no difference to a cipher, as with the default provider.
TEST_P(DiffSkey, GivesWhatTheRawKeyGives)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  const Bytes key = test_key(32);
  const Bytes iv = pattern(16);
  const Bytes input = pattern(100'000);
  for (const char* name : {"AES-256-CTR", "AES-256-ECB"}) {
    const CipherPointer cipher = library.fetch(name);
    const Skey skey(
        EVP_SKEY_import_raw_key(library.get(), GetParam(), const_cast<unsigned char*>(key.data()), key.size(), "provider=gpuaes"));
    ASSERT_NE(skey, nullptr);
    EXPECT_STREQ(EVP_SKEY_get0_provider_name(skey.get()), "gpuaes");
    const std::size_t iv_bytes = static_cast<std::size_t>(EVP_CIPHER_get_iv_length(cipher.get()));

    const ContextPointer opaque(EVP_CIPHER_CTX_new());
    ASSERT_EQ(EVP_CipherInit_SKEY(opaque.get(), cipher.get(), skey.get(), iv.data(), iv_bytes, 1, nullptr), 1);
    const ContextPointer raw(EVP_CIPHER_CTX_new());
    ASSERT_EQ(EVP_CipherInit_ex2(raw.get(), cipher.get(), key.data(), iv.data(), 1, nullptr), 1);
    EXPECT_EQ(finish(opaque.get(), input), finish(raw.get(), input)) << name;
  }
}

// Where the default provider doesn't survive the missing key.
TEST_P(DiffSkey, NoKeyMeansLater)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  const CipherPointer cipher = library.fetch("AES-256-CTR");
  const Bytes iv = pattern(16);
  const ContextPointer context(EVP_CIPHER_CTX_new());
  EXPECT_EQ(EVP_CipherInit_SKEY(context.get(), cipher.get(), nullptr, iv.data(), iv.size(), 1, nullptr), 1);
}

INSTANTIATE_TEST_SUITE_P(All, DiffSkey, ::testing::Values("AES", "GENERIC-SECRET"));

}  // namespace
}  // namespace gpuaes::test

#endif
