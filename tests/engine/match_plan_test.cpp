// Which patterns are swept for alone and which together, and where their windows lie.
#include "engine/match_plan.h"

#include "support/match_reference.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

using test::literal;
using test::with_any;

std::vector<BytePattern> copies(std::size_t count, const BytePattern& pattern) { return std::vector<BytePattern>(count, pattern); }

TEST(MatchPlan, FewPatternsAreSweptForAlone)
{
  const MatchPlan plan(copies(6, literal("abcdefgh")));
  ASSERT_EQ(plan.sweeps().size(), 6u);
  for (const MatchSweep& sweep : plan.sweeps()) EXPECT_EQ(sweep.words, 0u);
  EXPECT_EQ(plan.longest(), 8u);
  EXPECT_EQ(plan.patterns(), 6u);
}

TEST(MatchPlan, ManyAreSweptForTogetherByTheWindowTheyHave)
{
  for (const auto& [length, words] : {std::pair{4u, 1u}, {7u, 1u}, {8u, 2u}, {11u, 2u}, {12u, 3u}, {40u, 3u}}) {
    const MatchPlan plan(copies(7, literal(std::string(length, 'x'))));
    ASSERT_EQ(plan.sweeps().size(), 1u);
    EXPECT_EQ(plan.sweeps()[0].words, words) << length;
  }
}

TEST(MatchPlan, ShortPatternsAreSweptForAloneHoweverMany)
{
  const MatchPlan plan(copies(40, literal("xyz")));
  EXPECT_EQ(plan.sweeps().size(), 40u);
}

TEST(MatchPlan, SomeOfTwoWordsTakeThoseOfThreeAlong)
{
  std::vector<BytePattern> patterns = copies(10, literal("12345678"));
  const std::vector<BytePattern> longer = copies(20, literal("abcdefghijklmn"));
  patterns.insert(patterns.end(), longer.begin(), longer.end());
  const MatchPlan plan(patterns);
  ASSERT_EQ(plan.sweeps().size(), 1u);
  EXPECT_EQ(plan.sweeps()[0].words, 2u);
}

TEST(MatchPlan, WindowLiesWhereTheBytesAreCertain)
{
  const MatchPlan alone(copies(1, with_any("a???????????????abcdefgh")));
  EXPECT_EQ(alone.sweeps()[0].anchor, 16u);
  EXPECT_FALSE(alone.sweeps()[0].is_masked());
  const MatchPlan together(copies(7, with_any("ab?abcdefgh?x")));
  EXPECT_EQ(together.sweeps()[0].words, 2u);
  EXPECT_EQ(together.tables().pattern(0).anchor, 3u);
}

TEST(MatchPlan, ShortPatternsHaveMaskedWindows)
{
  const MatchPlan plan(copies(1, literal("abc")));
  EXPECT_TRUE(plan.sweeps()[0].is_masked());
  EXPECT_EQ(plan.sweeps()[0].mask[0], 0x00ffffffu);
  EXPECT_EQ(plan.sweeps()[0].mask[1], 0u);
}

TEST(MatchPlan, ElevenCertainBytesAreFoundByTheWordsOfTheText)
{
  EXPECT_EQ(MatchPlan(std::vector{literal("0123456789")}).sweeps()[0].by_words, 0u);
  EXPECT_EQ(MatchPlan(std::vector{test::with_any("0123456789?")}).sweeps()[0].by_words, 0u);
  EXPECT_EQ(MatchPlan(std::vector{test::with_any("0123456789a?")}).sweeps()[0].by_words, 1u);
  EXPECT_EQ(MatchPlan(std::vector{literal("0123456789a")}).sweeps()[0].word_sum[0], weigh_window(0x33323130, 0x37363534));
}

TEST(MatchPlan, RepeatedWordsAreNoticed)
{
  const MatchPlan plan(
      std::vector{literal("aaa"), literal("aaaaa"), literal("abcdabcdab"), literal("abcabcabc"), test::with_any("aaaa?")});
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(plan.tables().pattern(i).repeats, i == 1 || i == 2 ? 1u : 0u) << i;
}

TEST(MatchPlan, TablesWorkWhereverTheyAre)
{
  const MatchPlan plan(copies(9, literal("abcdefghij")));
  const std::vector<std::uint8_t> copy(plan.memory().begin(), plan.memory().end());
  const MatchTables tables = plan.tables_at(copy.data());
  const test::Bytes text = test::padded({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'});
  EXPECT_TRUE(matches_at(tables, tables.pattern(8), text.data()));
  EXPECT_FALSE(matches_at(tables, tables.pattern(8), text.data() + 1));
}

}  // namespace
}  // namespace gpuaes
