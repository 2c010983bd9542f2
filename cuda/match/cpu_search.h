// Searches a text in host memory on the calling thread, with the processor's widest vectors.
#pragma once

#include "engine/match_plan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuaes::match {

// One byte of a pattern, compared at many places at once.
struct Probe {
  std::uint32_t offset;  // in the pattern
  std::uint8_t value;
  std::uint8_t mask;
};

// A pattern's bytes, in the order in which they tell most; filled up to a multiple of four with probes that always agree.
using Probes = std::vector<Probe>;
inline constexpr std::size_t kProbesAtOnce = 4;

class CpuSearch {
 public:
  // `plan` must outlive it.
  explicit CpuSearch(const MatchPlan& plan);

  // Adds the number of each pattern's matches to counts[pattern].
  void count(const MatchText& text, std::span<std::uint64_t> counts) const;
  // Appends all matches, by place and then pattern.
  void list(const MatchText& text, std::vector<MatchHit>& hits) const;

 private:
  template <typename OnPlaces, typename OnSeries, typename OnMatch>
  void search(const MatchText& piece, OnPlaces on_places, OnSeries on_series, OnMatch on_match) const;
  std::span<const std::uint8_t> value_of(const MatchSweep& sweep) const;

  const MatchPlan& plan_;
  // By sweep.
  std::vector<Probes> probes_;        // empty for a hashed one
  std::vector<std::size_t> periods_;  // of a pattern alone that is swept for by its period; else 0
};

}  // namespace gpuaes::match
