// Whether a device is begun: by what the reference machine's rates say.
#include "match/demand.h"

#include <gtest/gtest.h>

namespace gpuaes::match {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

TEST(MatchDemand, SmallWorkIsNot) { EXPECT_LT(seconds_won(1.4e9, 16, 4 * kGiB), 0); }

TEST(MatchDemand, LargeSlowWorkIs)
{
  EXPECT_GT(seconds_won(0.6e9, 16, 16 * kGiB), kMustWin);
  EXPECT_GT(seconds_won(1.4e9, 16, 64 * kGiB), kMustWin);
  EXPECT_GT(seconds_won(0.1e9, 1, kGiB), kMustWin);
}

TEST(MatchDemand, WhatTheProcessorDoesAsFastAsItReadsIsNeverWorthIt) { EXPECT_LT(seconds_won(5.5e9, 16, 10'000 * kGiB), 0); }

TEST(MatchDemand, NothingIsWonBeforeThePaceIsKnown)
{
  Pace pace;
  pace.note(100, std::chrono::microseconds(1));
  EXPECT_EQ(seconds_won(pace.of_one_thread(), 16, 1000 * kGiB), 0);
  pace.note(16u << 20, std::chrono::milliseconds(16));
  EXPECT_NEAR(pace.of_one_thread(), 1.05e9, 1e8);
}

}  // namespace
}  // namespace gpuaes::match
