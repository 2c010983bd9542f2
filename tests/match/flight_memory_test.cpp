// The memory for what is on its way to a device.
#include "match/flight_memory.h"

#include "host/host_faults.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuaes::match {
namespace {

constexpr FlightSizes kSizes{.text = 5'000, .results = 48};

class MatchFlights : public test::OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }

  const std::unique_ptr<Platform> platform_ = make_host_platform();
  const std::unique_ptr<Device> device_ = platform_->open({}, [] {});
};

TEST_F(MatchFlights, HaveMemoryAndAStreamOfTheirOwn)
{
  FlightMemory memory(*device_, kSizes, 3, 6);
  std::vector<FlightSlot> slots = memory.take(3);
  for (FlightSlot& slot : memory.take(3)) slots.push_back(std::move(slot));
  ASSERT_EQ(slots.size(), 6u);
  std::vector<std::span<std::uint8_t>> parts;
  for (const FlightSlot& slot : slots) {
    EXPECT_NE(slot.stream, nullptr);
    EXPECT_EQ(slot.text.size(), kSizes.text);
    EXPECT_EQ(slot.text_here.size(), kSizes.text);
    EXPECT_EQ(slot.results.size(), kSizes.results);
    EXPECT_EQ(slot.results_here.size(), kSizes.results);
    parts.insert(parts.end(), {slot.text, slot.text_here, slot.results, slot.results_here});
  }
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.data() < b.data(); });
  for (std::size_t i = 1; i < parts.size(); ++i) EXPECT_GE(parts[i].data(), parts[i - 1].data() + parts[i - 1].size());
}

TEST_F(MatchFlights, AreTakenTogetherOrNotAtAll)
{
  FlightMemory memory(*device_, kSizes, 3, 5);
  std::vector<FlightSlot> slots = memory.take(3);
  EXPECT_EQ(slots.size(), 3u);
  EXPECT_TRUE(memory.take(3).empty());
  memory.give_back(std::move(slots.back()));
  EXPECT_EQ(memory.take(3).size(), 3u);
}

TEST_F(MatchFlights, AreFewerWhereThereIsLittleMemory)
{
  for (const std::size_t at : {1, 2}) {  // of both kinds
    host_faults::set({.fail_at = at, .kind = DeviceError::Kind::out_of_memory});
    FlightMemory memory(*device_, kSizes, 3, 12);
    EXPECT_EQ(memory.take(6).size(), 6u);
    EXPECT_TRUE(memory.take(1).empty());
  }
}

TEST_F(MatchFlights, AreNoneWhereThereIsNoneOrTheDeviceFails)
{
  host_faults::set({.fail_at = 1, .kind = DeviceError::Kind::out_of_memory});
  EXPECT_THROW(FlightMemory(*device_, kSizes, 3, 3), DeviceError);
  host_faults::set({.fail_at = 1, .kind = DeviceError::Kind::failed});
  EXPECT_THROW(FlightMemory(*device_, kSizes, 3, 12), DeviceError);
}

}  // namespace
}  // namespace gpuaes::match
