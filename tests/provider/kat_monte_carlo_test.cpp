// NIST's Monte Carlo test for ECB (AESAVS section 6.4.1): 100 keys, 1000 blocks each, all chained. The last result depends on every
// one before, so the seed and the ciphertext (or plaintext) of COUNT = 99 of NIST's files ECBMCT128, ECBMCT192 and ECBMCT256
// suffice.
#include "support/differential.h"
#include "support/scale.h"
#include "support/test_device.h"

#include <algorithm>

namespace gpuaes::test {
namespace {

struct MonteCarlo {
  const char* cipher;
  bool encrypt;
  const char* key;
  const char* seed;
  const char* last;
};

constexpr MonteCarlo kTests[] = {
    {"AES-128-ECB", true, "139a35422f1d61de3c91787fe0507afd", "b9145a768b7dc489a096b546f43b231f",
     "fb2649694783b551eacd9d5db6126d47"},
    {"AES-128-ECB", false, "0c60e7bf20ada9baa9e1ddf0d1540726", "b08a29b11a500ea3aca42c36675b9785",
     "d1d2bfdc58ffcad2341b095bce55221e"},
    {"AES-192-ECB", true, "b9a63e09e1dfc42e93a90d9bad739e5967aef672eedd5da9", "85a1f7a58167b389cddc8a9ff175ee26",
     "5d1196da8f184975e240949a25104554"},
    {"AES-192-ECB", false, "4b97585701c03fbebdfa8555024f589f1482c58a00fdd9fd", "d0bd0e02ded155e4516be83f42d347a4",
     "b63ef1b79507a62eba3dafcec54a6328"},
    {"AES-256-ECB", true, "f9e8389f5b80712e3886cc1fa2d28a3b8c9cd88a2d4a54c6aa86ce0fef944be0", "b379777f9050e2a818f2940cbbd9aba4",
     "c5d2cb3d5b7ff0e23e308967ee074825"},
    {"AES-256-ECB", false, "2b09ba39b834062b9e93f48373b8dd018dedf1e5ba1b8af831ebbacbc92a2643", "89649bd0115f30bd878567610223a59d",
     "e3d3868f578caf34e36445bf14cefc68"},
};

Bytes run(const Library& library, const MonteCarlo& test)
{
  const CipherPointer cipher = library.fetch(test.cipher);
  const ContextPointer context(EVP_CIPHER_CTX_new());
  Bytes key = from_hex(test.key);
  Bytes block = from_hex(test.seed);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(EVP_CipherInit_ex2(context.get(), cipher.get(), key.data(), nullptr, test.encrypt, nullptr), 1);
    EVP_CIPHER_CTX_set_padding(context.get(), 0);
    Bytes last_two(32);
    for (int j = 0; j < 1000; ++j) {
      int written = 0;
      std::uint8_t out[32];
      EXPECT_EQ(EVP_CipherUpdate(context.get(), out, &written, block.data(), 16), 1);
      EXPECT_EQ(written, 16);
      block.assign(out, out + 16);
      std::copy(last_two.begin() + 16, last_two.end(), last_two.begin());
      std::copy(block.begin(), block.end(), last_two.begin() + 16);
    }
    for (std::size_t byte = 0; byte < key.size(); ++byte) key[byte] ^= last_two[32 - key.size() + byte];
  }
  return block;
}

class KatMonteCarlo : public OnDevice<::testing::TestWithParam<MonteCarlo>> {};

// 100,000 calls of one block each: too slow for the stand-in under a sanitizer.
TEST_P(KatMonteCarlo, EndsWithTheRightBlock)
{
  const Library library = Library::with_gpuaes({{"mode", kSanitized && !on_cuda() ? "auto" : "always"}});
  EXPECT_EQ(to_hex(run(library, GetParam())), GetParam().last);
  if (!kSanitized) {
    EXPECT_EQ(library.number("gpuaes.bytes.device"), 1'600'000u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, KatMonteCarlo, ::testing::ValuesIn(kTests), [](const auto& chosen) {
  return "Aes" + std::string(chosen.param.cipher).substr(4, 3) + (chosen.param.encrypt ? "Encrypt" : "Decrypt");
});

}  // namespace
}  // namespace gpuaes::test
