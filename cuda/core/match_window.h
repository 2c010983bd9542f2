// The filter in front of the comparison: few places of a text pass it, and all that a pattern begins at do.
#pragma once

#include "match_tables.h"

namespace gpuaes {

// Odd, so that a product is zero only if the word is; otherwise arbitrary.
inline constexpr std::uint32_t kWindowFactor0 = 0x9e3779b1;
inline constexpr std::uint32_t kWindowFactor1 = 0x85ebca77;
inline constexpr std::uint32_t kWindowFactor2 = 0xc2b2ae3d;

// The hash of a window of one to three words. Its upper bits depend on all bits of the window.
template <int Words>
GPUAES_HD constexpr std::uint32_t hash_window(std::uint32_t word0, std::uint32_t word1, std::uint32_t word2)
{
  std::uint32_t hash = word0 * kWindowFactor0;
  if constexpr (Words > 1) hash += word1 * kWindowFactor1;
  if constexpr (Words > 2) hash += word2 * kWindowFactor2;
  return hash;
}

template <int Words>
GPUAES_HD inline std::uint32_t hash_at(const std::uint8_t* text, std::uint32_t fold)
{
  return hash_window<Words>(load_word(text) & fold, Words > 1 ? load_word(text + 4) & fold : 0,
                            Words > 2 ? load_word(text + 8) & fold : 0);
}

// Two bits of one word of the filter stand for a hash: its uppermost bits choose the word, the next five one bit, the next five the
// other. Example, 2^4 words: hash 0xa7c00000 = 1010'01111'10000'.. is bits 15 and 16 of word 10.
struct FilterPlace {
  std::uint32_t word;
  std::uint32_t bits;
};

GPUAES_HD constexpr FilterPlace filter_place(std::uint32_t hash, std::uint32_t filter_bits)
{
  const std::uint32_t top = hash >> (22 - filter_bits);
  return {top >> 10, (1u << ((top >> 5) & 31)) | (1u << (top & 31))};
}

GPUAES_HD inline bool passes_filter(const std::uint32_t* filter, std::uint32_t hash, std::uint32_t filter_bits)
{
  const FilterPlace place = filter_place(hash, filter_bits);
  return (filter[place.word] & place.bits) == place.bits;
}

// A text and the places in it that a match may start at.
struct MatchText {
  const std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  std::size_t from = 0;
  std::size_t to = 0;

  // Whether a pattern of `length` bytes that lies `anchor` bytes before `at` is one of the places asked for.
  GPUAES_HD bool admits(std::size_t at, std::uint32_t anchor, std::uint32_t length) const
  {
    return at >= anchor && at - anchor >= from && at - anchor < to && at - anchor + length <= size;
  }
};

// Calls on_match(start, pattern) for every pattern of a hashed sweep that matches with its window at `at`.
template <typename OnMatch>
GPUAES_HD inline void check_window(const MatchTables& tables, const MatchSweep& sweep, std::uint32_t hash, const MatchText& text,
                                   std::size_t at, OnMatch&& on_match)
{
  const auto* const bucket = tables.at<std::uint32_t>(sweep.buckets) + (hash >> sweep.bucket_shift);
  const auto* const entries = tables.at<MatchEntry>(sweep.entries);
  for (std::uint32_t i = bucket[0]; i < bucket[1]; ++i) {
    if (entries[i].hash != hash) continue;
    const MatchPattern& pattern = tables.pattern(entries[i].pattern);
    if (!text.admits(at, pattern.anchor, pattern.length)) continue;
    const std::size_t start = at - pattern.anchor;
    if (matches_at(tables, pattern, text.bytes + start)) on_match(start, entries[i].pattern);
  }
}

}  // namespace gpuaes
