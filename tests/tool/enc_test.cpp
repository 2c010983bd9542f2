// Files through gpuaes enc, against the default provider: every cipher, both directions, sizes around pieces, parts.
#include "enc_run.h"

#include <nlohmann/json.hpp>

namespace gpuaes::enc {
namespace {

class Enc : public EncTest {};

TEST_P(Enc, BothDirectionsAtSizesAroundPieces)
{
  const Folder folder;
  for (const CipherKind& cipher : kCiphers)
    for (const std::size_t bytes : {0u, 1u, 15u, 16u, 255u, 256u, 257u, 5000u}) {
      SCOPED_TRACE(std::string(cipher.name) + ", " + std::to_string(bytes));
      const test::Bytes plain = test::pattern(bytes);
      const test::Bytes secret = encrypted(cipher, plain);
      Settings settings = settings_for(GetParam(), cipher, folder.write("plain", plain), folder / "secret");
      settings.force = settings.verify = true;
      ASSERT_EQ(run(settings).status, 0);
      EXPECT_EQ(test::first_difference(folder.read("secret"), secret), "");
      settings.inputs = {folder.write("secret", secret)};
      settings.output = folder / "back";
      settings.decrypts = true;
      ASSERT_EQ(run(settings).status, 0);
      EXPECT_EQ(test::first_difference(folder.read("back"), plain), "");
    }
}

// Which go past the page cache where the file system lets them.
TEST_P(Enc, OutputsThatAreSynced)
{
  const Folder folder;
  for (const CipherKind& cipher : kCiphers)
    for (const std::size_t bytes : {0u, 4096u, 65'536u, 100'001u}) {
      SCOPED_TRACE(std::string(cipher.name) + ", " + std::to_string(bytes));
      const test::Bytes plain = test::pattern(bytes);
      Settings settings = settings_for(GetParam(), cipher, folder.write("plain", plain), folder / "secret");
      settings.cpu_bytes = settings.device_bytes = 16'384;
      settings.force = settings.sync = settings.verify = true;
      ASSERT_EQ(run(settings).status, 0);
      EXPECT_EQ(test::first_difference(folder.read("secret"), encrypted(cipher, plain)), "");
    }
}

TEST_P(Enc, PartsOfCtrAnywhere)
{
  const Folder folder;
  const CipherKind& cipher = kCiphers[2];
  const test::Bytes plain = test::pattern(3001);
  const test::Bytes secret = encrypted(cipher, plain);
  Settings settings = settings_for(GetParam(), cipher, folder.write("secret", secret), folder / "part");
  settings.decrypts = settings.force = true;
  for (const std::uint64_t offset : {0u, 1u, 255u, 256u, 1000u, 3000u, 3001u})
    for (const std::uint64_t length : {0u, 1u, 16u, 700u, 5000u}) {
      settings.offset = offset;
      settings.length = length;
      settings.verify = true;
      ASSERT_EQ(run(settings).status, 0);
      const auto from = plain.begin() + static_cast<std::ptrdiff_t>(offset);
      const test::Bytes expected(from, from + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(length, 3001 - offset)));
      EXPECT_EQ(test::first_difference(folder.read("part"), expected), "") << offset << ", " << length;
    }
}

TEST_P(Enc, TellsWhoDidIt)
{
  const Folder folder;
  Settings settings = settings_for(GetParam(), kCiphers[0], folder.write("plain", test::pattern(10'000)), folder / "secret");
  settings.json = settings.crc16 = true;
  const Ran ran = run(settings);
  const auto told = nlohmann::json::parse(ran.printed);
  EXPECT_EQ(told["bytes_in"], 10'000);
  const auto by_device = told["bytes_by_device"].get<std::uint64_t>();
  EXPECT_LE(by_device, GetParam() == Who::cpu ? 0u : 10'000u);
  EXPECT_GE(by_device, GetParam() == Who::device ? 10'000u : 0u);
  if (GetParam() == Who::cpu) {
    EXPECT_EQ(told["device"], "");
    EXPECT_EQ(told["reason"], "");
  } else {
    // Where both do the work, the device may come up too late.
    EXPECT_NE(told["device"] == "", told["reason"] == "") << ran.printed;
  }
  if (GetParam() == Who::device) {
    EXPECT_NE(told["device"], "");
  }
}

TEST(EncReport, NamesNoDeviceWhereNoneWasStarted)
{
  const Folder folder;
  Settings settings = settings_for(Who::both, kCiphers[0], folder.write("plain", test::pattern(1000)), folder / "secret");
  settings.must_win = 1e9;
  settings.json = settings.stats = true;
  const Ran ran = run(settings);
  const auto told = nlohmann::json::parse(ran.printed);
  EXPECT_EQ(told["device"], "");
  EXPECT_NE(told["reason"], "");
  ASSERT_EQ(ran.messages.size(), 1u);
  EXPECT_NE(ran.messages[0].find("all by the processor (" + told["reason"].get<std::string>() + ")"), std::string::npos);
}

TEST_P(Enc, WrongKeyLeavesNothing)
{
  const Folder folder;
  const test::Bytes secret = encrypted(kCiphers[3], test::pattern(5000));
  Settings settings = settings_for(GetParam(), kCiphers[3], folder.write("secret", secret), folder / "back");
  settings.decrypts = true;
  settings.key.key_hex->front() = 'f';
  const Ran ran = run(settings);
  EXPECT_EQ(ran.status, 2);
  ASSERT_EQ(ran.messages.size(), 1u);
  EXPECT_NE(ran.messages[0].find("bad decrypt"), std::string::npos) << ran.messages[0];
  EXPECT_EQ(folder.files(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Who, Enc, testing::Values(Who::cpu, Who::device, Who::both), name_of_who);

}  // namespace
}  // namespace gpuaes::enc
