// Processors and device at the same call.
#include "engine/engine.h"

#include "host/host_faults.h"
#include "support/default_aes.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <gtest/gtest.h>

#include <atomic>

namespace gpuaes {
namespace {

using test::Bytes;
using test::DefaultAes;
using test::TestMemory;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kBytes = 8 * kMiB + 16;

class SideBySide : public test::OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }

  static Options options(int helpers = 0)
  {
    Options options;
    options.min_bytes_ctr = options.min_bytes_ecb = 1;
    options.helper_threads = helpers;
    options.startup.when = Startup::When::on_load;
    return options;
  }

  // One call in memory of that kind on a device that is ready and then gets `plan`. The call's reference function tells `watch` how
  // many bytes it has done by then.
  void expect_right(Engine& engine, AesMode mode, MemoryKind kind, const host_faults::Plan& plan = {},
                    const std::function<void(std::size_t)>& watch = {})
  {
    TestMemory warm(MemoryKind::device, 16);
    Bytes ignored(16);
    if (engine.policy().options.device_bytes > 0) engine.copy(warm.data(), ignored.data(), 16);
    const DefaultAes reference(mode, test::test_key(16));
    const AesKey key = reference.engine_key();
    const Bytes input = test::pattern(kBytes);
    TestMemory in(kind, input);
    TestMemory out(kind, kBytes);
    AesRequest request = reference.request(key, in.data(), out.data(), kBytes);
    std::atomic<std::size_t> done{0};
    request.reference = [&, plain = request.reference](std::size_t offset, const std::uint8_t* from, std::uint8_t* to,
                                                       std::size_t count) {
      plain(offset, from, to, count);
      const std::size_t so_far = done.fetch_add(count) + count;
      if (watch) watch(so_far);
    };
    host_faults::set(plan);
    engine.process(request);
    host_faults::set({});
    EXPECT_EQ(out.download(0, kBytes), reference.run(input));
    by_processor_ = engine.counters().bytes[static_cast<std::size_t>(Carrier::fallback)].load();
    std::uint64_t all = 0;
    for (const auto& bytes : engine.counters().bytes) all += bytes.load();
    EXPECT_EQ(all, kBytes);
  }

  std::uint64_t by_processor_ = 0;
};

// The device begins only when the processor has done all but what is in the air and what is left for the device. If the processor
// waited for it, this would never end.
TEST_F(SideBySide, NobodyWaitsForABusyDevice)
{
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned})
    for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt, AesMode::ecb_decrypt}) {
      Engine engine(options(), make_host_platform());
      Route route;
      const Offer offer{.mode = mode, .rounds = 10, .bytes = kBytes, .in = kind, .out = kind};
      ASSERT_TRUE(engine.policy().find_route(offer, route));
      const std::size_t in_air = static_cast<std::size_t>(route.lanes_each) * route.chunk_bytes;
      const std::size_t enough = kBytes - in_air - route.left_to_device - route.piece_bytes;
      ASSERT_LT(in_air + route.left_to_device + route.piece_bytes, kBytes);
      expect_right(engine, mode, kind, {.hold = true}, [&](std::size_t so_far) {
        if (so_far >= enough) host_faults::set({});
      });
      EXPECT_GT(by_processor_, 0u);
      EXPECT_LT(by_processor_, kBytes);
    }
}

TEST_F(SideBySide, WithoutRoomForALaneThreadsShareTheCall)
{
  Options without_room = options(3);
  without_room.min_bytes_ecb.reset();
  without_room.device_bytes = 0;
  Engine engine(without_room, make_host_platform());
  while (engine.state() == State::starting) std::this_thread::yield();
  ASSERT_EQ(engine.state(), State::ready);
  expect_right(engine, AesMode::ecb_encrypt, MemoryKind::ordinary);
  EXPECT_EQ(by_processor_, kBytes);
}

// Whichever call fails, and whether at once or half way through.
TEST_F(SideBySide, FaultsCostNothingButTime)
{
  for (const bool when_executed : {false, true})
    for (std::size_t fail_at = 1; fail_at < 60; fail_at += 7) {
      Engine engine(options(2), make_host_platform());
      const MemoryKind kind = fail_at % 2 == 0 ? MemoryKind::ordinary : MemoryKind::pinned;
      expect_right(engine, AesMode::ctr, kind, {.fail_at = fail_at, .when_executed = when_executed});
    }
}

}  // namespace
}  // namespace gpuaes
