// Why a call goes where it goes, by the policy alone.
#include "engine/reason.h"
#include "engine/policy.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gpuaes {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

Offer offer_of(std::size_t bytes, MemoryKind kind) { return {.rounds = 14, .bytes = bytes, .in = kind, .out = kind}; }

Reason why(const Policy& policy, const Offer& offer)
{
  Route route;
  EXPECT_TRUE(policy.find_route(offer, route));
  return why_device(policy, offer, route);
}

TEST(Reason, EachHasAName)
{
  std::set<std::string> names;
  for (std::size_t i = 0; i < kReasons; ++i) names.insert(name_of(static_cast<Reason>(i)));
  EXPECT_EQ(names.size(), kReasons);
}

TEST(Reason, WhyTheDevice)
{
  Policy policy;
  EXPECT_EQ(why(policy, offer_of(64 * kMiB, MemoryKind::pinned)), Reason::device_faster);
  EXPECT_EQ(why(policy, offer_of(16, MemoryKind::device)), Reason::required);
  policy.helpers = 4;
  Offer ecb = offer_of(64 * kMiB, MemoryKind::ordinary);
  ecb.mode = AesMode::ecb_encrypt;
  EXPECT_EQ(why(policy, ecb), Reason::shared);
  policy.helpers = 0;
  policy.options.min_bytes_ecb = 16;
  EXPECT_EQ(why(policy, offer_of(kMiB, MemoryKind::pinned)), Reason::device_faster);
  policy.options.min_bytes_ctr = 16;
  EXPECT_EQ(why(policy, offer_of(kMiB, MemoryKind::pinned)), Reason::min_bytes);
  policy.options.mode = Mode::always;
  EXPECT_EQ(why(policy, offer_of(kMiB, MemoryKind::pinned)), Reason::forced);
}

TEST(Reason, WhyNotTheDevice)
{
  Policy policy;
  EXPECT_EQ(why_not_device(policy, offer_of(4096, MemoryKind::pinned), 0), Reason::cpu_faster);
  // It is the device's, were there not others before it.
  EXPECT_EQ(why_not_device(policy, offer_of(64 * kMiB, MemoryKind::pinned), 0), Reason::device_busy);
  Offer streamed = offer_of(kMiB, MemoryKind::ordinary);
  streamed.has_ring = true;
  EXPECT_EQ(why_not_device(policy, streamed, 0), Reason::ring);
  policy.options.device_bytes = 0;
  EXPECT_EQ(why_not_device(policy, offer_of(64 * kMiB, MemoryKind::ordinary), 0), Reason::no_room);
  policy.options.device_bytes = std::size_t{1} << 30;
  policy.options.min_bytes_ctr = kMiB;
  EXPECT_EQ(why_not_device(policy, offer_of(4096, MemoryKind::pinned), 0), Reason::too_small);
}

}  // namespace
}  // namespace gpuaes
