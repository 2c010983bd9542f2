// NIST's AESAVS response files for ECB: known-answer tests and multi-block messages, through EVP and the device.
#include "support/differential.h"
#include "support/rsp_file.h"
#include "support/test_device.h"

namespace gpuaes::test {
namespace {

class KatCavp : public OnDevice<::testing::TestWithParam<std::string>> {};

TEST_P(KatCavp, EveryCaseOfTheFile)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  const std::vector<RspCase> cases = read_rsp_file("ECB" + GetParam() + ".rsp");
  std::uint64_t bytes = 0;
  for (const RspCase& one : cases) {
    const std::string name = "AES-" + std::to_string(8 * one.key.size()) + "-ECB";
    Traced context(library, name);
    context.init(&one.key, nullptr, one.encrypt);
    context.set_padding(false);
    context.update(one.encrypt ? one.plaintext : one.ciphertext);
    context.final();
    EXPECT_EQ(to_hex(context.output()), to_hex(one.encrypt ? one.ciphertext : one.plaintext))
        << (one.encrypt ? "[ENCRYPT]" : "[DECRYPT]") << " COUNT = " << one.count;
    bytes += context.output().size();
  }
  EXPECT_EQ(library.number("gpuaes.bytes.device"), bytes);
  EXPECT_EQ(library.number("gpuaes.bytes.default"), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, KatCavp,
                         ::testing::Values("GFSbox128", "GFSbox192", "GFSbox256", "KeySbox128", "KeySbox192", "KeySbox256",
                                           "VarTxt128", "VarTxt192", "VarTxt256", "VarKey128", "VarKey192", "VarKey256", "MMT128",
                                           "MMT192", "MMT256"),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace gpuaes::test
