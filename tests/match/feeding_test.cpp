// How many threads feed a device, by what has been measured.
#include "match/feeding.h"

#include <gtest/gtest.h>

namespace gpuaes::match {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr FeedingRates kRates{.searching = 1e9, .feeding = 5e9, .device = 40e9};

TEST(MatchFeeding, AsManyFeedAsTheDeviceTakes)
{
  EXPECT_EQ(best_feeders(kRates, 16), 8);
  EXPECT_EQ(best_feeders({.searching = 1e9, .feeding = 5e9, .device = 52e9}, 16), 11);  // it adds 2 and searches 1 less
  EXPECT_EQ(best_feeders({.searching = 3e9, .feeding = 5e9, .device = 52e9}, 16), 10);
  EXPECT_EQ(best_feeders({.searching = 0.1e9, .feeding = 5e9, .device = 12e9}, 16), 3);
  EXPECT_EQ(best_feeders(kRates, 4), 4);
}

TEST(MatchFeeding, OneFeedsWhereThreadsSearchFaster)
{
  EXPECT_EQ(best_feeders({.searching = 6e9, .feeding = 5e9, .device = 40e9}, 16), 1);
  EXPECT_EQ(best_feeders(kRates, 1), 1);
}

TEST(MatchFeeding, WhatNobodySearchesIsFedByNoMoreThanNeeded) { EXPECT_EQ(best_feeders({.feeding = 5e9, .device = 40e9}, 16), 8); }

TEST(MatchFeeding, HalfAsManyAgainMayCome)
{
  EXPECT_EQ(most_feeders(16), 12);
  EXPECT_EQ(most_feeders(4), 4);
  EXPECT_EQ(most_feeders(1), 1);
}

// As many as join without anything having been measured.
int joined(Feeding& feeding)
{
  int feeders = 0;
  while (feeding.join_if_too_few(1e9, 16)) ++feeders;
  return feeders;
}

TEST(MatchFeeding, MoreJoinWhereNobodyWaitsForTheDevice)
{
  Feeding feeding(kRates);
  EXPECT_EQ(joined(feeding), 8);
  EXPECT_FALSE(feeding.leave_if_too_many(1e9, 16));
  feeding.note(500 * kMiB, milliseconds(100), milliseconds(0));
  EXPECT_EQ(joined(feeding), 2);  // 42 and some more, by 5.2 each
  feeding.note(500 * kMiB, milliseconds(100), milliseconds(0));
  EXPECT_EQ(joined(feeding), 2);
}

TEST(MatchFeeding, SomeLeaveWhereTheyWait)
{
  Feeding feeding(kRates);
  EXPECT_EQ(joined(feeding), 8);
  feeding.note(500 * kMiB, milliseconds(100), milliseconds(150));  // each 2.1 GB/s of 5.2: the device takes 17
  int left = 0;
  while (feeding.leave_if_too_many(1e9, 16)) ++left;
  EXPECT_EQ(left, 4);
  EXPECT_EQ(joined(feeding), 0);
  feeding.note(300 * kMiB, milliseconds(60), milliseconds(0));  // these don't wait, and what the device takes is known
  EXPECT_EQ(joined(feeding), 0);
}

TEST(MatchFeeding, LittleTellsNothing)
{
  Feeding feeding(kRates);
  EXPECT_EQ(joined(feeding), 8);
  feeding.note(kMiB, milliseconds(1), milliseconds(1000));
  EXPECT_FALSE(feeding.leave_if_too_many(1e9, 16));
}

}  // namespace
}  // namespace gpuaes::match
