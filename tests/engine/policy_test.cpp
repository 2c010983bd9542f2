// The policy, as the pure function it is.
#include "engine/policy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuaes {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed, MemoryKind::device,
                                 MemoryKind::peer};
constexpr AesMode kModes[] = {AesMode::ecb_encrypt, AesMode::ecb_decrypt, AesMode::ctr};

Route route_of(const Policy& policy, const Offer& offer)
{
  Route route;
  EXPECT_TRUE(policy.find_route(offer, route));
  return route;
}

Policy policy_with(int helpers)
{
  Policy policy;
  policy.helpers = helpers;
  return policy;
}

Offer device_offer(bool aligned = true)
{
  return {.bytes = kMiB, .in = MemoryKind::device, .out = MemoryKind::device, .aligned = aligned};
}

TEST(Policy, DeviceMemoryIsDoneInOneKernelWhereItIs)
{
  const Route route = route_of(Policy{}, device_offer());
  EXPECT_EQ(route.feed, Feed::direct);
  EXPECT_EQ(route.drain, Drain::direct);
  EXPECT_EQ(route.chunk_bytes, kMiB);
  EXPECT_EQ(route.helpers, 0);
}

// For less than 1 % of the time.
TEST(Policy, OnlyMuchDeviceDataIsSampled)
{
  Offer offer = device_offer();
  EXPECT_EQ(route_of(Policy{}, offer).check_bytes, 0u);
  offer.bytes = 1024 * kMiB;
  EXPECT_EQ(route_of(Policy{}, offer).check_bytes, kBlockBytes);
}

// Kernels load and store whole blocks.
TEST(Policy, MisalignedDeviceMemoryIsCopied)
{
  const Route route = route_of(Policy{}, device_offer(false));
  EXPECT_EQ(route.feed, Feed::copied);
  EXPECT_EQ(route.drain, Drain::copied);
}

TEST(Policy, CtrIntoOrdinaryMemoryNeedsOnlyKeystream)
{
  const Policy policy = policy_with(4);
  const Offer offer{.bytes = 64 * kMiB};
  const Route route = route_of(policy, offer);
  EXPECT_EQ(route.feed, Feed::none);
  EXPECT_EQ(route.drain, Drain::xored);
  EXPECT_EQ(route.carrier(), Carrier::keystream);
  EXPECT_EQ(route.helpers, 4);

  Policy without = policy;
  without.options.keystream = false;
  without.options.min_bytes_ctr = 1;  // else the threads do it without a device
  EXPECT_EQ(route_of(without, offer).feed, Feed::staged);
  EXPECT_EQ(route_of(without, offer).carrier(), Carrier::device);
}

// A copy or a zero-copy kernel that fails half way through would destroy the input.
TEST(Policy, PinnedMemoryInPlaceIsWrittenByTheProcessor)
{
  for (const AesMode mode : kModes)
    for (const std::size_t bytes : {kMiB / 16, kMiB, 64 * kMiB}) {
      Policy policy;
      policy.options.keystream = false;
      const Offer offer{.mode = mode, .bytes = bytes, .in = MemoryKind::pinned, .out = MemoryKind::pinned, .in_place = true};
      EXPECT_EQ(route_of(policy, offer).drain, Drain::staged);
    }
}

TEST(Policy, ChunksFitALaneAndAreWholeBlocks)
{
  for (const int helpers : {0, 1, 4})
    for (const MemoryKind in : kKinds)
      for (const MemoryKind out : kKinds)
        for (const std::size_t bytes :
             {std::size_t{16}, kMiB - 16, 4 * kMiB, 4 * kMiB + 16, 1000 * kMiB + 16, std::size_t{5} << 30}) {
          const Route route = route_of(policy_with(helpers), {.bytes = bytes, .in = in, .out = out});
          if (route.lanes_each == 0) continue;
          EXPECT_GT(route.chunk_bytes, 0u);
          if (route.uses_device_buffer() || route.passes_through_threads()) {
            EXPECT_LE(route.chunk_bytes, kLaneBytes);
            EXPECT_EQ(route.chunk_bytes % 16, 0u);
          } else {
            EXPECT_GE(route.chunk_bytes, bytes);
          }
        }
}

// Beside its result, which is kept for the comparison.
TEST(Policy, WhatIsCheckedWhollyFitsALaneToo)
{
  Policy policy;
  policy.options.verify = Verify::all;
  for (const MemoryKind in : kKinds)
    for (const MemoryKind out : kKinds) {
      const Route route = route_of(policy, {.bytes = 1000 * kMiB, .in = in, .out = out});
      EXPECT_LE(route.chunk_bytes + check_area(Verify::all), kLaneBytes);
      EXPECT_EQ(route.check_bytes, route.chunk_bytes);
    }
  // Not the whole call at once, even if there is no room for chunks.
  policy.options.device_bytes = 0;
  Route route;
  EXPECT_FALSE(policy.find_route({.bytes = 1000 * kMiB, .in = MemoryKind::pinned, .out = MemoryKind::pinned}, route));
}

TEST(Policy, BoundsTooSmallForALaneRuleTheDeviceOut)
{
  Policy policy;
  policy.options.keystream = false;
  policy.options.pinned_bytes = kLaneBytes - 1;
  Route route;
  EXPECT_FALSE(policy.find_route({.bytes = kMiB}, route));
  EXPECT_TRUE(policy.find_route(device_offer(), route));
  policy.options = {};
  policy.options.device_bytes = kLaneBytes - 1;
  EXPECT_FALSE(policy.find_route({.bytes = kMiB}, route));
  // Of these the kernel needs no buffer, though copies would be faster.
  ASSERT_TRUE(policy.find_route({.bytes = 1024 * kMiB, .in = MemoryKind::pinned, .out = MemoryKind::pinned}, route));
  EXPECT_FALSE(route.uses_device_buffer());
}

TEST(Policy, ModeDecidesFirst)
{
  Policy policy;
  const Offer small{.bytes = 16};
  const Offer on_device = device_offer();
  policy.options.mode = Mode::always;
  EXPECT_TRUE(policy.prefers(small, route_of(policy, small)));
  policy.options.mode = Mode::never;
  EXPECT_FALSE(policy.prefers(on_device, route_of(policy, on_device)));
  policy.options.mode = Mode::automatic;
  EXPECT_FALSE(policy.prefers(small, route_of(policy, small)));
  EXPECT_TRUE(policy.prefers(on_device, route_of(policy, on_device)));
}

// The thread that passes the only chunk on has nothing else to do.
TEST(Policy, OneChunkOfOrdinaryMemoryTakesItsThreadsTime)
{
  Policy policy = policy_with(0);
  const Offer offer{.mode = AesMode::ecb_encrypt, .rounds = 14, .bytes = kSmallestChunk};
  const double copying = 2 * static_cast<double>(offer.bytes) / policy.rates.staging_thread * 1e-9;
  EXPECT_GT(route_of(policy, offer).seconds, copying + policy.rates.copied_latency_ns * 1e-9);
  EXPECT_FALSE(policy.prefers(offer, route_of(policy, offer)));
  // Where the processor is slow, it is still worth it.
  for (double& rate : policy.rates.cpu[static_cast<std::size_t>(offer.mode)]) rate = 1;
  EXPECT_TRUE(policy.prefers(offer, route_of(policy, offer)));
}

// However many threads there are, each chunk that comes back takes one of them its time.
TEST(Policy, AFewChunksTakeAsLongAsOneThreadPassesOneOn)
{
  Policy policy = policy_with(4);
  policy.options.min_bytes_ecb = 1;  // by the device, however few threads may then help
  const Offer offer{
      .mode = AesMode::ecb_encrypt, .bytes = kMiB, .in = MemoryKind::pinned, .out = MemoryKind::pinned, .in_place = true};
  const Route route = route_of(policy, offer);
  EXPECT_EQ(route.drain, Drain::staged);
  const double copying = static_cast<double>(route.chunk_bytes) / policy.rates.staging_thread * 1e-9;
  EXPECT_GE(route.seconds, copying + policy.rates.copied_latency_ns * 1e-9);
  policy.options.min_bytes_ecb.reset();
  EXPECT_FALSE(policy.prefers(offer, route));
}

TEST(Policy, NoWayIsPreferredForAFewPercent)
{
  Policy policy;
  const Offer offer{.mode = AesMode::ecb_encrypt, .bytes = 4 * kMiB, .in = MemoryKind::pinned, .out = MemoryKind::pinned};
  const Route route = route_of(policy, offer);
  double& cpu = policy.rates.cpu[static_cast<std::size_t>(offer.mode)][0];
  cpu = 0.95 * static_cast<double>(offer.bytes) / route.seconds * 1e-9;
  EXPECT_FALSE(policy.prefers(offer, route));
  cpu *= 0.9;
  EXPECT_TRUE(policy.prefers(offer, route));
}

TEST(Policy, DeviceMemoryOfAnySizeGoesToTheDevice)
{
  const Policy policy;
  for (const MemoryKind other : kKinds) {
    const Offer offer{.bytes = 16, .in = MemoryKind::device, .out = other};
    EXPECT_TRUE(policy.prefers(offer, route_of(policy, offer)));
  }
}

TEST(Policy, MinBytesIsTheExactBound)
{
  Policy policy;
  policy.options.min_bytes_ctr = 1000;
  policy.options.min_bytes_ecb = 5000;
  const auto prefers = [&](AesMode mode, std::size_t bytes) {
    const Offer offer{.mode = mode, .bytes = bytes};
    return policy.prefers(offer, route_of(policy, offer));
  };
  EXPECT_FALSE(prefers(AesMode::ctr, 999));
  EXPECT_TRUE(prefers(AesMode::ctr, 1000));
  EXPECT_FALSE(prefers(AesMode::ecb_encrypt, 4999));
  EXPECT_TRUE(prefers(AesMode::ecb_decrypt, 5000));
}

// The bound that saves the question may not hide work the device would have been asked to do.
TEST(Policy, SmallestOfferNeverHidesWorkTheDeviceWins)
{
  for (const int helpers : {0, 4})
    for (const std::size_t least : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, 3 * kMiB})
      for (const AesMode mode : kModes)
        for (const int rounds : {10, 12, 14}) {
          Policy policy = policy_with(helpers);
          if (least > 0) policy.options.min_bytes_ctr = policy.options.min_bytes_ecb = least;
          const std::size_t for_ordinary = policy.smallest_offer(mode, rounds, MemoryKind::ordinary);
          const std::size_t for_pinned = policy.smallest_offer(mode, rounds, MemoryKind::pinned);
          ASSERT_LE(for_pinned, for_ordinary);
          for (std::size_t bytes = 16; bytes < 256 * kMiB; bytes += 16 + bytes / 64 * 16)
            for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned}) {
              const Offer offer{.mode = mode, .rounds = rounds, .bytes = bytes, .in = kind, .out = kind};
              if (policy.prefers(offer, route_of(policy, offer))) {
                ASSERT_LE(kind == MemoryKind::pinned ? for_pinned : for_ordinary, bytes);
              }
            }
        }
}

TEST(Policy, SmallestOfferFollowsTheMode)
{
  Policy policy;
  policy.options.mode = Mode::always;
  EXPECT_EQ(policy.smallest_offer(AesMode::ctr, 10, MemoryKind::ordinary), 1u);
  policy.options.mode = Mode::never;
  EXPECT_EQ(policy.smallest_offer(AesMode::ctr, 10, MemoryKind::ordinary), ~std::size_t{0});
  policy.options.mode = Mode::automatic;
  EXPECT_GT(policy.smallest_offer(AesMode::ecb_encrypt, 10, MemoryKind::ordinary),
            16u << 10);  // small calls are for the default provider
}

TEST(Policy, KeystreamStaysWithinItsBoundInWholeBlocks)
{
  for (const std::size_t bound : {kMiB, 4 * kMiB, 16 * kMiB, 37 * kMiB, 1024 * kMiB})
    for (const int helpers : {0, 1, 4, 13}) {
      Policy policy = policy_with(helpers);
      policy.options.keystream_bytes = bound;
      policy.options.min_bytes_ctr = 1;  // by the device, however few threads may then help
      const Route route = route_of(policy, {.mode = AesMode::ctr, .bytes = 64 * kMiB + 16});
      EXPECT_EQ(route.drain, Drain::xored);
      EXPECT_EQ(route.chunk_bytes % kBlockBytes, 0u);
      EXPECT_LE(static_cast<std::size_t>((1 + route.helpers) * route.lanes_each) * kLaneBytes, std::max(bound, kLaneBytes));
    }
}

TEST(Policy, CallsThatShareTheLinkTakeLessOfItEach)
{
  const Policy policy = policy_with(0);
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned}) {
    const Offer offer{.mode = AesMode::ctr, .rounds = 14, .bytes = 64 * kMiB, .in = kind, .out = kind};
    Route alone;
    Route one_of_three;
    ASSERT_TRUE(policy.find_route(offer, alone, {.calls = 1}));
    ASSERT_TRUE(policy.find_route(offer, one_of_three, {.calls = 3}));
    EXPECT_TRUE(policy.prefers(offer, alone));
    EXPECT_TRUE(policy.prefers(offer, one_of_three));
    EXPECT_GE(one_of_three.seconds, alone.seconds);
    EXPECT_LT(one_of_three.lanes_each, alone.lanes_each);
    EXPECT_LE(one_of_three.left_to_device, alone.left_to_device);
    // With one lane the link would wait for the piece that the thread does meanwhile.
    Policy asked = policy;
    asked.options.min_bytes_ctr = 1;
    Route one_of_many;
    ASSERT_TRUE(asked.find_route(offer, one_of_many, {.calls = 64}));
    EXPECT_EQ(one_of_many.lanes_each, 2);
  }
}

// To wake them takes processors from others.
TEST(Policy, HelpersAreForATenthLessTime)
{
  Policy policy = policy_with(4);
  policy.options.min_bytes_ecb = policy.options.min_bytes_ctr = 1;  // so that no way without the device is looked at
  for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt})
    for (double bytes = kMiB / 16; bytes < 64 * kMiB; bytes *= 1.01) {
      const Offer offer{.mode = mode, .bytes = static_cast<std::size_t>(bytes)};
      const Route route = route_of(policy, offer);
      Route alone;
      ASSERT_TRUE(policy.find_route(offer, alone, {}));
      EXPECT_TRUE(route.helpers == 0 || route.seconds <= 0.9 * alone.seconds) << bytes;
    }
}

TEST(Policy, ThreadsAloneAreForATenthLessTimeThanTheDevice)
{
  const Policy policy = policy_with(4);
  Policy device = policy;
  device.options.min_bytes_ecb = device.options.min_bytes_ctr = 1;
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned})
    for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt})
      for (double bytes = kMiB / 16; bytes < 64 * kMiB; bytes *= 1.01) {
        const Offer offer{.mode = mode, .bytes = static_cast<std::size_t>(bytes), .in = kind, .out = kind};
        const Route route = route_of(policy, offer);
        EXPECT_TRUE(route.lanes_each > 0 || route.seconds <= 0.9 * route_of(device, offer).seconds) << bytes;
      }
}

// All memory is busy then, which to copy through takes more of than to encrypt.
TEST(Policy, InACrowdNothingPassesThroughThreads)
{
  const Policy policy = policy_with(0);
  Route route;
  for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt}) {
    const Offer in_place{
        .mode = mode, .rounds = 14, .bytes = 64 * kMiB, .in = MemoryKind::pinned, .out = MemoryKind::pinned, .in_place = true};
    EXPECT_TRUE(policy.find_route(in_place, route));
    EXPECT_TRUE(route.passes_through_threads());
    EXPECT_FALSE(policy.find_route(in_place, route, {.crowded = true}));
    Offer apart = in_place;
    apart.in_place = false;
    EXPECT_TRUE(policy.find_route(apart, route, {.crowded = true}));
  }
}

// By itself each of them would still be served sooner, but all of them together later.
TEST(Policy, NoMoreCallsThanTheLinkIsGoodFor)
{
  Policy policy = policy_with(0);
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned}) {
    const Offer offer{.mode = AesMode::ctr, .rounds = 14, .bytes = 64 * kMiB, .in = kind, .out = kind};
    Route route;
    EXPECT_TRUE(policy.find_route(offer, route, {.calls = 4}));
    EXPECT_FALSE(policy.find_route(offer, route, {.calls = 16}));
    policy.options.min_bytes_ctr = kMiB;
    EXPECT_TRUE(policy.find_route(offer, route, {.calls = 16}));
    policy.options.min_bytes_ctr.reset();
  }
  const Offer only_a_device_can{.bytes = 64 * kMiB, .in = MemoryKind::device, .out = MemoryKind::device};
  Route route;
  EXPECT_TRUE(policy.find_route(only_a_device_can, route, {.calls = 64}));
}

// Only in memory that is the processor's as well, and where nobody has asked for the device.
TEST(Policy, ProcessorsDoPiecesBesideTheDevice)
{
  Policy policy = policy_with(4);
  for (const MemoryKind in : kKinds)
    for (const MemoryKind out : kKinds) {
      const Offer offer{.mode = AesMode::ctr, .bytes = 64 * kMiB, .in = in, .out = out};
      const bool plain = in <= MemoryKind::pinned && out <= MemoryKind::pinned;
      EXPECT_EQ(route_of(policy, offer).piece_bytes > 0, plain);
      policy.options.mode = Mode::always;
      EXPECT_EQ(route_of(policy, offer).piece_bytes, 0u);
      policy.options.mode = Mode::automatic;
    }
}

// Through pinned memory and back costs a thread more than ECB itself.
TEST(Policy, EcbInOrdinaryMemoryIsSharedAmongThreads)
{
  const Offer offer{.mode = AesMode::ecb_encrypt, .rounds = 14, .bytes = 64 * kMiB};
  Policy policy = policy_with(4);
  const Route route = route_of(policy, offer);
  EXPECT_EQ(route.lanes_each, 0);
  EXPECT_EQ(route.helpers, 4);
  EXPECT_EQ(route.carrier(), Carrier::fallback);
  EXPECT_TRUE(policy.prefers(offer, route));
  policy.options.min_bytes_ecb = kMiB;
  EXPECT_GT(route_of(policy, offer).lanes_each, 0);
  policy = policy_with(0);
  EXPECT_FALSE(policy.prefers(offer, route_of(policy, offer)));
}

TEST(Policy, BusyHelpersAreNotCountedOn)
{
  const Policy policy = policy_with(4);
  const Offer offer{.bytes = 64 * kMiB};
  Route route;
  ASSERT_TRUE(policy.find_route(offer, route, {.idle_helpers = 1}));
  EXPECT_EQ(route.helpers, 1);
}

}  // namespace
}  // namespace gpuaes
