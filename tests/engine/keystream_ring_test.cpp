// A ring alone, filled by the test: what it hands out, where, and when it doesn't.
#include "engine/keystream_ring.h"

#include "host/host_faults.h"
#include "support/default_aes.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

namespace gpuaes {
namespace {

using test::Bytes;
using test::DefaultAes;

constexpr std::size_t kSlotBytes = 1024;
constexpr RingShape kShape{.slots = 4, .slot_bytes = kSlotBytes};
// Three blocks before the low half of the counter overflows.
const Bytes kOrigin = test::from_hex("0011223344556677fffffffffffffffd");

Counter origin()
{
  std::uint8_t bytes[16];
  std::memcpy(bytes, kOrigin.data(), sizeof bytes);
  return load_counter(bytes);
}

class KeystreamRingTest : public test::OnDevice<> {
 protected:
  void SetUp() override
  {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    host_faults::set({});
    platform_ = test::make_test_platform();
    device_ = platform_->open({}, [] {});
    lanes_ = std::make_unique<LanePool>(Options{});
  }

  void TearDown() override { host_faults::set({}); }

  std::unique_ptr<KeystreamRing> make(Verify verify = Verify::sample) const
  {
    return std::make_unique<KeystreamRing>(reference_.engine_key(), origin(), kShape, verify,
                                           [this](const Counter& at, std::uint8_t* keystream, std::size_t bytes) {
                                             std::memset(keystream, 0, bytes);
                                             const Counter from = origin();
                                             reference_.run((at.low - from.low) * kBlockBytes, keystream, keystream, bytes);
                                           });
  }

  static void fill(KeystreamRing& ring)
  {
    while (ring.fill()) std::this_thread::yield();
  }

  // Combines what it can get of `bytes` bytes of a pattern, checks it, and returns its length.
  std::size_t combine(KeystreamRing& ring, std::int64_t position, std::size_t bytes) const
  {
    const Bytes in = test::pattern(bytes);
    Bytes out(bytes, 0xee);
    std::size_t done = 0;
    EXPECT_TRUE(ring.claim());
    ring.combine(position, in.data(), out.data(), bytes, Stores::cached, done);
    ring.release();
    const std::size_t lead = position < 0 ? 0 : static_cast<std::size_t>(position);
    Bytes expected(lead);
    expected.insert(expected.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(done));
    expected.resize((lead + done + 15) / 16 * 16);
    expected = reference_.run(expected);
    EXPECT_EQ(
        Bytes(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(done)),
        Bytes(expected.begin() + static_cast<std::ptrdiff_t>(lead), expected.begin() + static_cast<std::ptrdiff_t>(lead + done)))
        << position;
    EXPECT_EQ(Bytes(out.begin() + static_cast<std::ptrdiff_t>(done), out.end()), Bytes(bytes - done, 0xee));
    return done;
  }

  const DefaultAes reference_{AesMode::ctr, test::test_key(24), kOrigin};
  std::unique_ptr<Platform> platform_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<LanePool> lanes_;
};

TEST_F(KeystreamRingTest, HandsOutKeystreamAcrossSlotsAndNoMoreThanItHas)
{
  const auto ring = make();
  EXPECT_FALSE(ring->claim());
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  fill(*ring);
  EXPECT_EQ(combine(*ring, 0, 7), 7u);
  EXPECT_EQ(combine(*ring, 7, 1), 1u);
  EXPECT_EQ(combine(*ring, 8, 3 * kSlotBytes), 3 * kSlotBytes);
  EXPECT_EQ(combine(*ring, 8 + 3 * kSlotBytes, 5000), kSlotBytes - 8);
  EXPECT_EQ(combine(*ring, 4 * kSlotBytes, 1), 0u);
  fill(*ring);
  EXPECT_EQ(combine(*ring, 4 * kSlotBytes, 5000), 4 * kSlotBytes);
  ring->retire();
  ring->dismantle();
}

TEST_F(KeystreamRingTest, RunsLowWithLittleToGoOnWith)
{
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  EXPECT_TRUE(ring->runs_low());
  fill(*ring);
  EXPECT_FALSE(ring->runs_low());
  // A slot is given up when the next is wanted: two are left after this, and then one.
  EXPECT_EQ(combine(*ring, 0, 2 * kSlotBytes + 1), 2 * kSlotBytes + 1);
  EXPECT_FALSE(ring->runs_low());
  EXPECT_EQ(combine(*ring, static_cast<std::int64_t>(2 * kSlotBytes) + 1, kSlotBytes), kSlotBytes);
  EXPECT_TRUE(ring->runs_low());
  fill(*ring);
  EXPECT_FALSE(ring->runs_low());
  ring->retire();
  ring->dismantle();
}

TEST_F(KeystreamRingTest, AsksToBeFilledWhenASlotIsUsedUp)
{
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  fill(*ring);
  EXPECT_EQ(combine(*ring, 0, kSlotBytes), kSlotBytes);
  EXPECT_FALSE(ring->take_call_for_fill());  // it isn't known to be used up before the next is wanted
  EXPECT_EQ(combine(*ring, kSlotBytes, 1), 1u);
  EXPECT_TRUE(ring->take_call_for_fill());
  EXPECT_FALSE(ring->take_call_for_fill());
  ring->retire();
  ring->dismantle();
}

TEST_F(KeystreamRingTest, FollowsAContextThatWentOnWithoutIt)
{
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  EXPECT_EQ(combine(*ring, -5, 100), 0u);
  EXPECT_EQ(combine(*ring, 95, 100), 0u);
  fill(*ring);
  EXPECT_EQ(combine(*ring, -5, 100), 0u);
  EXPECT_EQ(combine(*ring, 195, 100), 100u);
  // Within the ring, and then far beyond it: the device is set to work from the block in question on.
  EXPECT_EQ(combine(*ring, 2 * kSlotBytes + 100, 100), 100u);
  EXPECT_EQ(combine(*ring, 1'000'003, 100), 0u);
  fill(*ring);
  EXPECT_EQ(combine(*ring, 1'000'004, 5000), 4 * kSlotBytes - 4);
  ring->retire();
  ring->dismantle();
}

TEST_F(KeystreamRingTest, IsNobodysOnceRetired)
{
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  EXPECT_FALSE(ring->cancel());
  ASSERT_TRUE(ring->claim());
  EXPECT_FALSE(ring->retire_if_open());
  ring->release();
  EXPECT_TRUE(ring->retire_if_open());
  EXPECT_FALSE(ring->claim());
  EXPECT_FALSE(ring->retire_if_open());
  ring->dismantle();

  const auto early = make();
  EXPECT_FALSE(early->retire_if_open());
  EXPECT_TRUE(early->cancel());
  EXPECT_FALSE(early->furnish(*device_, *lanes_));
  early->dismantle();
}

TEST_F(KeystreamRingTest, NeedsTwoSlots)
{
  Options options;
  options.pinned_bytes = 2 * kLaneBytes - 1;
  LanePool one(options);
  const auto ring = make();
  EXPECT_FALSE(ring->furnish(*device_, one));
  ring->retire();
  ring->dismantle();
}

TEST_F(KeystreamRingTest, IsWipedWhenDismantled)
{
  if (test::on_cuda()) GTEST_SKIP() << "looks at memory that is about to be used again";
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  fill(*ring);
  EXPECT_EQ(combine(*ring, 0, 10), 10u);
  ring->retire();
  ring->dismantle();
  for (int i = 0; i < 4; ++i) {
    const LaneLease lane = lanes_->acquire(*device_, {.device = true, .pinned = true});
    ASSERT_TRUE(lane);
    EXPECT_EQ(Bytes(lane->pinned.data(), lane->pinned.data() + kSlotBytes), Bytes(kSlotBytes));
  }
}

// While the device is at work on it, its memory can't be wiped.
TEST_F(KeystreamRingTest, IsNotDismantledWhileTheDeviceIsAtWorkOnIt)
{
  if (test::on_cuda()) GTEST_SKIP() << "the stand-in can be held up";
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  host_faults::set({.hold = true});
  EXPECT_TRUE(ring->fill());
  ring->retire();
  EXPECT_FALSE(ring->dismantle_if_done());
  host_faults::set({});
  while (!ring->dismantle_if_done()) std::this_thread::yield();
}

// A device that is wrong always in the same place of a slot would never be found out by always the same block.
TEST_F(KeystreamRingTest, ChecksAnotherBlockOfEachSlotOrAllOfIt)
{
  for (const Verify verify : {Verify::sample, Verify::all}) {
    std::set<std::uint64_t> places;
    std::size_t checked = 0;
    KeystreamRing ring(reference_.engine_key(), origin(), kShape, verify,
                       [&](const Counter& at, std::uint8_t* keystream, std::size_t bytes) {
                         const std::uint64_t position = (at.low - origin().low) * kBlockBytes;
                         places.insert(position % kSlotBytes);
                         checked += bytes;
                         std::memset(keystream, 0, bytes);
                         reference_.run(position, keystream, keystream, bytes);
                       });
    ASSERT_TRUE(ring.furnish(*device_, *lanes_));
    fill(ring);
    EXPECT_EQ(checked, kShape.slots * (verify == Verify::all ? kSlotBytes : kBlockBytes));
    EXPECT_EQ(places.size() > 1, verify == Verify::sample);
    ring.retire();
    ring.dismantle();
  }
}

TEST_F(KeystreamRingTest, AWrongSlotIsNotHandedOut)
{
  if (test::on_cuda()) GTEST_SKIP() << "faults can only be put into the stand-in";
  for (const Verify verify : {Verify::sample, Verify::all}) {
    const auto ring = make(verify);
    ASSERT_TRUE(ring->furnish(*device_, *lanes_));
    host_faults::set({.corrupt_job = 2});
    fill(*ring);
    Bytes out(2 * kSlotBytes);
    std::size_t done = 0;
    ASSERT_TRUE(ring->claim());
    EXPECT_THROW(ring->combine(100, out.data(), out.data(), out.size(), Stores::cached, done), DeviceError);
    EXPECT_EQ(done, 0u);
    EXPECT_TRUE(ring->found_wrong_result());
    ring->retire();
    ring->dismantle();
    host_faults::set({});
  }
}

TEST_F(KeystreamRingTest, WhateverCallOfTheDeviceFails)
{
  if (test::on_cuda()) GTEST_SKIP() << "faults can only be put into the stand-in";
  for (const bool when_executed : {false, true})
    for (std::size_t n = 1; n <= 24; ++n) {
      host_faults::set({});
      const auto ring = make();
      ASSERT_TRUE(ring->furnish(*device_, *lanes_));
      host_faults::set({.fail_at = n, .when_executed = when_executed});
      bool failed = false;
      std::int64_t position = 0;
      for (int turn = 0; turn < 6 && !failed; ++turn) {
        fill(*ring);
        Bytes out(3000);
        std::size_t done = 0;
        ASSERT_TRUE(ring->claim());
        try {
          ring->combine(position, out.data(), out.data(), out.size(), Stores::cached, done);
        } catch (const DeviceError&) {
          failed = true;
        }
        position += static_cast<std::int64_t>(done);
        ring->release();
      }
      EXPECT_TRUE(failed) << n;
      host_faults::set({});
      EXPECT_FALSE(ring->fill()) << "the context may be reading what went wrong";
      ring->retire();
      ring->dismantle();
    }
}

TEST_F(KeystreamRingTest, DoesNotWaitForABusyDevice)
{
  if (test::on_cuda()) GTEST_SKIP() << "the stand-in can be held up";
  const auto ring = make();
  ASSERT_TRUE(ring->furnish(*device_, *lanes_));
  host_faults::set({.hold = true});
  EXPECT_TRUE(ring->fill());
  EXPECT_EQ(combine(*ring, 0, 100), 0u);
  EXPECT_TRUE(ring->fill());
  host_faults::set({});
  fill(*ring);
  EXPECT_EQ(combine(*ring, 100, 100), 100u);
  ring->retire();
  ring->dismantle();
}

}  // namespace
}  // namespace gpuaes
