// Searching ciphertext finds what searching the plaintext finds. The default provider encrypts, as openssl enc does.
#include "match/decrypt.h"

#include "match/usage_error.h"
#include "search_run.h"

#include <openssl/evp.h>

#include <algorithm>

namespace gpuaes::match {
namespace {

using test::Bytes;

CipherSettings settings_of(const std::string& name)
{
  CipherSettings cipher = cipher_named(name);
  const Bytes key = test::test_key(key_bytes_of(cipher));
  cipher.key.assign(key.begin(), key.end());
  if (cipher.mode == AesMode::ctr)
    for (int i = 0; i < 16; ++i) cipher.counter[i] = static_cast<std::uint8_t>(i == 15 ? 0xf0 : 0xff);  // carries through
  return cipher;
}

Bytes encrypt(const CipherSettings& cipher, const Bytes& plain)
{
  Bytes out(plain.size() + 16);
  int first = 0, rest = 0;
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex2(context, EVP_get_cipherbyname(cipher.name.c_str()), cipher.key.data(), cipher.counter, nullptr);
  EVP_EncryptUpdate(context, out.data(), &first, plain.data(), static_cast<int>(plain.size()));
  EVP_EncryptFinal_ex(context, out.data() + first, &rest);
  EVP_CIPHER_CTX_free(context);
  out.resize(static_cast<std::size_t>(first + rest));
  return out;
}

class DecryptTest : public test::OnDevice<testing::TestWithParam<std::tuple<std::string, Who>>> {};

TEST_P(DecryptTest, CiphertextIsSearchedLikeItsPlaintext)
{
  const auto& [name, who] = GetParam();
  const CipherSettings cipher = settings_of(name);
  const std::vector<BytePattern> patterns = {test::literal("abba"), test::literal("\x01"), test::literal("\x10\x10")};
  // Whoever is given a device tries it out first, which takes a while: fewer sizes there.
  const std::vector<std::size_t> sizes =
      who == Who::cpu ? std::vector<std::size_t>{1, 15, 16, 17, 31, 32, 1000, 1024} : std::vector<std::size_t>{1, 17, 1024};
  for (const std::size_t bytes : sizes) {
    Bytes plain = test::random_text(bytes, "ab", 1);
    plain.back() = 1;  // as padding of one byte would be
    const Bytes secret = encrypt(cipher, plain);
    const MemoryFile file(secret);
    Settings settings = settings_for(who, patterns);
    settings.cipher = cipher;
    settings.report.crc16 = true;
    for (const std::size_t starts : {5, 300}) {
      const Pipe pipe(secret);
      settings.cpu_starts = settings.device_starts = starts;
      for (const std::string& path : {file.path(), pipe.path()}) {
        settings.files = {path};
        const Ran ran = run(settings);
        EXPECT_EQ(ran.output, expected_output(plain, patterns) + expected_crc16(plain, 0, bytes))
            << bytes << " " << starts << " " << path;
        EXPECT_EQ(ran.status, 0);
      }
    }
    settings.begin = bytes / 2;
    settings.files = {file.path()};
    settings.report.answer = Answer::counts;
    EXPECT_EQ(run(settings).output, std::to_string(test::reference_hits(plain, patterns, bytes / 2, bytes).size()) + "\n" +
                                        expected_crc16(plain, bytes / 2, bytes));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, DecryptTest,
                         testing::Combine(testing::Values("aes-128-ctr", "aes-192-ctr", "aes-256-ctr", "aes-128-ecb", "aes-192-ecb",
                                                          "aes-256-ecb"),
                                          testing::Values(Who::cpu, Who::device)),
                         [](const auto& example) {
                           std::string name =
                               std::get<0>(example.param) + (std::get<1>(example.param) == Who::cpu ? "_Cpu" : "_Device");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Decrypt, AWrongKeyIsNoticedByThePadding)
{
  const CipherSettings cipher = settings_of("aes-128-ecb");
  const Bytes secret = encrypt(cipher, Bytes(100, 'a'));
  const MemoryFile file(secret);
  const Pipe pipe(secret);
  Settings settings = settings_for(Who::cpu, {test::literal("a")});
  settings.cipher = cipher;
  settings.cipher->key[0] ^= 1;
  for (const std::string& path : {file.path(), pipe.path()}) {
    settings.files = {path};
    const Ran ran = run(settings);
    EXPECT_EQ(ran.status, 2);
    ASSERT_EQ(ran.messages.size(), 1u);
    EXPECT_NE(ran.messages[0].find("the key or the cipher is wrong"), std::string::npos);
  }
}

TEST(Decrypt, HalfABlockIsNoEcbCiphertext)
{
  Settings settings = settings_for(Who::cpu, {test::literal("a")});
  settings.cipher = settings_of("aes-128-ecb");
  const MemoryFile file(Bytes(24, 'a'));
  const Pipe pipe(Bytes(24, 'a'));
  for (const std::string& path : {file.path(), pipe.path()}) {
    settings.files = {path};
    const Ran ran = run(settings);
    EXPECT_EQ(ran.status, 2);
    ASSERT_EQ(ran.messages.size(), 1u);
    EXPECT_NE(ran.messages[0].find("multiple of 16"), std::string::npos);
  }
}

// All of a stream is read then, and none of it kept.
TEST(Decrypt, ARangeBehindTheEndHasNoMatches)
{
  const CipherSettings cipher = settings_of("aes-128-ecb");
  const Bytes secret = encrypt(cipher, Bytes(32, 'a'));
  const MemoryFile file(secret);
  Settings settings = settings_for(Who::cpu, {test::literal("a")});
  settings.cipher = cipher;
  for (const std::size_t begin : {32, 47, 48, 49, 100'000}) {
    const Pipe pipe(secret);
    settings.begin = begin;
    for (const std::string& path : {file.path(), pipe.path()}) {
      settings.files = {path};
      const Ran ran = run(settings);
      EXPECT_EQ(ran.status, 1) << begin << " " << path;
      EXPECT_TRUE(ran.messages.empty()) << begin << " " << path << ": " << ran.messages[0];
    }
  }
}

// A device that was asked for and then fails ends the search: the processor would make plaintext of what it took over.
TEST(Decrypt, PlaintextIsNotMadeHereInsteadOfOnTheDevice)
{
  if (test::on_cuda()) GTEST_SKIP() << "faults can only be put into the stand-in";
  const CipherSettings cipher = settings_of("aes-128-ctr");
  const Bytes secret = encrypt(cipher, Bytes(20'000, 'a'));
  const MemoryFile file(secret);
  Settings settings = settings_for(Who::device, {test::literal("a")});
  settings.cipher = cipher;
  settings.files = {file.path()};
  host_faults::set({.fail_at = 200, .kind = DeviceError::Kind::lost});
  const Ran ran = run(settings);
  host_faults::set({});
  EXPECT_EQ(ran.status, 2);
  ASSERT_FALSE(ran.messages.empty());
  EXPECT_NE(ran.messages[0].find("Fault injected"), std::string::npos) << ran.messages[0];
}

TEST(Decrypt, OtherCiphersAreRefusedByName)
{
  EXPECT_THROW(cipher_named("aes-128-cbc"), UsageError);
  EXPECT_THROW(cipher_named(""), UsageError);
}

}  // namespace
}  // namespace gpuaes::match
