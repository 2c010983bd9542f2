// Keystream ahead under stress: threads, bounds, faults, forks, and the end of the process.
#include "host/host_faults.h"
#include "host/host_memory.h"
#include "support/child.h"
#include "support/differential.h"
#include "support/scale.h"
#include "support/test_device.h"
#include "support/twin.h"

#include <openssl/err.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace gpuaes::test {
namespace {

const Settings kRing = {{"keystream_ahead", "64k"}, {"startup", "load"}, {"helper_threads", "0"}};
const std::string kCipher = "AES-256-CTR";
const Bytes kKey = test_key(32);
const Bytes kIv = pattern(16, 5);

Settings with(Settings settings, const std::string& key, const std::string& value)
{
  settings[key] = value;
  return settings;
}

std::unique_ptr<Twin> stream(const Library& library)
{
  auto twin = std::make_unique<Twin>(library, kCipher);
  twin->init(&kKey, &kIv);
  return twin;
}

std::unique_ptr<Twin> ahead(const Library& library)
{
  library.settled_state();
  auto twin = stream(library);
  EXPECT_TRUE(twin->run_until_ahead(library)) << twin->wrong();
  return twin;
}

// Within what no machine needs, also if 64 threads keep it busy under ThreadSanitizer.
bool soon(const std::function<bool()>& holds)
{
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (std::chrono::steady_clock::now() < deadline) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

using SafetyRing = OnDevice<>;

TEST_F(SafetyRing, SixtyFourThreadsAndRoomForEight)
{
  const Library library = Library::with_gpuaes(kRing);
  ASSERT_EQ(library.settled_state(), "ready");
  std::atomic<int> wrong{0};
  std::atomic<bool> enough{false};
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < 64; ++number)
    threads.emplace_back([&, number] {
      Twin twin(library, kCipherNames[3 + number % 3]);
      const Bytes key = test_key(16 + 8 * (number % 3), static_cast<std::uint8_t>(number));
      twin.init(&key, &kIv);
      for (std::size_t i = 0; !enough.load(); ++i) twin.update(1 + (i * 977 + number) % 4096, i % 2 == 0);
      for (std::size_t i = 0; i < 200; ++i) twin.update(1 + (i * 977 + number) % 4096, i % 2 == 0);
      if (!twin.same_parameters()) ++wrong;
    });
  EXPECT_TRUE(soon([&] { return library.number("gpuaes.rings_started") >= scaled(4, 1); }));
  enough.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

// Of little memory, rings take half.
TEST_F(SafetyRing, LeaveRoomForCalls)
{
  const Library library = Library::with_gpuaes(with(with(kRing, "pinned_bytes", "16m"), "device_bytes", "16m"));
  const auto first = ahead(library);
  const auto second = stream(library);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(second->update(4096)) << second->wrong();
  const auto before = bytes_ahead(library);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(second->update(30'000'000)) << second->wrong();
  EXPECT_GT(bytes_ahead(library), before);
}

TEST_F(SafetyRing, NoRingsWhereTheyAreOff)
{
  for (const auto& [key, value] : {std::pair{"keystream_ahead", "off"},
                                   {"keystream_ahead", "0"},
                                   {"mode", "never"},
                                   {"pinned_bytes", "8m"},
                                   {"device_bytes", "1m"}}) {
    SCOPED_TRACE(key);
    const Library library = Library::with_gpuaes(with(kRing, key, value));
    library.settled_state();
    const auto twin = stream(library);
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(twin->update(1000)) << twin->wrong();
    EXPECT_EQ(library.number("gpuaes.rings_started"), 0u);
  }
}

TEST_F(SafetyRing, NoneForAStreamOfTinyUpdates)
{
  const Library library = Library::with_gpuaes(kRing);
  library.settled_state();
  const auto twin = stream(library);
  for (int i = 0; i < 4000; ++i) ASSERT_TRUE(twin->update(64)) << twin->wrong();
  EXPECT_EQ(library.number("gpuaes.rings_started"), 0u);
  // Not for good: the stream may go on otherwise.
  EXPECT_TRUE(twin->run_until_ahead(library)) << twin->wrong();
}

TEST_F(SafetyRing, FreedInMidStreamAgainAndAgain)
{
  const Library library = Library::with_gpuaes(kRing);
  library.settled_state();
  for (std::size_t i = 0; i < scaled(40, 10); ++i) {
    const auto twin = ahead(library);
    for (std::size_t j = 0; j < i % 10; ++j) ASSERT_TRUE(twin->update(2000)) << twin->wrong();
    // And while its ring is being made.
    const auto early = stream(library);
    for (std::size_t j = 0; j < 64 + i % 10; ++j) ASSERT_TRUE(early->update(2000)) << early->wrong();
  }
}

// By parent and child, the child not touching what is the parent's.
TEST_F(SafetyRing, ForkInMidStream)
{
  if (on_cuda()) GTEST_SKIP() << "pinned memory of a forked CUDA process can't be compared here";
  const Library library = Library::with_gpuaes(kRing);
  const auto twin = ahead(library);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(succeeds_in_child([&] {
      for (int j = 0; j < 100; ++j) twin->update(1000);
      return twin->same_parameters() && library.text("gpuaes.state") == "forked";
    }));
    EXPECT_TRUE(twin->run_until_ahead(library)) << twin->wrong();
  }
}

TEST_F(SafetyRing, ExitInMidStream)
{
  for (const bool module : {false, true})
    for (int i = 0; i < (on_cuda() ? 2 : 10); ++i)
      EXPECT_TRUE(succeeds_in_child([&] {
        auto* library = new Library(module ? Library::with_module(kRing) : Library::with_gpuaes(kRing));
        library->settled_state();
        auto* twin = stream(*library).release();
        for (int j = 0; j < 30 * i; ++j) twin->update(3000);
        return twin->wrong().empty();
      })) << module;
}

class SafetyRingFaults : public OnStandIn {
 protected:
  void SetUp() override
  {
    OnStandIn::SetUp();
    host_faults::set({});
  }
  void TearDown() override { host_faults::set({}); }
};

// The device is held up: nobody waits for it.
TEST_F(SafetyRingFaults, StarvedByABusyDevice)
{
  const Library library = Library::with_gpuaes(kRing);
  const auto twin = ahead(library);
  host_faults::set({.hold = true});
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(twin->update(1000)) << twin->wrong();
  EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
  host_faults::set({});
  EXPECT_TRUE(twin->run_until_ahead(library)) << twin->wrong();
}

// A ring that is always empty is given up. Keystream for a large call may still come from the device.
TEST_F(SafetyRingFaults, AnEmptyRingIsGivenUp)
{
  const Library library = Library::with_gpuaes(kRing);
  const auto twin = ahead(library);
  host_faults::set({.hold = true});
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(twin->update(1000)) << twin->wrong();
  const std::uint64_t before = bytes_ahead(library);
  host_faults::set({});
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(twin->update(1000)) << twin->wrong();
  EXPECT_EQ(bytes_ahead(library), before);
}

TEST_F(SafetyRingFaults, EveryCallOfTheDeviceInEveryWay)
{
  for (const DeviceError::Kind kind : {DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost})
    for (const bool when_executed : {false, true})
      for (std::size_t n = 1; n <= 24; ++n) {
        SCOPED_TRACE(n);
        const Library library = Library::with_gpuaes(kRing);
        library.settled_state();
        host_faults::set({.fail_at = n, .kind = kind, .when_executed = when_executed});
        const auto twin = stream(library);
        for (std::size_t i = 0; i < 64 * 6; ++i) {
          ASSERT_TRUE(twin->update(700)) << twin->wrong();
          if (i % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
        }
        EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
        host_faults::set({});
      }
}

TEST_F(SafetyRingFaults, LostInMidStreamIsCounted)
{
  const Library library = Library::with_gpuaes(kRing);
  const auto twin = ahead(library);
  host_faults::set({.fail_at = 1, .kind = DeviceError::Kind::lost});
  EXPECT_TRUE(soon([&] { return !twin->update(10'000) || library.text("gpuaes.state") == "lost"; }));
  EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
  EXPECT_EQ(library.text("gpuaes.state"), "lost");
  EXPECT_GE(library.number("gpuaes.device_errors"), 1u);
  EXPECT_GE(library.number("gpuaes.redone_on_cpu"), 1u);
}

TEST_F(SafetyRingFaults, AnErrorIfThatIsWanted)
{
  const Library library = Library::with_gpuaes(with(kRing, "on_error", "fail"));
  const auto twin = ahead(library);
  host_faults::set({.fail_at = 1, .kind = DeviceError::Kind::lost});
  Bytes data(1000);
  bool refused = false;
  EXPECT_TRUE(soon([&] {
    int written = 0;
    refused = refused || EVP_EncryptUpdate(twin->context(0), data.data(), &written, data.data(), 1000) == 0;
    return refused;
  }));
  EXPECT_NE(ERR_peek_last_error(), 0u);
  ERR_clear_error();
}

TEST_F(SafetyRingFaults, WrongKeystreamIsNotUsed)
{
  for (const char* verify : {"sample", "all"}) {
    const Library library = Library::with_gpuaes(with(kRing, "verify", verify));
    const auto twin = ahead(library);
    host_faults::set({.corrupt_job = 1});
    EXPECT_TRUE(soon([&] { return !twin->update(1000) || library.text("gpuaes.state") != "ready"; }));
    EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
    EXPECT_EQ(library.text("gpuaes.state"), "lost");
    EXPECT_EQ(library.number("gpuaes.verify_failures"), 1u);
    host_faults::set({});
    ASSERT_TRUE(twin->update(1000)) << twin->wrong();
  }
}

TEST_F(SafetyRingFaults, AllMemoryIsReturned)
{
  const std::size_t before = host_memory::live_allocations();
  {
    const Library library = Library::with_gpuaes(kRing);
    const auto one = ahead(library);
    const auto another = ahead(library);
    EXPECT_GT(host_memory::live_allocations(), before);
  }
  EXPECT_EQ(host_memory::live_allocations(), before);
}

}  // namespace
}  // namespace gpuaes::test
