// The rings of an engine together: how many there may be, who gets one, and that they end.
#include "engine/rings.h"
#include "engine/engine.h"
#include "engine/in_flight.h"

#include "host/host_faults.h"
#include "support/bytes.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <vector>

namespace gpuaes {
namespace {

using namespace std::chrono_literals;

class RingsTest : public test::OnStandIn {
 protected:
  static std::shared_ptr<KeystreamRing> make(std::size_t slots = 2)
  {
    return std::make_shared<KeystreamRing>(AesKey(test::test_key(16)), Counter{}, RingShape{.slots = slots, .slot_bytes = 256},
                                           Verify::off, KeystreamRing::Reference());
  }

  std::shared_ptr<KeystreamRing> added(std::size_t most, std::size_t slots = 2)
  {
    auto ring = make(slots);
    return rings_.add(*device_, ring, most) ? ring : nullptr;
  }

  // Within ten seconds, which no machine needs.
  static bool soon(const std::function<bool()>& holds)
  {
    for (int i = 0; i < 10'000; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

  static bool can_claim(KeystreamRing& ring)
  {
    const bool claimed = ring.claim();
    if (claimed) ring.release();
    return claimed;
  }

  void TearDown() override { host_faults::set({}); }

  std::unique_ptr<Platform> platform_ = make_host_platform();
  std::unique_ptr<Device> device_ = platform_->open({}, [] {});
  LanePool lanes_{Options{}};
  Counters counters_;
  Rings rings_{lanes_, counters_};
};

TEST_F(RingsTest, AreFurnishedAndFilled)
{
  const auto ring = added(1);
  ASSERT_NE(ring, nullptr);
  EXPECT_TRUE(soon([&] { return can_claim(*ring); }));
  EXPECT_TRUE(soon([&] { return counters_.rings_started.load() == 1; }));
  std::uint8_t byte = 0;
  EXPECT_TRUE(soon([&] {
    std::size_t done = 0;
    if (!ring->claim()) return false;
    ring->combine(0, &byte, &byte, 1, Stores::cached, done);
    ring->release();
    return done == 1;
  }));
}

// Also what comes in a pause of the stream's, with enough ready that nobody waits for it.
TEST_F(RingsTest, AreFilledWholly)
{
  constexpr std::size_t kSlots = 5;
  const auto ring = added(1, kSlots);
  ASSERT_NE(ring, nullptr);
  std::vector<std::uint8_t> bytes(kSlots * 256);
  std::int64_t position = 0;
  EXPECT_TRUE(soon([&] {
    std::this_thread::sleep_for(10ms);
    std::size_t done = 0;
    if (!ring->claim()) return false;
    ring->combine(position, bytes.data(), bytes.data(), bytes.size(), Stores::cached, done);
    const bool call = ring->take_call_for_fill();
    ring->release();
    if (call) rings_.call_for_fill();
    position += static_cast<std::int64_t>(done);
    return done == bytes.size();
  }));
}

TEST_F(RingsTest, AreBounded)
{
  const auto first = added(2);
  const auto second = added(2);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(added(2), nullptr);
  rings_.drop(first);
  EXPECT_NE(added(2), nullptr);
  EXPECT_EQ(added(0), nullptr);
  // One that failed makes room too, before its context has noticed.
  second->retire();
  EXPECT_NE(added(2), nullptr);
}

// Who hasn't used a ring for a second loses it to somebody who wants one; who uses it keeps it.
TEST_F(RingsTest, GoFromASleeperToWhoWantsOne)
{
  const auto user = added(2);
  const auto sleeper = added(2);
  ASSERT_TRUE(sleeper && user);
  ASSERT_TRUE(soon([&] { return can_claim(*sleeper) && can_claim(*user); }));
  const auto begun = std::chrono::steady_clock::now();
  std::shared_ptr<KeystreamRing> heir;
  ASSERT_TRUE(soon([&] {
    EXPECT_TRUE(can_claim(*user));
    heir = added(2);
    return heir != nullptr;
  }));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 1s);
  EXPECT_TRUE(sleeper->retired());
  EXPECT_FALSE(user->retired());
  rings_.drop(sleeper);
  EXPECT_TRUE(soon([&] { return can_claim(*heir); }));
}

TEST_F(RingsTest, AreDismantledWhenDropped)
{
  Options options;
  options.pinned_bytes = 2 * kLaneBytes;
  LanePool pool(options);
  Rings rings(pool, counters_);
  const auto ring = make();
  ASSERT_TRUE(rings.add(*device_, ring, 1));
  ASSERT_TRUE(soon([&] { return can_claim(*ring); }));
  std::this_thread::sleep_for(20ms);  // until the thread sleeps, having nothing to fill
  rings.drop(ring);
  EXPECT_TRUE(soon([&] { return static_cast<bool>(pool.acquire(*device_, {.pinned = true}, Wait::never)); }));
}

// Else the device would write to memory that was wiped.
TEST_F(RingsTest, TheEndWaitsForTheDevice)
{
  auto rings = std::make_unique<Rings>(lanes_, counters_);
  const auto ring = make();
  host_faults::set({.hold = true});
  ASSERT_TRUE(rings->add(*device_, ring, 1));
  ASSERT_TRUE(soon([&] { return can_claim(*ring); }));
  const auto end = std::async(std::launch::async, [&] { rings.reset(); });
  EXPECT_EQ(end.wait_for(700ms), std::future_status::timeout);
  host_faults::set({});
  end.wait();
}

// One that is being made isn't taken from whom it is made for, however long that takes.
TEST_F(RingsTest, WhatIsBeingMadeIsNoSleeper)
{
  host_faults::set({.hold_calls = true});
  const auto first = added(1);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(added(1), nullptr);
  std::this_thread::sleep_for(1100ms);
  EXPECT_EQ(added(1), nullptr);
  EXPECT_FALSE(first->retired());
  host_faults::set({});
  EXPECT_TRUE(soon([&] { return can_claim(*first); }));
}

// A process that ends doesn't wait for a device that is busy with something else.
TEST_F(RingsTest, CloseDoesNotWaitForABusyDevice)
{
  const auto ring = added(1);
  ASSERT_NE(ring, nullptr);
  host_faults::set({.hold = true});
  ASSERT_TRUE(soon([&] { return can_claim(*ring); }));
  rings_.close();
  EXPECT_TRUE(ring->retired());
  host_faults::set({});
}

TEST_F(RingsTest, CloseEndsAllOfThem)
{
  const auto ring = added(2);
  ASSERT_NE(ring, nullptr);
  ASSERT_TRUE(soon([&] { return can_claim(*ring); }));
  const auto furnishing = added(2);
  rings_.close();
  EXPECT_TRUE(ring->retired());
  EXPECT_TRUE(furnishing->retired());
  EXPECT_EQ(added(2), nullptr);
  rings_.drop(ring);
  // All lanes are back.
  EXPECT_TRUE(lanes_.acquire(*device_, {.device = true, .pinned = true}));
}

TEST_F(RingsTest, DroppingWhileItIsFurnished)
{
  for (int i = 0; i < 50; ++i) {
    const auto ring = added(1);
    ASSERT_NE(ring, nullptr) << i;
    rings_.drop(ring);
    EXPECT_TRUE(ring->retired());
  }
}

TEST_F(RingsTest, OneThatCantBeFurnishedIsRetired)
{
  Options options;
  options.device_bytes = kLaneBytes;
  LanePool little(options);
  Rings rings(little, counters_);
  const auto ring = make();
  ASSERT_TRUE(rings.add(*device_, ring, 1));
  EXPECT_TRUE(soon([&] { return ring->retired(); }));
  EXPECT_EQ(counters_.rings_started.load(), 0u);
  // Nor does it keep its place.
  EXPECT_TRUE(soon([&] { return rings.add(*device_, make(), 1); }));
  rings.drop(ring);
}

TEST_F(RingsTest, AreOfNoUseInACrowdToDataThatNoCacheHolds)
{
  Options options;
  options.startup.when = Startup::When::on_load;
  options.verify = Verify::off;
  Engine engine(options, make_host_platform());
  ASSERT_TRUE(engine.start_and_wait(std::chrono::seconds(60)));
  const auto ring = engine.start_ring(AesKey(test::test_key(16)), Counter{}, [](const Counter&, std::uint8_t*, std::size_t) {});
  ASSERT_NE(ring, nullptr);
  test::Bytes data(4096);
  const auto combined = [&](Stores stores) { return engine.combine(*ring, 0, data.data(), data.data(), data.size(), stores); };
  ASSERT_TRUE(soon([&] { return combined(Stores::streaming) == data.size(); }));
  {
    const InFlight crowd(engine.busy_threads(), 1000);
    EXPECT_EQ(combined(Stores::streaming), 0u);
    EXPECT_EQ(combined(Stores::cached), data.size());
  }
  EXPECT_EQ(combined(Stores::streaming), data.size());
  engine.drop_ring(ring);
}

}  // namespace
}  // namespace gpuaes
