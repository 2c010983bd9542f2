// A long pattern that is the same few bytes over and over, in a text that may be so, too: there, at every place nearly all of the
// pattern would have to be compared. Instead the text is compared with itself, one period before.
#pragma once

#include "engine/match_plan.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace gpuaes::match {

// The least distance at which the bytes are equal to themselves; their number if there is none.
std::size_t period_of(std::span<const std::uint8_t> bytes);

// The period of a pattern that sweep_for_periodic() finds; 0 for other patterns.
std::size_t usable_period(std::span<const std::uint8_t> value, std::span<const std::uint8_t> mask);

namespace detail {

// Where among the 64 places from `at` on the text differs from itself one period before: first and last. 64 and 0 where it doesn't.
struct Breaks {
  unsigned first = 64;
  unsigned behind_last = 0;
};

inline Breaks breaks_in_row(const std::uint8_t* at, std::size_t period)
{
  const auto apart = [&](unsigned word) {
    std::uint64_t here, before;
    std::memcpy(&here, at + 8 * word, sizeof here);
    std::memcpy(&before, at + 8 * word - period, sizeof before);
    return here ^ before;
  };
  unsigned first = 0, last = 7;
  while (first < 8 && apart(first) == 0) ++first;
  if (first == 8) return {};
  while (apart(last) == 0) --last;
  return {8 * first + static_cast<unsigned>(std::countr_zero(apart(first))) / 8,
          8 * last + 8 - static_cast<unsigned>(std::countl_zero(apart(last))) / 8};
}

}  // namespace detail

// Calls on_matches(first, number) for the matches at `first` and at the distance of a period, and so on. The pattern must fit into
// the text wherever the text admits a start.
//
// With m bytes and period p it matches at i if its first p bytes do and the text has no break in [i + p, i + m): between two breaks
// in the same row of 64 places there isn't room for that, so of each row the first and the last break are enough. Example: "abab",
// p = 2, in "xababab" has a break at 2 (b, and x before) and none in [3, 7): it matches at 1, where "ab" is, and at 3.
template <typename OnMatches>
void sweep_for_periodic(std::span<const std::uint8_t> pattern, std::size_t period, const MatchText& text, OnMatches on_matches)
{
  if (text.from >= text.to) return;
  const std::size_t end = text.to - 1 + pattern.size();
  const auto on_stretch = [&](std::size_t from, std::size_t to) {
    if (to < from + pattern.size() - period) return;
    const std::size_t first = from - period, last = to - pattern.size();
    const auto* const found = static_cast<const std::uint8_t*>(
        memmem(text.bytes + first, std::min(last - first, period - 1) + period, pattern.data(), period));
    if (found == nullptr) return;
    const auto place = static_cast<std::size_t>(found - text.bytes);
    on_matches(place, (last - place) / period + 1);
  };
  std::size_t stretch = text.from + period;
  for (std::size_t at = stretch; at < end; at += 64) {
    __builtin_prefetch(text.bytes + at + 4096);
    const detail::Breaks breaks = detail::breaks_in_row(text.bytes + at, period);
    if (breaks.behind_last == 0) continue;
    on_stretch(stretch, std::min(at + breaks.first, end));
    stretch = at + breaks.behind_last;
  }
  if (stretch < end) on_stretch(stretch, end);
}

}  // namespace gpuaes::match
