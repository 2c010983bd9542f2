#include "engine/crc16_policy.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpuaes {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kGiB = std::size_t{1} << 30;

TEST(Crc16Policy, OrdinaryMemoryIsTheProcessors)
{
  const Options options;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20, 64 * kGiB})
    EXPECT_FALSE(crc16_prefers_device(options, {bytes, MemoryKind::ordinary}));
  EXPECT_EQ(crc16_smallest_offer(options, MemoryKind::ordinary), kNever);
}

TEST(Crc16Policy, DeviceMemoryIsTheDevices)
{
  const Options options;
  for (const MemoryKind kind : {MemoryKind::device, MemoryKind::peer}) EXPECT_TRUE(crc16_prefers_device(options, {1, kind}));
}

TEST(Crc16Policy, PinnedMemoryIsTheDevicesFromSomeSizeOnUnlessItIsBusy)
{
  const Options options;
  EXPECT_FALSE(crc16_prefers_device(options, {64 << 10, MemoryKind::pinned}));
  EXPECT_TRUE(crc16_prefers_device(options, {256 << 20, MemoryKind::pinned}));
  EXPECT_FALSE(crc16_prefers_device(options, {256 << 20, MemoryKind::pinned}, 4 * kGiB));
  const std::size_t smallest = crc16_smallest_offer(options, MemoryKind::pinned);
  EXPECT_NE(smallest, kNever);
  for (std::size_t bytes = 1; bytes < smallest; bytes += 1 + bytes / 7)
    EXPECT_FALSE(crc16_prefers_device(options, {bytes, MemoryKind::pinned})) << bytes;
}

TEST(Crc16Policy, SettingsDecide)
{
  Options options;
  options.min_bytes_crc16 = 1000;
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed}) {
    EXPECT_FALSE(crc16_prefers_device(options, {999, kind}));
    EXPECT_TRUE(crc16_prefers_device(options, {1000, kind}));
    EXPECT_EQ(crc16_smallest_offer(options, kind), 1000u);
  }
  options.mode = Mode::always;
  EXPECT_TRUE(crc16_prefers_device(options, {1, MemoryKind::ordinary}));
  EXPECT_EQ(crc16_smallest_offer(options, MemoryKind::ordinary), 1u);
  options.mode = Mode::never;
  EXPECT_FALSE(crc16_prefers_device(options, {kGiB, MemoryKind::pinned}));
  EXPECT_EQ(crc16_smallest_offer(options, MemoryKind::pinned), kNever);
}

TEST(Crc16Policy, SamplesAreTakenWhereTheyCostLittle)
{
  Options options;
  EXPECT_EQ(crc16_check_bytes(options, {kGiB, MemoryKind::pinned}), kCrc16SampleBytes);
  EXPECT_EQ(crc16_check_bytes(options, {1 << 20, MemoryKind::pinned}), 0u);
  EXPECT_EQ(crc16_check_bytes(options, {kGiB, MemoryKind::device}), 0u);
  EXPECT_EQ(crc16_check_bytes(options, {64 * kGiB, MemoryKind::device}), kCrc16SampleBytes);
  options.verify = Verify::all;
  EXPECT_EQ(crc16_check_bytes(options, {17, MemoryKind::device}), 17u);
  options.verify = Verify::off;
  EXPECT_EQ(crc16_check_bytes(options, {64 * kGiB, MemoryKind::device}), 0u);
}

}  // namespace
}  // namespace gpuaes
