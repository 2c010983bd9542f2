// What a search must find, by the plainest loop there is, and patterns and texts to try it on.
#pragma once

#include "bytes.h"
#include "engine/match_plan.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace gpuaes::test {

inline BytePattern literal(std::string_view text)
{
  return {{text.begin(), text.end()}, std::vector<std::uint8_t>(text.size(), 0xff)};
}

// The same with bytes that may be anything where `text` has a question mark.
inline BytePattern with_any(std::string_view text)
{
  BytePattern pattern = literal(text);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '?') pattern.value[i] = pattern.mask[i] = 0;
  return pattern;
}

inline std::vector<MatchHit> reference_hits(const Bytes& text, const std::vector<BytePattern>& patterns, std::size_t from,
                                            std::size_t to)
{
  std::vector<MatchHit> hits;
  for (std::size_t at = from; at < to; ++at)
    for (std::size_t k = 0; k < patterns.size(); ++k) {
      bool equal = at + patterns[k].size() <= text.size();
      for (std::size_t i = 0; equal && i < patterns[k].size(); ++i)
        equal = ((text[at + i] ^ patterns[k].value[i]) & patterns[k].mask[i]) == 0;
      if (equal) hits.push_back({.at = at, .pattern = static_cast<std::uint32_t>(k)});
    }
  return hits;
}

inline std::vector<std::uint64_t> counts_of(const std::vector<MatchHit>& hits, std::size_t patterns)
{
  std::vector<std::uint64_t> counts(patterns);
  for (const MatchHit& hit : hits) ++counts[hit.pattern];
  return counts;
}

inline Bytes random_text(std::size_t bytes, std::string_view letters, unsigned seed)
{
  std::mt19937 random(seed);
  Bytes text(bytes);
  for (std::uint8_t& byte : text) byte = static_cast<std::uint8_t>(letters[random() % letters.size()]);
  return text;
}

// A text, and patterns that are searched for in it.
struct MatchCase {
  std::string name;
  Bytes text;
  std::vector<BytePattern> patterns;
};

inline std::vector<BytePattern> pieces_of(const Bytes& text, std::size_t count, std::size_t least, std::size_t most, unsigned seed)
{
  std::mt19937 random(seed);
  std::vector<BytePattern> patterns;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bytes = least + random() % (most - least + 1);
    const std::size_t at = random() % (text.size() - bytes);
    patterns.push_back(literal({reinterpret_cast<const char*>(text.data()) + at, bytes}));
  }
  return patterns;
}

// Every way a plan can sweep: alone with and without masks, together with one, two and three words, and mixtures.
inline std::vector<MatchCase> match_cases(std::size_t bytes)
{
  const Bytes genome = random_text(bytes, "ACGT", 1), binary = random_text(bytes, std::string_view("\0\1\n\xff", 4), 2);
  const Bytes words = random_text(bytes, "abAB ", 3), same(bytes, 'a');
  std::vector<MatchCase> cases = {
      {"OneByte", genome, {literal("A")}},
      {"FourBytes", genome, {literal("ACGT")}},
      {"EightBytes", genome, pieces_of(genome, 1, 8, 8, 4)},
      {"NineBytes", genome, pieces_of(genome, 1, 9, 9, 5)},
      {"FortyBytes", genome, pieces_of(genome, 1, 40, 40, 6)},
      {"NulAndNewline", binary, {literal(std::string_view("\0\n\0", 3))}},
      {"Absent", genome, {literal("N")}},
      {"LongerThanTheText", Bytes(genome.begin(), genome.begin() + 10), {literal(std::string(11, 'A'))}},
      {"Overlapping", same, {literal("aaaa")}},
      {"OverlappingLong", same, {literal(std::string(33, 'a'))}},
      {"AnyByte", words, {with_any("a?b")}},
      {"AnyAtTheStart", words, {with_any("????????????????????ab A")}},
      {"AnythingAtAll", words, {with_any("??")}},
      {"Duplicates", genome, {literal("ACG"), literal("ACG"), literal("ACGT"), literal("CG")}},
      {"SeveralAlone", genome, pieces_of(genome, 5, 1, 30, 7)},
      {"OneWord", genome, pieces_of(genome, 50, 4, 7, 8)},
      {"TwoWords", genome, pieces_of(genome, 100, 8, 30, 9)},
      {"ThreeWords", genome, pieces_of(genome, 400, 12, 60, 10)},
      {"Mixture", genome, pieces_of(genome, 700, 1, 70, 11)},
      {"ManyOfOneByte", same, std::vector<BytePattern>(9, literal("aaaaaaaa"))},
  };
  for (const std::size_t length : {10, 11, 12, 16, 27})
    cases.push_back({"Bytes" + std::to_string(length), words, pieces_of(words, 1, length, length, 13)});
  // Texts that match nearly everywhere.
  Bytes repeated(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    repeated[i] = i % 1000 < 990 ? static_cast<std::uint8_t>("abc"[i % 3]) : std::uint8_t{'d'};
  std::vector<BytePattern> of_same = pieces_of(genome, 100, 12, 20, 14);
  of_same[7] = literal(std::string(12, 'a'));
  of_same[70] = literal(std::string(19, 'a'));
  cases.push_back({"DenseTogether", same, of_same});
  cases.push_back({"DenseOfOneWord", repeated, pieces_of(repeated, 20, 4, 7, 15)});
  cases.push_back({"DenseOfTwoWords", repeated, pieces_of(repeated, 20, 8, 30, 16)});
  std::vector<BytePattern> of_three_words = pieces_of(genome, 270, 12, 40, 17);
  for (BytePattern& pattern : pieces_of(repeated, 20, 12, 40, 17)) of_three_words.push_back(std::move(pattern));
  cases.push_back({"DenseOfThreeWords", repeated, of_three_words});
  Bytes fours(bytes);
  for (std::size_t i = 0; i < bytes; ++i) fours[i] = static_cast<std::uint8_t>("abcd"[i % (i < bytes / 2 ? 4 : 2)]);
  fours[bytes / 4] = fours[bytes / 4 * 3] = 'x';
  cases.push_back({"DenseOfAWord", fours, pieces_of(fours, 5, 4, 40, 19)});
  cases.push_back({"DenseOfAWordTogether", fours, pieces_of(fours, 40, 4, 40, 20)});
  cases.push_back({"DenseAlone", repeated, pieces_of(repeated, 3, 11, 40, 18)});
  // Long patterns of a few bytes over and over, and some that are that but for one.
  Bytes same_but_few = same;
  for (std::size_t i = 997; i < bytes; i += 1500) same_but_few[i] = 'b';
  std::string nearly(400, 'a');
  nearly[283] = 'b';
  cases.push_back({"LongOfAByte", same_but_few, {literal(std::string(300, 'a')), literal(std::string(65, 'a')), literal(nearly)}});
  cases.push_back({"LongOfThreeBytes", repeated, pieces_of(repeated, 5, 60, 500, 21)});
  cases.push_back({"LongOfAThousandBytes", repeated, pieces_of(repeated, 3, 2100, 3000, 22)});
  std::vector<BytePattern> either_case = pieces_of(words, 30, 6, 20, 12);
  for (BytePattern& pattern : either_case)
    for (std::size_t i = 0; i < pattern.size(); ++i)
      if (pattern.value[i] != ' ') pattern.mask[i] = 0xdf, pattern.value[i] &= 0xdf;
  cases.push_back({"EitherCase", words, {either_case[0]}});
  cases.push_back({"EitherCaseTogether", words, either_case});
  return cases;
}

// The text with what must be readable behind it; the bytes there would match if they counted.
inline Bytes padded(const Bytes& text)
{
  Bytes bytes = text;
  bytes.resize(text.size() + kTextPadding, text.empty() ? std::uint8_t{0} : text.back());
  return bytes;
}

}  // namespace gpuaes::test
