#include "patterns.h"

#include "usage_error.h"

#include <algorithm>
#include <cctype>

namespace gpuaes::match {
namespace {

constexpr std::uint8_t kExact = 0xff;
constexpr std::uint8_t kEitherCase = 0xdf;
constexpr std::uint8_t kAnything = 0;

[[noreturn]] void refuse(const PatternText& pattern, const std::string& why) { throw UsageError(pattern.origin + ": " + why); }

int digit_of(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The byte that two hexadecimal digits at `at` stand for, or -1.
int byte_at(std::string_view text, std::size_t at)
{
  if (at + 2 > text.size() || digit_of(text[at]) < 0 || digit_of(text[at + 1]) < 0) return -1;
  return digit_of(text[at]) * 16 + digit_of(text[at + 1]);
}

void append(BytePattern& pattern, int byte, std::uint8_t mask)
{
  pattern.value.push_back(static_cast<std::uint8_t>(byte & mask));
  pattern.mask.push_back(mask);
}

std::uint8_t mask_for(int byte, bool ignore_case)
{
  const int upper = byte & kEitherCase;
  return ignore_case && upper >= 'A' && upper <= 'Z' ? kEitherCase : kExact;
}

BytePattern parse_text(const PatternText& pattern, bool ignore_case)
{
  BytePattern bytes;
  const std::string_view text = pattern.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int byte = static_cast<unsigned char>(text[i]);
    if (byte == '\\' && i + 1 < text.size() && text[i + 1] == 'x' && byte_at(text, i + 2) >= 0) {
      byte = byte_at(text, i + 2);
      i += 3;
    }
    append(bytes, byte, mask_for(byte, ignore_case));
  }
  return bytes;
}

BytePattern parse_hex(const PatternText& pattern, bool ignore_case)
{
  BytePattern bytes;
  std::string digits;
  std::copy_if(pattern.text.begin(), pattern.text.end(), std::back_inserter(digits),
               [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int byte = byte_at(digits, i);
    if (digits.compare(i, 2, "??") == 0)
      append(bytes, 0, kAnything);
    else if (byte >= 0)
      append(bytes, byte, mask_for(byte, ignore_case));
    else
      refuse(pattern, '"' + digits.substr(i, 2) + "\" isn't a byte. Write two hexadecimal digits for each, or ?? for any byte");
  }
  return bytes;
}

// A byte as messages have it.
std::string shown(char c)
{
  if (std::isprint(static_cast<unsigned char>(c)) != 0) return {'"', c, '"'};
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
}

BytePattern parse_dna(const PatternText& pattern)
{
  BytePattern bytes;
  for (const char c : pattern.text) {
    const int base = c & kEitherCase;
    if (base != 'A' && base != 'C' && base != 'G' && base != 'T')
      refuse(pattern, "with --dna a pattern consists of the letters A, C, G and T, and not of " + shown(c));
    append(bytes, base, kEitherCase);
  }
  return bytes;
}

BytePattern reverse_complement(const BytePattern& pattern)
{
  BytePattern result = pattern;
  std::reverse(result.value.begin(), result.value.end());
  for (std::uint8_t& base : result.value) base = base == 'A' ? 'T' : base == 'T' ? 'A' : base == 'C' ? 'G' : 'C';
  return result;
}

void check_limits(const PatternSet& set)
{
  if (set.patterns.empty()) throw UsageError("There is no pattern: the files given with -f are empty");
  if (set.patterns.size() > kMaxPatterns)
    throw UsageError("There are " + std::to_string(set.patterns.size()) + " patterns (with --dna two for each); at most " +
                     std::to_string(kMaxPatterns) + " are allowed");
  std::size_t total = 0;
  for (const BytePattern& pattern : set.patterns) total += pattern.size();
  if (total > kMaxTotalBytes)
    throw UsageError("The patterns have " + std::to_string(total) + " bytes together; at most " + std::to_string(kMaxTotalBytes) +
                     " are allowed");
}

}  // namespace

std::vector<PatternText> split_patterns(std::string_view contents, const std::string& file, Ends ends)
{
  std::vector<PatternText> patterns;
  const char separator = ends == Ends::zero_byte ? '\0' : '\n';
  for (std::size_t number = 1; !contents.empty(); ++number) {
    std::string_view line = contents.substr(0, contents.find(separator));
    contents.remove_prefix(std::min(line.size() + 1, contents.size()));
    if (ends == Ends::either_newline && line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t tab = line.find('\t');
    const std::string text(tab == std::string_view::npos ? line : line.substr(tab + 1));
    const std::string label(line.substr(0, tab));
    patterns.push_back({label, text, file + ", pattern " + std::to_string(number)});
  }
  return patterns;
}

bool all_end_with_returns(const std::vector<PatternText>& patterns)
{
  return !patterns.empty() &&
         std::all_of(patterns.begin(), patterns.end(), [](const PatternText& pattern) { return pattern.text.ends_with('\r'); });
}

BytePattern parse_pattern(const PatternText& pattern, Notation notation, bool ignore_case)
{
  BytePattern bytes = notation == Notation::text  ? parse_text(pattern, ignore_case)
                      : notation == Notation::hex ? parse_hex(pattern, ignore_case)
                                                  : parse_dna(pattern);
  if (bytes.size() == 0) refuse(pattern, "the pattern is empty. It must have at least one byte");
  if (bytes.size() > kMaxPatternBytes)
    refuse(pattern, "the pattern has " + std::to_string(bytes.size()) + " bytes; at most " + std::to_string(kMaxPatternBytes) +
                        " are allowed");
  return bytes;
}

PatternSet make_pattern_set(const std::vector<PatternText>& texts, Notation notation, bool ignore_case)
{
  PatternSet set;
  for (const PatternText& text : texts) {
    const auto index = static_cast<std::uint32_t>(set.wanted.size());
    set.wanted.push_back({text.label, parse_pattern(text, notation, ignore_case)});
    const BytePattern& bytes = set.wanted.back().bytes;
    set.needles.push_back({index, false});
    set.patterns.push_back(bytes);
    if (notation != Notation::dna) continue;
    // What is its own reverse complement lies on both strands at once, and counts once.
    BytePattern other = reverse_complement(bytes);
    if (other.value == bytes.value) continue;
    set.needles.push_back({index, true});
    set.patterns.push_back(std::move(other));
  }
  check_limits(set);
  return set;
}

}  // namespace gpuaes::match
