// NIST SP 800-38A, appendices F.1 (ECB) and F.5 (CTR), through EVP and the device.
#include "support/differential.h"
#include "support/test_device.h"

#include <algorithm>

namespace gpuaes::test {
namespace {

constexpr const char* kPlaintext =
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710";
constexpr const char* kCounter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

struct Example {
  const char* section;
  const char* cipher;
  const char* key;
  const char* ciphertext;
};

constexpr Example kExamples[] = {
    {"F.1.1 and F.1.2", "AES-128-ECB", "2b7e151628aed2a6abf7158809cf4f3c",
     "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4"},
    {"F.1.3 and F.1.4", "AES-192-ECB", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef"
     "ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e"},
    {"F.1.5 and F.1.6", "AES-256-ECB", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7"},
    {"F.5.1 and F.5.2", "AES-128-CTR", "2b7e151628aed2a6abf7158809cf4f3c",
     "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"},
    {"F.5.3 and F.5.4", "AES-192-CTR", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94"
     "1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050"},
    {"F.5.5 and F.5.6", "AES-256-CTR", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"},
};

class KatSp80038a : public OnDevice<::testing::TestWithParam<Example>> {};

Bytes run(const Library& library, const Example& example, bool encrypt, const Bytes& in)
{
  const Bytes key = from_hex(example.key);
  const Bytes iv = from_hex(kCounter);
  Traced context(library, example.cipher);
  context.init(&key, &iv, encrypt);
  context.set_padding(false);
  context.update(in);
  context.final();
  return context.output();
}

TEST_P(KatSp80038a, IsReproducedByTheDevice)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}, {"keystream_ahead", "off"}});
  const Bytes plaintext = from_hex(kPlaintext);
  const Bytes ciphertext = from_hex(GetParam().ciphertext);
  EXPECT_EQ(to_hex(run(library, GetParam(), true, plaintext)), to_hex(ciphertext)) << GetParam().section;
  EXPECT_EQ(to_hex(run(library, GetParam(), false, ciphertext)), to_hex(plaintext)) << GetParam().section;
  EXPECT_EQ(library.number("gpuaes.bytes.device"), 128u);
  EXPECT_EQ(library.number("gpuaes.bytes.default"), 0u);
}

TEST_P(KatSp80038a, IsReproducedByKeystreamAhead)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  EXPECT_EQ(to_hex(run(library, GetParam(), true, from_hex(kPlaintext))), to_hex(from_hex(GetParam().ciphertext)));
  const char* carrier = is_counter_mode(GetParam().cipher) ? "gpuaes.bytes.keystream" : "gpuaes.bytes.device";
  EXPECT_EQ(library.number(carrier), 64u);
}

INSTANTIATE_TEST_SUITE_P(All, KatSp80038a, ::testing::ValuesIn(kExamples), [](const auto& chosen) {
  std::string name = chosen.param.cipher;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace gpuaes::test
