// What the user asked to be found, from text as it was typed or read from a file to bytes and masks.
#pragma once

#include "engine/match_plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuaes::match {

enum class Notation {
  text,  // bytes as they stand; \xHH, with two hexadecimal digits, is one byte
  hex,   // two hexadecimal digits a byte, ?? for any; spaces are ignored
  dna,   // letters A, C, G, T in either case
};

// One thing to be found.
struct Wanted {
  std::string label;  // its name if it has one, else as it was written
  BytePattern bytes;
};

// A pattern as the search knows it: one of the things wanted, or the reverse complement of one.
struct Needle {
  std::uint32_t wanted = 0;
  bool reverse = false;
};

struct PatternSet {
  std::vector<Wanted> wanted;
  std::vector<Needle> needles;
  std::vector<BytePattern> patterns;  // one for each needle
};

struct PatternText {
  std::string label;
  std::string text;
  std::string origin;  // for messages: where it was written
};

enum class Ends {
  newline,
  either_newline,  // with a carriage return before it or not
  zero_byte,
};

// The patterns of a file, with these ends, and with its name and a tab before each that has one.
std::vector<PatternText> split_patterns(std::string_view contents, const std::string& file, Ends ends);

// As of a text from Windows that was taken as it stands.
bool all_end_with_returns(const std::vector<PatternText>& patterns);

// Throws UsageError.
BytePattern parse_pattern(const PatternText& pattern, Notation notation, bool ignore_case);
PatternSet make_pattern_set(const std::vector<PatternText>& texts, Notation notation, bool ignore_case);

}  // namespace gpuaes::match
