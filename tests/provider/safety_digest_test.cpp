// Digests where things go wrong: faults, threads, fork, odd parameters; and what is counted.
#include "core/crc16.h"
#include "host/host_faults.h"
#include "support/child.h"
#include "support/crc16_reference.h"
#include "support/digest.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <openssl/err.h>

#include <atomic>
#include <thread>

namespace gpuaes::test {
namespace {

std::string expected_of(const Bytes& data)
{
  const std::uint16_t value = crc16_by_bits(0xffff, data);
  return to_hex({static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)});
}

class SafetyDigestFaults : public OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }
};

const Settings kFromOneByte = {{"min_bytes", "1"}, {"startup", "load"}};

TEST_F(SafetyDigestFaults, EveryCallFailsAndNobodyNotices)
{
  const Bytes data = random_bytes(20'000, 41);
  for (const DeviceError::Kind kind : {DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost})
    for (std::size_t n = 1; n <= 6; ++n) {
      host_faults::set({});
      const Library library = Library::with_gpuaes(kFromOneByte);
      library.settled_state();
      Digesting digesting(library, "CRC16");
      host_faults::set({.fail_at = n, .kind = kind, .when_executed = true});
      digesting.update(data.data(), 7777);
      digesting.update(data.data() + 7777, data.size() - 7777);
      EXPECT_EQ(digesting.final(), expected_of(data)) << n;
      host_faults::set({});
      EXPECT_EQ(library.number("gpuaes.redone_on_cpu"), library.number("gpuaes.device_errors"));
    }
}

TEST_F(SafetyDigestFaults, AFailedUpdateLeavesTheMessageAsItWas)
{
  const Bytes data = random_bytes(20'000, 42);
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  Digesting digesting(library, "CRC16");
  digesting.update(data.data(), 5000);
  host_faults::set({.fail_at = 1});
  EXPECT_EQ(EVP_DigestUpdate(digesting.get(), data.data() + 5000, 15'000), 0);
  host_faults::set({});
  EXPECT_STREQ(ERR_reason_error_string(ERR_peek_last_error()), "device operation failed");
  take_errors();
  digesting.update(data.data() + 5000, 15'000);
  EXPECT_EQ(digesting.final(), expected_of(data));
}

using SafetyDigest = OnDevice<>;

TEST_F(SafetyDigest, NeverAndDeviceMemoryIsAnError)
{
  const TestMemory memory(MemoryKind::device, Bytes(100));
  const Library library = Library::with_gpuaes({{"mode", "never"}});
  Digesting digesting(library, "CRC16");
  EXPECT_EQ(EVP_DigestUpdate(digesting.get(), memory.data(), 100), 0);
  EXPECT_STREQ(ERR_reason_error_string(ERR_peek_last_error()), "no device can be used");
  take_errors();
  EXPECT_EQ(digesting.final(), "ffff");
}

TEST_F(SafetyDigest, WorkIsCounted)
{
  const Library library = Library::with_gpuaes();
  for (int i = 0; i < 100; ++i) digest_of(library, "CRC16", Bytes(1000));
  EXPECT_EQ(library.number("gpuaes.calls.default"), 100u);
  EXPECT_EQ(library.number("gpuaes.bytes.default"), 100'000u);
  EXPECT_EQ(library.text("gpuaes.state"), "idle");
}

// Each piece once, however many there are before the counts are passed on.
TEST_F(SafetyDigest, PiecesAreCounted)
{
  const Library library = Library::with_gpuaes();
  {
    Digesting digesting(library, "CRC16");
    const Bytes piece(10);
    for (int i = 0; i < 300; ++i) digesting.update(piece.data(), piece.size());
  }
  EXPECT_EQ(library.number("gpuaes.calls.default"), 300u);
  EXPECT_EQ(library.number("gpuaes.bytes.default"), 3000u);
}

TEST_F(SafetyDigest, PiecesOfDeviceMemoryInQuickSuccession)
{
  const Bytes data = random_bytes(10'000, 46);
  const TestMemory memory(MemoryKind::device, data);
  const Library library = Library::with_gpuaes({{"startup", "load"}});
  ASSERT_EQ(library.settled_state(), "ready");
  Digesting digesting(library, "CRC16");
  for (std::size_t at = 0; at < data.size(); at += 10) digesting.update(memory.data() + at, 10);
  EXPECT_EQ(digesting.final(), expected_of(data));
}

TEST_F(SafetyDigest, WorkOnTheDeviceIsCounted)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  for (int i = 0; i < 10; ++i) digest_of(library, "CRC16", Bytes(1000));
  EXPECT_EQ(library.number("gpuaes.calls.device"), 10u);
  EXPECT_EQ(library.number("gpuaes.bytes.device"), 10'000u);
  EXPECT_EQ(library.number("gpuaes.bytes.default"), 0u);
}

TEST_F(SafetyDigest, ManyThreadsAndOneProvider)
{
  const Library library = Library::with_gpuaes({{"min_bytes_crc16", "3000"}, {"startup", "load"}});
  const Bytes data = random_bytes(50'000, 43);
  const std::string expected = expected_of(data);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t round = 0; round < 20; ++round) {
        Digesting digesting(library, "CRC16");
        const std::size_t middle = 1000 * (t + round);
        digesting.update(data.data(), middle);
        digesting.update(data.data() + middle, data.size() - middle);
        wrong += digesting.final() == expected ? 0 : 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(SafetyDigest, AForkedChildGoesOnByItself)
{
  const Bytes data = random_bytes(50'000, 44);
  const Library library = Library::with_gpuaes({{"min_bytes_crc16", "1"}, {"startup", "load"}});
  library.settled_state();
  Digesting digesting(library, "CRC16");
  digesting.update(data.data(), 1000);
  EXPECT_TRUE(succeeds_in_child([&] {
    digesting.update(data.data() + 1000, data.size() - 1000);
    return digesting.final() == expected_of(data) && library.text("gpuaes.state") == "forked";
  }));
  digesting.update(data.data() + 1000, data.size() - 1000);
  EXPECT_EQ(digesting.final(), expected_of(data));
}

TEST_F(SafetyDigest, FromTheModuleAsItIsInstalled)
{
  const Library library = Library::with_module({{"mode", "always"}});
  const Bytes data = random_bytes(50'000, 45);
  EXPECT_EQ(digest_of(library, "CRC16", data), expected_of(data));
  EXPECT_EQ(library.number("gpuaes.bytes.device"), data.size());
}

TEST_F(SafetyDigest, BadSettingsLeaveDigestsToTheProcessor)
{
  const Library library = Library::with_gpuaes({{"min_bytes_crc16", "lots"}});
  EXPECT_EQ(library.status(), 0);
  EXPECT_NE(library.text("gpuaes.error").find("MIN_BYTES_CRC16 = lots"), std::string::npos);
  EXPECT_EQ(digest_of(library, "CRC16", Bytes(2)), "f0b8");
}

}  // namespace
}  // namespace gpuaes::test
