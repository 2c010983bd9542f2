// A search that a device can be given, as plain data.
#pragma once

#include "../core/match_tables.h"
#include "../core/match_window.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuaes {

struct MatchHit {
  std::uint64_t at = 0;  // where in the text it starts
  std::uint32_t pattern = 0;
  std::uint32_t unused = 0;

  friend bool operator==(const MatchHit&, const MatchHit&) = default;
};

// Finds every match that starts in [text.from, text.to) and lies within the text, whether or not it overlaps another. All pointers
// are the device's. Either counts, adding each pattern's matches to counts[pattern]; or lists: adds the number of matches to *found
// and writes those whose number is below `capacity`, in any order, to `hits`.
struct MatchJob {
  MatchTables tables{};
  std::span<const MatchSweep> sweeps{};  // in host memory, until the work is done
  MatchText text{};
  std::uint64_t* counts = nullptr;  // null: list
  std::uint64_t* found = nullptr;
  MatchHit* hits = nullptr;
  std::size_t capacity = 0;
};

}  // namespace gpuaes
