// What a search knows of its patterns, in one piece of memory without pointers, so that a copy of it works on a device as it is;
// and how a place in a text is compared with a pattern.
//
// A pattern is a row of bytes, each with a mask: it is found where (text ^ value) & mask is zero in every byte. A mask of ff asks
// for the byte itself, df for an ASCII letter in either case (a letter's cases differ in bit 5 only, and no other byte agrees with
// it in the rest), 0 for any byte.
#pragma once

#include "annotations.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpuaes {

// How far beyond the end of a text its memory must be readable; what is there doesn't matter.
inline constexpr std::size_t kTextPadding = 1024;
// A text starts at a multiple of this.
inline constexpr std::size_t kTextAlignment = 16;

// A match holds two neighbouring words of the text, as it is aligned, whatever its place: for four places there is one window of
// the text to look at, and four values that it may have. So many bytes of the pattern take part.
inline constexpr std::size_t kWordsSpan = 3 + 8;

struct MatchPattern {
  std::uint32_t value;    // where its bytes are in the tables; filled up with zeros to a multiple of 16
  std::uint32_t mask;     // where its masks are, filled up in the same way
  std::uint32_t length;   // in bytes
  std::uint32_t anchor;   // where in it the window lies that a hashed sweep looks for
  std::uint32_t repeats;  // 1: it is one word of four bytes, without masks, over and over
};

// A pattern that a hashed sweep looks for, under the hash of its window.
struct MatchEntry {
  std::uint32_t hash;
  std::uint32_t pattern;
};

// One pass over the text: for one pattern alone, or for all those with a window of so many words.
struct MatchSweep {
  std::uint32_t words = 0;  // of the window that is hashed, 1 to 3; 0 for a pattern alone
  std::uint32_t anchor =
      0;  // where in the pattern its window lies: for a pattern alone a multiple of 16, for a hashed sweep the largest
  // For a pattern alone.
  std::uint32_t pattern = 0;
  std::uint32_t value[2] = {};  // its window of eight bytes; a shorter pattern's has masks of 0 at the end
  std::uint32_t mask[2] = {};
  std::uint32_t sum = 0;           // weigh_window() of its value
  std::uint32_t by_words = 0;      // 1: the kWordsSpan bytes from `anchor` on have masks of ff
  std::uint32_t word_sum[4] = {};  // then: of the windows that begin 0 to 3 bytes behind `anchor`
  // For a hashed sweep. Places are offsets into the tables, in bytes.
  std::uint32_t fold = 0;          // taken of every word of the text before it is hashed
  std::uint32_t filter = 0;        // where the filter is: 2^filter_bits words
  std::uint32_t filter_bits = 0;   // 4 to 14
  std::uint32_t buckets = 0;       // where the first entry of each bucket is noted, and after the last the number of entries
  std::uint32_t bucket_shift = 0;  // a hash shifted right by this is the number of its bucket
  std::uint32_t entries = 0;       // where the entries are, by bucket

  GPUAES_HD bool is_masked() const { return (mask[0] & mask[1]) != 0xffffffff; }
  GPUAES_HD bool is_short() const { return mask[1] == 0; }
};

// Says of two windows of eight bytes that they differ, or hardly ever that they don't. On a GPU it takes one multiplication with
// addition, which another unit does than that which makes the windows.
GPUAES_HD constexpr std::uint32_t weigh_window(std::uint32_t word0, std::uint32_t word1) { return word0 + word1 * 0x85ebca77; }

struct MatchTables {
  const std::uint8_t* memory = nullptr;
  std::uint32_t patterns = 0;  // where the MatchPatterns are

  template <typename T>
  GPUAES_HD const T* at(std::uint32_t place) const
  {
    return reinterpret_cast<const T*>(memory + place);
  }
  GPUAES_HD const MatchPattern& pattern(std::uint32_t index) const { return at<MatchPattern>(patterns)[index]; }
};

// The four bytes at any address, the first one lowest. May read up to seven bytes beyond them.
GPUAES_HD inline std::uint32_t load_word(const std::uint8_t* bytes)
{
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  return __funnelshift_r(words[0], words[1], 8 * static_cast<unsigned>(address & 3));
#else
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
#endif
}

GPUAES_HD inline bool matches_at(const MatchTables& tables, const MatchPattern& pattern, const std::uint8_t* text)
{
  const auto* const value = tables.at<std::uint32_t>(pattern.value);
  const auto* const mask = tables.at<std::uint32_t>(pattern.mask);
  for (std::uint32_t i = 0; 4 * i < pattern.length; ++i)
    if (((load_word(text + 4 * i) ^ value[i]) & mask[i]) != 0) return false;
  return true;
}

}  // namespace gpuaes
