// The line on a terminal that says how far a long search is.
#pragma once

#include <chrono>
#include <cstdint>

namespace gpuaes::match {

class Progress {
 public:
  // `total` bytes, or 0 where that isn't known.
  explicit Progress(std::uint64_t total) : total_(total) {}

  // Writes the line to standard error, once two seconds have gone by.
  void show(std::uint64_t done);
  // Takes it away.
  void clear();

 private:
  const std::uint64_t total_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

}  // namespace gpuaes::match
