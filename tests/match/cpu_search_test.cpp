// The processor's search, with vectors of every width, against the plain loop.
#include "match/cpu_search.h"

#include "match/vector_sweeps.h"
#include "support/match_reference.h"
#include "support/scale.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuaes::match {
namespace {

using test::MatchCase;

class CpuSearchTest : public testing::TestWithParam<std::tuple<MatchCase, Vectors>> {
 protected:
  void SetUp() override
  {
    limit_vectors(std::get<1>(GetParam()));
    if (usable_vectors() != std::get<1>(GetParam())) GTEST_SKIP() << "this processor has no such vectors";
  }
  void TearDown() override { limit_vectors(Vectors::avx512); }
};

TEST_P(CpuSearchTest, FindsWhatThePlainLoopFinds)
{
  const MatchCase& example = std::get<0>(GetParam());
  const MatchPlan plan(example.patterns);
  const CpuSearch search(plan);
  const test::Bytes text = test::padded(example.text);
  const std::size_t size = example.text.size();
  const std::size_t ranges[][2] = {{0, size}, {5, size}, {63, size - size / 3}, {size / 2, size / 2 + 1}, {size / 2, size / 2}};
  for (const auto& [from, to] : ranges) {
    if (to > size || from > to) continue;
    const std::vector<MatchHit> expected = test::reference_hits(example.text, example.patterns, from, to);
    std::vector<std::uint64_t> counts(example.patterns.size());
    search.count({text.data(), size, from, to}, counts);
    EXPECT_EQ(counts, test::counts_of(expected, counts.size())) << from << " to " << to;
    std::vector<MatchHit> hits;
    search.list({text.data(), size, from, to}, hits);
    EXPECT_TRUE(hits == expected) << from << " to " << to;
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<MatchCase, Vectors>>& info)
{
  constexpr const char* kNames[] = {"None", "Avx2", "Avx512"};
  return std::get<0>(info.param).name + "_" + kNames[static_cast<std::size_t>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(Cases, CpuSearchTest,
                         testing::Combine(testing::ValuesIn(test::match_cases(test::scaled(30'000, 5'000))),
                                          testing::Values(Vectors::none, Vectors::avx2, Vectors::avx512)),
                         name_of);

// Larger than the pieces in which several sweeps share a cache.
TEST(CpuSearch, GoesThroughALargeTextInPieces)
{
  test::Bytes text(std::size_t{600} << 10, 'x');
  const std::size_t border = std::size_t{256} << 10;
  for (std::size_t at : {std::size_t{0}, border - 3, border, 2 * border - 1, text.size() - 5})
    std::copy_n("hello", 5, text.begin() + static_cast<std::ptrdiff_t>(at));
  const std::vector<BytePattern> patterns = {test::literal("hello"), test::literal("lo"), test::literal("q")};
  const MatchPlan plan(patterns);
  const test::Bytes readable = test::padded(text);
  std::vector<MatchHit> hits;
  CpuSearch(plan).list({readable.data(), text.size(), 0, text.size()}, hits);
  EXPECT_TRUE(hits == test::reference_hits(text, patterns, 0, text.size()));
  EXPECT_EQ(hits.size(), 8u);  // the one at border - 3 is overwritten in its last two bytes
}

}  // namespace
}  // namespace gpuaes::match
