#include "cpu_search.h"

#include "periodic_sweep.h"
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
  const MatchTables tables = plan.tables();
  for (const MatchSweep& sweep : plan.sweeps()) {
    const bool alone = sweep.words == 0;
    probes_.push_back(alone ? probes_of(tables, tables.pattern(sweep.pattern)) : Probes());
    const std::span mask(tables.at<std::uint8_t>(tables.pattern(sweep.pattern).mask), tables.pattern(sweep.pattern).length);
    periods_.push_back(alone ? usable_period(value_of(sweep), mask) : 0);
  }
}

std::span<const std::uint8_t> CpuSearch::value_of(const MatchSweep& sweep) const
{
  const MatchTables tables = plan_.tables();
  const MatchPattern& pattern = tables.pattern(sweep.pattern);
  return {tables.at<std::uint8_t>(pattern.value), pattern.length};
}

// Calls on_places(pattern, at, places) for rows of places, on_series(pattern, first, number, distance), or on_match(pattern, at).
template <typename OnPlaces, typename OnSeries, typename OnMatch>
void CpuSearch::search(const MatchText& piece, OnPlaces on_places, OnSeries on_series, OnMatch on_match) const
{
  const MatchTables tables = plan_.tables();
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const MatchSweep& sweep = plan_.sweeps()[i];
    const std::uint32_t alone = sweep.pattern;
    if (sweep.words != 0)
      sweep_for_many(tables, sweep, piece, [&](std::size_t at, std::uint32_t pattern) { on_match(pattern, at); });
    else if (const MatchText fitting = where_it_fits(piece, tables.pattern(alone).length); periods_[i] != 0)
      sweep_for_periodic(value_of(sweep), periods_[i], fitting,
                         [&](std::size_t first, std::size_t number) { on_series(alone, first, number, periods_[i]); });
    else
      sweep_for_one(probes_[i], fitting, [&](std::size_t at, std::uint64_t places) { on_places(alone, at, places); });
  }
}

void CpuSearch::count(const MatchText& text, std::span<std::uint64_t> counts) const
{
  by_pieces(text, probes_.size(), [&](const MatchText& piece) {
    search(
        piece,
        [&](std::uint32_t pattern, std::size_t, std::uint64_t places) {
          counts[pattern] += static_cast<unsigned>(std::popcount(places));
        },
        [&](std::uint32_t pattern, std::size_t, std::size_t number, std::size_t) { counts[pattern] += number; },
        [&](std::uint32_t pattern, std::size_t) { ++counts[pattern]; });
  });
}

void CpuSearch::list(const MatchText& text, std::vector<MatchHit>& hits) const
{
  const std::size_t before = hits.size();
  const auto add = [&](std::uint32_t pattern, std::size_t at) { hits.push_back({.at = at, .pattern = pattern}); };
  by_pieces(text, probes_.size(), [&](const MatchText& piece) {
    search(
        piece,
        [&](std::uint32_t pattern, std::size_t at, std::uint64_t places) {
          for (; places != 0; places &= places - 1) add(pattern, at + static_cast<unsigned>(std::countr_zero(places)));
        },
        [&](std::uint32_t pattern, std::size_t first, std::size_t number, std::size_t distance) {
          for (std::size_t i = 0; i < number; ++i) add(pattern, first + i * distance);
        },
        add);
  });
  const bool in_order = probes_.size() == 1 && plan_.sweeps()[0].words == 0;
  if (!in_order)
    std::sort(hits.begin() + static_cast<std::ptrdiff_t>(before), hits.end(),
              [](const MatchHit& a, const MatchHit& b) { return a.at != b.at ? a.at < b.at : a.pattern < b.pattern; });
}

}  // namespace gpuaes::match
