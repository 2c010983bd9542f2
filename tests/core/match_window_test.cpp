// The comparison of a place with a pattern, the hash of a window and the filter.
#include "core/match_window.h"

#include "support/bytes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gpuaes {
namespace {

TEST(MatchWindow, LoadsTheFirstByteLowest)
{
  const std::uint8_t bytes[] = {0x99, 0x01, 0x02, 0x03, 0x04};
  EXPECT_EQ(load_word(bytes + 1), 0x04030201u);
}

TEST(MatchWindow, HashDependsOnEveryWordThatItIsOf)
{
  const std::uint32_t hash = hash_window<3>(1, 2, 3);
  EXPECT_NE(hash_window<3>(2, 2, 3), hash);
  EXPECT_NE(hash_window<3>(1, 3, 3), hash);
  EXPECT_NE(hash_window<3>(1, 2, 4), hash);
  EXPECT_EQ(hash_window<2>(1, 2, 3), hash_window<2>(1, 2, 4));
  EXPECT_EQ(hash_window<1>(1, 2, 3), hash_window<1>(1, 3, 4));
}

TEST(MatchWindow, HashAtReadsWhatIsThere)
{
  const std::uint8_t bytes[32] = {'a', 'B', 'c', 'D', 'e', 'F', 'g', 'H'};
  EXPECT_EQ(hash_at<2>(bytes, 0xffffffff), hash_window<2>(0x44634261, 0x48674665, 0));
  EXPECT_EQ(hash_at<1>(bytes, 0xdfdfdfdf), hash_window<1>(0x44434241, 0, 0));
}

// The example in the header.
TEST(MatchWindow, PlaceInTheFilter)
{
  const FilterPlace place = filter_place(0xa7c00000, 4);
  EXPECT_EQ(place.word, 10u);
  EXPECT_EQ(place.bits, (1u << 15) | (1u << 16));
}

TEST(MatchWindow, WhatWasPutIntoTheFilterPassesAndLittleElse)
{
  std::mt19937 random(1);
  for (const std::uint32_t bits : {4u, 9u, 14u}) {
    std::vector<std::uint32_t> filter(std::size_t{1} << bits), hashes(filter.size() / 8);
    for (std::uint32_t& hash : hashes) {
      hash = static_cast<std::uint32_t>(random());
      const FilterPlace place = filter_place(hash, bits);
      ASSERT_LT(place.word, filter.size());
      filter[place.word] |= place.bits;
    }
    for (const std::uint32_t hash : hashes) EXPECT_TRUE(passes_filter(filter.data(), hash, bits));
    int passed = 0;
    for (int i = 0; i < 100'000; ++i) passed += passes_filter(filter.data(), static_cast<std::uint32_t>(random()), bits);
    EXPECT_LT(passed, 400) << bits;
  }
}

TEST(MatchWindow, TextAdmitsWhatStartsInItsRangeAndFits)
{
  const MatchText text{.bytes = nullptr, .size = 100, .from = 10, .to = 95};
  EXPECT_FALSE(text.admits(9, 0, 1));
  EXPECT_TRUE(text.admits(10, 0, 1));
  EXPECT_FALSE(text.admits(13, 4, 8));
  EXPECT_FALSE(text.admits(3, 4, 8));  // would start before the text
  EXPECT_TRUE(text.admits(14, 4, 8));
  EXPECT_TRUE(text.admits(94, 0, 6));
  EXPECT_FALSE(text.admits(94, 0, 7));
  EXPECT_FALSE(text.admits(95, 0, 1));
}

}  // namespace
}  // namespace gpuaes
