// Patterns, made ready to be searched for: which are swept for alone, which together, and the tables for that.
#pragma once

#include "match_job.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuaes {

// See core/match_tables.h. Both have the same size, at least 1; where a bit of the mask is 0, so is the value's.
struct BytePattern {
  std::vector<std::uint8_t> value;
  std::vector<std::uint8_t> mask;

  std::size_t size() const { return value.size(); }
};

// The most that a plan takes.
inline constexpr std::size_t kMaxPatterns = std::size_t{1} << 20;
inline constexpr std::size_t kMaxPatternBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxTotalBytes = std::size_t{1} << 30;

class MatchPlan {
 public:
  // Within the limits above; beyond them is the caller's error.
  explicit MatchPlan(std::span<const BytePattern> patterns);

  MatchTables tables() const { return tables_at(memory_.data()); }
  // The tables where a copy of memory() is.
  MatchTables tables_at(const std::uint8_t* copy) const { return {copy, patterns_at_}; }
  std::span<const std::uint8_t> memory() const { return memory_; }
  std::span<const MatchSweep> sweeps() const { return sweeps_; }
  std::size_t patterns() const { return count_; }
  std::size_t longest() const { return longest_; }
  std::size_t length_of(std::uint32_t pattern) const { return tables().pattern(pattern).length; }

 private:
  template <typename T>
  std::uint32_t append(std::span<const T> items);
  MatchPattern* pattern(std::size_t index) { return reinterpret_cast<MatchPattern*>(memory_.data() + patterns_at_) + index; }
  void sweep_alone(std::span<const BytePattern> patterns, std::uint32_t index);
  void sweep_together(std::span<const BytePattern> patterns, std::span<const std::uint32_t> members, std::uint32_t words);

  std::vector<std::uint8_t> memory_;
  std::vector<MatchSweep> sweeps_;
  std::uint32_t patterns_at_ = 0;
  std::size_t count_ = 0;
  std::size_t longest_ = 0;
};

}  // namespace gpuaes
