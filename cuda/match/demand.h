// Whether what is left of a search is enough to bring a device up for it, by how fast the processor has been so far.
#pragma once

#include "feeding.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gpuaes::match {

// How fast threads search, reading and decryption included. Functions may be called from any thread.
class Pace {
 public:
  void note(std::size_t bytes, std::chrono::nanoseconds busy)
  {
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    nanoseconds_.fetch_add(static_cast<std::uint64_t>(busy.count()), std::memory_order_relaxed);
  }

  // Bytes a second of one thread; 0 as long as too little is known.
  double of_one_thread() const;

 private:
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> nanoseconds_{0};
};

// The seconds by which `bytes` end sooner with a device that is begun now; `feeding` is what it and who feeds it can do. Less than
// 0 if the processor alone is faster.
double seconds_won(double pace_of_one_thread, int threads, std::uint64_t bytes, const FeedingRates& feeding = {});

// It should be worth the trouble: rates vary by a tenth and more.
inline constexpr double kMustWin = 0.1;

}  // namespace gpuaes::match
