// Long patterns that repeat themselves, against the plain loop.
#include "match/periodic_sweep.h"

#include "support/match_reference.h"

#include <gtest/gtest.h>

namespace gpuaes::match {
namespace {

std::size_t period_of_text(std::string_view text) { return period_of(test::literal(text).value); }

TEST(PeriodicSweep, PeriodIsTheLeast)
{
  EXPECT_EQ(period_of_text("a"), 1u);
  EXPECT_EQ(period_of_text("aaaa"), 1u);
  EXPECT_EQ(period_of_text("abab"), 2u);
  EXPECT_EQ(period_of_text("ababa"), 2u);
  EXPECT_EQ(period_of_text("aabaabaa"), 3u);
  EXPECT_EQ(period_of_text("aabaaab"), 4u);
  EXPECT_EQ(period_of_text("abcd"), 4u);
  EXPECT_EQ(period_of_text("abca"), 3u);
}

TEST(PeriodicSweep, IsForLongExactPatternsThatRepeatThemselves)
{
  const auto usable = [](const BytePattern& pattern) { return usable_period(pattern.value, pattern.mask); };
  EXPECT_EQ(usable(test::literal(std::string(65, 'a'))), 1u);
  EXPECT_EQ(usable(test::literal(std::string(64, 'a'))), 0u);
  EXPECT_EQ(usable(test::with_any(std::string(100, 'a') + "?")), 0u);
  EXPECT_EQ(usable(test::literal(std::string(100, 'a') + "b")), 0u);
  EXPECT_EQ(usable(test::literal(std::string(100, 'a') + "b" + std::string(100, 'a') + "b")), 101u);
}

// Two periods of the text's, with a break between them that moves, from every place on.
TEST(PeriodicSweep, FindsAllMatchesWhereverTheTextBreaksAndBegins)
{
  std::string word = "abc";
  for (int i = 0; i < 23; ++i) word += "abc";
  const BytePattern pattern = test::literal(word.substr(1, 67));
  for (std::size_t broken = 60; broken < 200; broken += 3) {
    test::Bytes text(300);
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::uint8_t>("abc"[(i < broken ? i : i + 1) % 3]);
    const test::Bytes readable = test::padded(text);
    for (const std::size_t from : {0, 1, 2, 50, 63, 64, 65, 133}) {
      for (const std::size_t to : {from + 1, from + 4, std::size_t{234}}) {
        std::vector<MatchHit> hits;
        sweep_for_periodic(pattern.value, 3, {readable.data(), text.size(), from, to}, [&](std::size_t first, std::size_t number) {
          for (std::size_t i = 0; i < number; ++i) hits.push_back({.at = first + 3 * i});
        });
        EXPECT_TRUE(hits == test::reference_hits(text, {pattern}, from, to)) << broken << " " << from << " " << to;
      }
    }
  }
}

}  // namespace
}  // namespace gpuaes::match
