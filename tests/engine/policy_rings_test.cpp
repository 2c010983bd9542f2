// Which contexts may have keystream made ahead of them, and how much.
#include "engine/policy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuaes {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// Keystream that is there already is faster than a call that has to be set up, up to some size.
TEST(PolicyRings, ARingIsTheAlternativeToACall)
{
  Policy policy;
  policy.helpers = 4;
  const auto preferred = [&](std::size_t bytes, bool has_ring) {
    const Offer offer{.rounds = 14, .bytes = bytes, .has_ring = has_ring};
    Route route;
    EXPECT_TRUE(policy.find_route(offer, route));
    return policy.prefers(offer, route);
  };
  EXPECT_TRUE(preferred(2 * kMiB, false));
  EXPECT_FALSE(preferred(2 * kMiB, true));
  EXPECT_TRUE(preferred(64 * kMiB, true));
  policy.helpers = 0;
  EXPECT_FALSE(preferred(64 * kMiB, true));
}

TEST(PolicyRings, RingsByDefault)
{
  const Policy policy;
  EXPECT_EQ(policy.ring_shape().bytes(), 12 * kMiB);
  EXPECT_EQ(policy.ring_shape().slots, 3u);
  // As many as the link serves with half as much again as a core does.
  EXPECT_EQ(policy.most_rings(10), 5u);
  EXPECT_EQ(policy.most_rings(14), 7u);
}

TEST(PolicyRings, RingsOfAnySize)
{
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{64}, std::size_t{100}, std::size_t{65536}, 16 * kMiB, 24 * kMiB, 64 * kMiB, 1024 * kMiB}) {
    Policy policy;
    policy.options.keystream_bytes = bytes;
    const RingShape shape = policy.ring_shape();
    EXPECT_GE(shape.slots, 2u) << bytes;
    EXPECT_GE(shape.slot_bytes, kBlockBytes) << bytes;
    EXPECT_LE(shape.slot_bytes, kLaneBytes) << bytes;
    EXPECT_EQ(shape.slot_bytes % kBlockBytes, 0u) << bytes;
    EXPECT_LE(shape.bytes(), std::max<std::size_t>(bytes, 4 * kBlockBytes)) << bytes;
    // Half of the memory is for others.
    EXPECT_LE(policy.most_rings(14) * shape.slots * kLaneBytes, policy.options.pinned_bytes / 2) << bytes;
    EXPECT_GE(policy.most_rings(14), 1u) << bytes;
  }
}

TEST(PolicyRings, NoRingsWithoutRoomOrLeave)
{
  const auto shape_with = [](const auto& change) {
    Policy policy;
    change(policy.options);
    EXPECT_EQ(policy.most_rings(14) == 0, policy.ring_shape().slots == 0);
    return policy.ring_shape();
  };
  EXPECT_EQ(shape_with([](Options& options) { options.keystream = false; }).slots, 0u);
  EXPECT_EQ(shape_with([](Options& options) { options.mode = Mode::never; }).slots, 0u);
  EXPECT_EQ(shape_with([](Options& options) { options.mode = Mode::always; }).slots, 0u);
  EXPECT_EQ(shape_with([](Options& options) { options.pinned_bytes = 4 * kLaneBytes - 1; }).slots, 0u);
  EXPECT_EQ(shape_with([](Options& options) { options.device_bytes = 0; }).slots, 0u);
  EXPECT_EQ(shape_with([](Options& options) { options.pinned_bytes = 4 * kLaneBytes; }).slots, 2u);
}

}  // namespace
}  // namespace gpuaes
