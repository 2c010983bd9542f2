// Every unit against the definition, so that what a processor lacks is found out on one that has it.
#include "core/crc16_host.h"

#include "core/crc16.h"
#include "core/processor.h"
#include "support/crc16_reference.h"
#include "support/repeated_mapping.h"
#include "support/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace gpuaes {
namespace {

using test::Bytes;
using test::crc16_by_bits;
using test::random_bytes;

class Crc16Host : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override
  {
    if (!unit_.available()) GTEST_SKIP() << "this processor has no " << unit_.name;
  }

  const Crc16Unit& unit_ = crc16_units()[GetParam()];
};

// Registers that show whether the start gets lost.
constexpr std::uint16_t kStates[] = {0x0000, 0xffff, 0x8001};

TEST_P(Crc16Host, EveryLengthUpTo4200)
{
  const Bytes data = random_bytes(4200 + 8, 11);
  for (const std::uint16_t start : kStates) {
    std::uint16_t expected = start;
    for (std::size_t length = 0; length <= 4200; ++length) {
      ASSERT_EQ(unit_.update(start, data.data() + 1, length), expected) << length;
      expected = crc16_by_bits(expected, {data.data() + 1 + length, 1});
    }
  }
}

TEST_P(Crc16Host, EveryAlignment)
{
  const Bytes data = random_bytes(9000, 12);
  for (std::size_t shift = 0; shift < 64; ++shift)
    for (const std::size_t length : {std::size_t{1}, std::size_t{40}, std::size_t{300}, std::size_t{2049}, std::size_t{8191}})
      ASSERT_EQ(unit_.update(0xffff, data.data() + shift, length), crc16_by_bits(0xffff, {data.data() + shift, length}))
          << length << " + " << shift;
}

// Around the period, where a wrong power of x would come out right, and around what the units do at once.
TEST_P(Crc16Host, AroundPeriodsAndSteps)
{
  const std::size_t most = test::scaled(4 << 20, 1 << 20) + 2;
  const Bytes data = random_bytes(most, 13);
  std::vector<std::size_t> lengths;
  for (const std::size_t step : {4096u, 8192u, 16384u, 32767u, 65536u, 16u * 32767u, 1u << 20, 4u << 20})
    for (const int more : {-1, 0, 1})
      if (step + static_cast<std::size_t>(more) <= most) lengths.push_back(step + static_cast<std::size_t>(more));
  std::sort(lengths.begin(), lengths.end());
  std::uint16_t expected = 0xffff;
  std::size_t at = 0;
  for (const std::size_t length : lengths) {
    expected = crc16_by_bits(expected, {data.data() + at, length - at});
    at = length;
    EXPECT_EQ(unit_.update(0xffff, data.data(), length), expected) << length;
  }
}

TEST_P(Crc16Host, RandomSplits)
{
  const Bytes data = random_bytes(100'000, 14);
  const std::uint16_t expected = crc16_by_bits(0xffff, data);
  std::minstd_rand random(15);
  for (int round = 0; round < 50; ++round) {
    std::uint16_t state = 0xffff;
    for (std::size_t at = 0; at < data.size();) {
      const std::size_t most = round % 2 == 0 ? 40 : 9000;
      const std::size_t bytes = std::min<std::size_t>(random() % most, data.size() - at);
      state = unit_.update(state, data.data() + at, bytes);
      at += bytes;
    }
    ASSERT_EQ(state, expected) << round;
  }
}

TEST_P(Crc16Host, Zeros)
{
  const Bytes zeros(70'000);
  for (const std::size_t length : {1u, 2u, 15u, 16u, 17u, 4096u, 32766u, 32767u, 32768u, 65534u, 70'000u}) {
    EXPECT_EQ(unit_.update(0, zeros.data(), length), 0);
    EXPECT_EQ(unit_.update(0xffff, zeros.data(), length), crc16_by_bits(0xffff, {zeros.data(), length})) << length;
  }
  EXPECT_EQ(unit_.update(0xffff, zeros.data(), 32767), 0xffff);
  EXPECT_EQ(unit_.update(0xffff, nullptr, 0), 0xffff);
}

TEST_P(Crc16Host, MoreThan4GiB)
{
  const Bytes block = random_bytes(test::RepeatedMapping::kBlock, 16);
  const std::size_t times = test::scaled(257, 9);
  const test::RepeatedMapping mapping(block, times);
  const std::uint16_t of_block = crc16_by_bits(0, block);
  std::uint16_t expected = 0xffff;
  for (std::size_t i = 0; i < times; ++i) expected = static_cast<std::uint16_t>(crc16_shift(expected, block.size()) ^ of_block);
  EXPECT_EQ(unit_.update(0xffff, mapping.data(), mapping.size()), expected);
}

INSTANTIATE_TEST_SUITE_P(Units, Crc16Host, ::testing::Range(std::size_t{0}, crc16_units().size()),
                         [](const auto& chosen) { return std::string(crc16_units()[chosen.param].name); });

TEST(Crc16HostChoice, TheActiveUnitIsTheWidestThatTheProcessorHas)
{
  for (const Crc16Unit& unit : crc16_units()) {
    EXPECT_EQ(&unit == &crc16_unit(), unit.available()) << unit.name;
    if (unit.available()) break;
  }
  EXPECT_TRUE(crc16_units().back().available());
  RecordProperty("active", crc16_unit().name);
#ifdef __x86_64__
  const bool avx512 = CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(VPCLMULQDQ);
  EXPECT_EQ(crc16_unit().name == std::string("avx512"), avx512);
#endif
}

TEST(Crc16HostChoice, BoostAgrees)
{
  if (!test::crc16_by_boost({})) GTEST_SKIP() << "this build has no Boost";
  for (const std::size_t length : {0u, 1u, 2u, 3u, 63u, 64u, 65u, 1000u, 4095u, 32767u, 1u << 20, (1u << 20) + 13}) {
    const Bytes data = random_bytes(length, 17);
    EXPECT_EQ(crc16_update(kCrc16Mcrf4xx.init, data.data(), length), *test::crc16_by_boost(data)) << length;
  }
}

}  // namespace
}  // namespace gpuaes
