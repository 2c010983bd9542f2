#include "cpu_search.h"

#include "vector_sweeps.h"

#include <algorithm>
#include <bit>

namespace gpuaes::match {
namespace {

// What is swept several times should stay in the second-level cache in between.
constexpr std::size_t kPiece = std::size_t{256} << 10;

// Bytes far apart come first: neighbours tend to occur together. Bytes that may be anything are left out.
Probes probes_of(const MatchTables& tables, const MatchPattern& pattern)
{
  const auto* const value = tables.at<std::uint8_t>(pattern.value);
  const auto* const mask = tables.at<std::uint8_t>(pattern.mask);
  Probes probes;
  std::vector<bool> taken(pattern.length);
  const auto take = [&](std::uint32_t offset) {
    if (!taken[offset] && mask[offset] != 0) probes.push_back({offset, value[offset], mask[offset]});
    taken[offset] = true;
  };
  const std::uint32_t last = pattern.length - 1;
  for (const std::uint32_t offset : {0u, last, last / 2, last / 4, last - last / 4}) take(offset);
  for (std::uint32_t offset = 0; offset <= last; ++offset) take(offset);
  while (probes.empty() || probes.size() % kProbesAtOnce != 0) probes.push_back({0, 0, 0});
  return probes;
}

// The places where the pattern fits into the text.
MatchText where_it_fits(const MatchText& text, std::size_t length)
{
  MatchText fitting = text;
  fitting.to = text.size < length ? text.from : std::min(text.to, text.size - length + 1);
  return fitting;
}

template <typename OnPiece>
void by_pieces(const MatchText& text, std::size_t sweeps, OnPiece on_piece)
{
  const std::size_t step = sweeps > 1 ? kPiece : std::max<std::size_t>(text.to, 1);
  for (std::size_t from = text.from; from < text.to; from += step)
    on_piece(MatchText{text.bytes, text.size, from, std::min(text.to - from, step) + from});
}

}  // namespace

CpuSearch::CpuSearch(const MatchPlan& plan) : plan_(plan)
{
  for (const MatchSweep& sweep : plan.sweeps())
    probes_.push_back(sweep.words == 0 ? probes_of(plan.tables(), plan.tables().pattern(sweep.pattern)) : Probes());
}

void CpuSearch::count(const MatchText& text, std::span<std::uint64_t> counts) const
{
  const MatchTables tables = plan_.tables();
  by_pieces(text, probes_.size(), [&](const MatchText& piece) {
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      const MatchSweep& sweep = plan_.sweeps()[i];
      if (sweep.words == 0) {
        std::uint64_t& count = counts[sweep.pattern];
        sweep_for_one(probes_[i], where_it_fits(piece, tables.pattern(sweep.pattern).length),
                      [&](std::size_t, std::uint64_t places) { count += static_cast<unsigned>(std::popcount(places)); });
      } else {
        sweep_for_many(tables, sweep, piece, [&](std::size_t, std::uint32_t pattern) { ++counts[pattern]; });
      }
    }
  });
}

void CpuSearch::list(const MatchText& text, std::vector<MatchHit>& hits) const
{
  const MatchTables tables = plan_.tables();
  const std::size_t before = hits.size();
  by_pieces(text, probes_.size(), [&](const MatchText& piece) {
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      const MatchSweep& sweep = plan_.sweeps()[i];
      if (sweep.words == 0)
        sweep_for_one(probes_[i], where_it_fits(piece, tables.pattern(sweep.pattern).length),
                      [&](std::size_t at, std::uint64_t places) {
                        for (; places != 0; places &= places - 1)
                          hits.push_back({.at = at + static_cast<unsigned>(std::countr_zero(places)), .pattern = sweep.pattern});
                      });
      else
        sweep_for_many(tables, sweep, piece,
                       [&](std::size_t at, std::uint32_t pattern) { hits.push_back({.at = at, .pattern = pattern}); });
    }
  });
  const bool in_order = probes_.size() == 1 && plan_.sweeps()[0].words == 0;
  if (!in_order)
    std::sort(hits.begin() + static_cast<std::ptrdiff_t>(before), hits.end(),
              [](const MatchHit& a, const MatchHit& b) { return a.at != b.at ? a.at < b.at : a.pattern < b.pattern; });
}

}  // namespace gpuaes::match
