#include "match_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace gpuaes {
namespace {

constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kMaxWords = 3;

// Up to this many patterns are found faster one by one: a sweep for one pattern goes at the speed of memory.
constexpr std::size_t kFewPatterns = 6;

// Up to this many, a window of two words lets few enough places of a genome through (there are 4^8 of them, so 0.4 %) to spare the
// sweep with three.
constexpr std::size_t kPatternsForTwoWords = 256;

// Whether a byte's mask leaves only letters that differ in case, or nothing, to choose from.
bool is_certain(std::uint8_t mask) { return (mask | 0x20) == 0xff; }

std::uint32_t repeats_a_word(const BytePattern& pattern)
{
  if (pattern.size() < kWordBytes ||
      std::any_of(pattern.mask.begin(), pattern.mask.end(), [](std::uint8_t m) { return m != 0xff; }))
    return 0;
  return std::equal(pattern.value.begin() + kWordBytes, pattern.value.end(), pattern.value.begin()) ? 1 : 0;
}

struct Run {
  std::size_t start = 0;
  std::size_t length = 0;
};

// The first of the longest runs of certain bytes.
Run longest_certain_run(const BytePattern& pattern)
{
  Run best, run;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (!is_certain(pattern.mask[i])) {
      run = {i + 1, 0};
      continue;
    }
    if (++run.length > best.length) best = run;
  }
  return best;
}

// Where the window of eight bytes lies that tells most of a pattern: the first of the best, among places that keep the text's
// alignment.
std::size_t anchor_alone(const BytePattern& pattern)
{
  std::size_t best = 0, most = 0;
  for (std::size_t anchor = 0; anchor < pattern.size(); anchor += kTextAlignment) {
    std::size_t bits = 0;
    for (std::size_t i = anchor; i < std::min(anchor + 8, pattern.size()); ++i)
      bits += static_cast<std::size_t>(std::popcount(pattern.mask[i]));
    if (bits > most) {
      most = bits;
      best = anchor;
    }
  }
  return best;
}

std::uint32_t word_of(std::span<const std::uint8_t> bytes, std::size_t at)
{
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < kWordBytes && at + i < bytes.size(); ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
  return word;
}

std::uint32_t hash_of(const BytePattern& pattern, std::size_t anchor, std::uint32_t words, std::uint32_t fold)
{
  const std::uint32_t word0 = word_of(pattern.value, anchor) & fold;
  const std::uint32_t word1 = word_of(pattern.value, anchor + 4) & fold;
  const std::uint32_t word2 = word_of(pattern.value, anchor + 8) & fold;
  return words == 1   ? hash_window<1>(word0, word1, word2)
         : words == 2 ? hash_window<2>(word0, word1, word2)
                      : hash_window<3>(word0, word1, word2);
}

std::vector<std::uint8_t> in_whole_steps(std::vector<std::uint8_t> bytes)
{
  constexpr std::size_t kStep = 16;
  bytes.resize((bytes.size() + kStep - 1) / kStep * kStep);
  return bytes;
}

// log2 of the filter's words: eight for each pattern, so that few hashes of others pass, up to 64 KiB, which is what every card's
// shared memory holds. With 10,000 patterns then one in 250 passes.
std::uint32_t filter_bits_for(std::size_t patterns)
{
  return std::clamp(static_cast<std::uint32_t>(std::bit_width(patterns * 8)), 4u, 14u);
}

}  // namespace

MatchPlan::MatchPlan(std::span<const BytePattern> patterns) : count_(patterns.size())
{
  patterns_at_ = append(std::span<const MatchPattern>(std::vector<MatchPattern>(patterns.size())));
  std::array<std::vector<std::uint32_t>, kMaxWords + 1> by_words;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::uint32_t value = append(std::span<const std::uint8_t>(in_whole_steps(patterns[i].value)));
    const std::uint32_t mask = append(std::span<const std::uint8_t>(in_whole_steps(patterns[i].mask)));
    const Run run = longest_certain_run(patterns[i]);
    *pattern(i) = {.value = value,
                   .mask = mask,
                   .length = static_cast<std::uint32_t>(patterns[i].size()),
                   .anchor = static_cast<std::uint32_t>(run.start),
                   .repeats = repeats_a_word(patterns[i])};
    longest_ = std::max(longest_, patterns[i].size());
    by_words[std::min(run.length / kWordBytes, kMaxWords)].push_back(static_cast<std::uint32_t>(i));
  }
  if (!by_words[2].empty() && by_words[2].size() + by_words[3].size() <= kPatternsForTwoWords) {
    for (const std::uint32_t index : by_words[3]) by_words[2].push_back(index);
    by_words[3].clear();
  }
  for (std::size_t words = 0; words <= kMaxWords; ++words) {
    if (words == 0 || by_words[words].size() <= kFewPatterns)
      for (const std::uint32_t index : by_words[words]) sweep_alone(patterns, index);
    else
      sweep_together(patterns, by_words[words], static_cast<std::uint32_t>(words));
  }
}

template <typename T>
std::uint32_t MatchPlan::append(std::span<const T> items)
{
  constexpr std::size_t kAlignment = 16;
  const std::size_t at = (memory_.size() + kAlignment - 1) / kAlignment * kAlignment;
  // load_word() may read a word more.
  memory_.resize(at + items.size_bytes() + kAlignment);
  if (!items.empty()) std::memcpy(memory_.data() + at, items.data(), items.size_bytes());
  return static_cast<std::uint32_t>(at);
}

void MatchPlan::sweep_alone(std::span<const BytePattern> patterns, std::uint32_t index)
{
  const BytePattern& wanted = patterns[index];
  const std::size_t anchor = anchor_alone(wanted);
  pattern(index)->anchor = static_cast<std::uint32_t>(anchor);
  MatchSweep sweep{.anchor = static_cast<std::uint32_t>(anchor), .pattern = index};
  for (std::size_t word = 0; word < 2; ++word) {
    sweep.value[word] = word_of(wanted.value, anchor + 4 * word);
    sweep.mask[word] = word_of(wanted.mask, anchor + 4 * word);
  }
  sweep.sum = weigh_window(sweep.value[0], sweep.value[1]);
  const auto masks = std::span(wanted.mask).subspan(anchor);
  if (masks.size() >= kWordsSpan &&
      std::all_of(masks.begin(), masks.begin() + kWordsSpan, [](std::uint8_t m) { return m == 0xff; })) {
    sweep.by_words = 1;
    for (std::size_t i = 0; i < 4; ++i)
      sweep.word_sum[i] = weigh_window(word_of(wanted.value, anchor + i), word_of(wanted.value, anchor + i + 4));
  }
  sweeps_.push_back(sweep);
}

void MatchPlan::sweep_together(std::span<const BytePattern> patterns, std::span<const std::uint32_t> members, std::uint32_t words)
{
  MatchSweep sweep{.words = words, .fold = 0xffffffff, .filter_bits = filter_bits_for(members.size())};
  for (const std::uint32_t member : members) {
    const std::size_t anchor = pattern(member)->anchor;
    sweep.anchor = std::max(sweep.anchor, static_cast<std::uint32_t>(anchor));
    for (std::size_t i = 0; i < kWordBytes * words; ++i)
      if (patterns[member].mask[anchor + i] != 0xff) sweep.fold = 0xdfdfdfdf;
  }

  std::vector<MatchEntry> entries;
  std::vector<std::uint32_t> filter(std::size_t{1} << sweep.filter_bits);
  for (const std::uint32_t member : members) {
    const std::uint32_t hash = hash_of(patterns[member], pattern(member)->anchor, words, sweep.fold);
    entries.push_back({hash, member});
    const FilterPlace place = filter_place(hash, sweep.filter_bits);
    filter[place.word] |= place.bits;
  }
  std::stable_sort(entries.begin(), entries.end(), [](const MatchEntry& a, const MatchEntry& b) { return a.hash < b.hash; });

  const auto bucket_bits = static_cast<std::uint32_t>(std::bit_width(members.size()));
  sweep.bucket_shift = 32 - bucket_bits;
  std::vector<std::uint32_t> buckets((std::size_t{1} << bucket_bits) + 1);
  for (const MatchEntry& entry : entries) ++buckets[(entry.hash >> sweep.bucket_shift) + 1];
  for (std::size_t i = 1; i < buckets.size(); ++i) buckets[i] += buckets[i - 1];

  sweep.filter = append(std::span<const std::uint32_t>(filter));
  sweep.buckets = append(std::span<const std::uint32_t>(buckets));
  sweep.entries = append(std::span<const MatchEntry>(entries));
  sweeps_.push_back(sweep);
}

}  // namespace gpuaes
