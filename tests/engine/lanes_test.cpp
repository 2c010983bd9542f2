// Lanes: bounds, reuse, and that what goes back is wiped.
#include "engine/lanes.h"
#include "engine/pipeline.h"
#include "engine/policy.h"

#include "host/host_memory.h"
#include "support/bytes.h"
#include "support/default_aes.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace gpuaes {
namespace {

class LanesTest : public test::OnStandIn {
 protected:
  std::unique_ptr<Platform> platform_ = make_host_platform();
  std::unique_ptr<Device> device_ = platform_->open({}, [] {});
};

Options bounds(std::size_t pinned_lanes, std::size_t device_lanes)
{
  Options options;
  options.pinned_bytes = pinned_lanes * kLaneBytes;
  options.device_bytes = device_lanes * kLaneBytes;
  return options;
}

constexpr LaneNeeds kBoth{.device = true, .pinned = true};

TEST_F(LanesTest, GivesNoMoreThanTheBoundsAllow)
{
  LanePool pool(bounds(2, 3));
  LaneLease first = pool.acquire(*device_, kBoth);
  LaneLease second = pool.acquire(*device_, kBoth);
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(pool.acquire(*device_, kBoth));
  EXPECT_TRUE(pool.acquire(*device_, {.device = true}));
  EXPECT_TRUE(pool.acquire(*device_, {}));
  EXPECT_EQ(pool.pinned_held(), 2 * kLaneBytes);
  EXPECT_EQ(pool.device_held(), 3 * kLaneBytes);
}

// A lane that could get only one of its two buffers keeps that one for the next who needs no more.
TEST_F(LanesTest, RefusalsLoseNothing)
{
  LanePool pool(bounds(1, 2));
  for (int round = 0; round < 10; ++round) {
    LaneLease only = pool.acquire(*device_, kBoth);
    ASSERT_TRUE(only);
    EXPECT_FALSE(pool.acquire(*device_, kBoth));
    EXPECT_TRUE(pool.acquire(*device_, {.device = true}));
  }
}

// A ring may keep its lanes for ever: who would wait for them waits for nothing.
TEST_F(LanesTest, NobodyWaitsForLanesThatNoCallReturns)
{
  LanePool pool(bounds(2, 2));
  const LaneLease of_ring = pool.acquire(*device_, kBoth, Wait::never, Term::any_time);
  const LaneLease of_other_ring = pool.acquire(*device_, kBoth, Wait::never, Term::any_time);
  ASSERT_TRUE(of_ring && of_other_ring);
  EXPECT_FALSE(pool.acquire(*device_, kBoth, Wait::for_a_lane));
}

TEST_F(LanesTest, IdleLanesThatEachLackSomethingGiveWay)
{
  LanePool pool(bounds(2, 2));
  {
    const LaneLease first = pool.acquire(*device_, {.device = true});
    const LaneLease second = pool.acquire(*device_, {.device = true});
    const LaneLease third = pool.acquire(*device_, {.pinned = true});
    const LaneLease fourth = pool.acquire(*device_, {.pinned = true});
    ASSERT_TRUE(first && second && third && fourth);
    EXPECT_FALSE(pool.acquire(*device_, kBoth)) << "they are in use";
  }
  const LaneLease both = pool.acquire(*device_, kBoth);
  const LaneLease others = pool.acquire(*device_, kBoth, Wait::for_a_lane);
  EXPECT_TRUE(both && others);
  EXPECT_EQ(pool.pinned_held(), 2 * kLaneBytes);
  EXPECT_EQ(pool.device_held(), 2 * kLaneBytes);
}

TEST_F(LanesTest, IdleLanesThatWouldNotHelpStay)
{
  LanePool pool(bounds(1, 2));
  const LaneLease in_use = pool.acquire(*device_, kBoth);
  ASSERT_TRUE(in_use && pool.acquire(*device_, {.device = true}));
  EXPECT_FALSE(pool.acquire(*device_, kBoth)) << "the only pinned buffer is in use";
  EXPECT_EQ(pool.device_held(), 2 * kLaneBytes);
}

TEST_F(LanesTest, MemoryGoesWithThePool)
{
  const std::size_t before = host_memory::live_allocations();
  {
    LanePool pool(bounds(2, 2));
    LaneLease lane = pool.acquire(*device_, kBoth);
    EXPECT_EQ(host_memory::live_allocations(), before + 2);
  }
  EXPECT_EQ(host_memory::live_allocations(), before);
}

// One of two lanes lacks what the bounds allow no more of: the other one is found.
TEST_F(LanesTest, PicksTheLaneThatFits)
{
  LanePool pool(bounds(1, 2));
  {
    const LaneLease device_only = pool.acquire(*device_, {.device = true});
    const LaneLease both = pool.acquire(*device_, kBoth);
    ASSERT_TRUE(device_only);
    ASSERT_TRUE(both);
  }
  EXPECT_TRUE(pool.acquire(*device_, kBoth));
  EXPECT_TRUE(pool.acquire(*device_, {.pinned = true}));
}

TEST_F(LanesTest, WhatWasUsedIsWipedOnReturn)
{
  LanePool pool(bounds(1, 1));
  constexpr std::size_t kUsed = 1000;
  const std::uint8_t* pinned = nullptr;
  const std::uint8_t* device = nullptr;
  {
    LaneLease lane = pool.acquire(*device_, kBoth);
    pinned = lane->pinned.data();
    device = lane->device.data();
    std::memset(lane->pinned.data(), 0x77, kUsed);
    lane->stream->copy(lane->device.data(), lane->pinned.data(), kUsed);
    lane->stream->wait();
    lane->pinned_used = lane->device_used = kUsed;
  }
  LaneLease again = pool.acquire(*device_, kBoth);
  ASSERT_EQ(again->pinned.data(), pinned);
  ASSERT_EQ(again->device.data(), device);
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  const auto* reached = static_cast<const std::uint8_t*>(host_memory::reach(device));
  EXPECT_TRUE(std::all_of(pinned, pinned + kUsed, is_zero));
  EXPECT_TRUE(std::all_of(reached, reached + kUsed, is_zero));
}

// Chunks become smaller towards the end: what is wiped is what the largest on a lane has used.
TEST_F(LanesTest, NothingOfACallStaysInItsLanes)
{
  constexpr std::size_t kBytes = (std::size_t{3} << 20) + 16;
  constexpr int kLanes = 4;
  const test::DefaultAes reference(AesMode::ecb_encrypt, test::test_key(16));
  const AesKey key = reference.engine_key();
  test::Bytes data = test::pattern(kBytes);
  for (const Verify verify : {Verify::sample, Verify::all})
    for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned}) {
      LanePool pool(bounds(kLanes, kLanes));
      const auto each_lane = [&](const auto& look) {
        std::vector<LaneLease> lanes;
        for (int i = 0; i < kLanes; ++i) {
          lanes.push_back(pool.acquire(*device_, kBoth));
          look(lanes.back()->pinned.data(), host_memory::reach(lanes.back()->device.data()));
        }
      };
      each_lane([](void* pinned, void* device) {
        std::memset(pinned, 0, kLaneBytes);
        std::memset(device, 0, kLaneBytes);
      });
      Policy policy;
      policy.options.mode = Mode::always;
      policy.options.verify = verify;
      const Offer offer{.mode = AesMode::ecb_encrypt, .bytes = kBytes, .in = kind, .out = kind, .in_place = true};
      Route route;
      ASSERT_TRUE(policy.find_route(offer, route));
      Helpers nobody(0);
      const AesRequest request = reference.request(key, data.data(), data.data(), kBytes);
      Pipeline pipeline(*device_, pool, request, offer, route, check_area(verify), true);
      pipeline.run(nobody);
      EXPECT_TRUE(pipeline.unfinished().empty());
      each_lane([](const void* pinned, const void* device) {
        for (const void* memory : {pinned, device}) {
          const auto* const bytes = static_cast<const std::uint8_t*>(memory);
          EXPECT_EQ(std::count(bytes, bytes + kLaneBytes, 0), kLaneBytes);
        }
      });
    }
}

TEST_F(LanesTest, IdlePinnedMemoryCanBeWipedByTheProcessor)
{
  LanePool pool(bounds(1, 1));
  const std::uint8_t* pinned = nullptr;
  {
    LaneLease lane = pool.acquire(*device_, kBoth);
    pinned = lane->pinned.data();
    std::memset(lane->pinned.data(), 0x77, kLaneBytes);
  }
  pool.wipe_idle();
  EXPECT_TRUE(std::all_of(pinned, pinned + kLaneBytes, [](std::uint8_t byte) { return byte == 0; }));
}

}  // namespace
}  // namespace gpuaes
