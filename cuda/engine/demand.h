// Decides when so much work has come, and so fast, that starting the device is worth what it costs a process that ends meanwhile.
// bench/README.md has the model and the measurements.
#pragma once

#include "options.h"

#include <atomic>
#include <chrono>
#include <cstddef>

namespace gpuaes {

class Demand {
 public:
  using Clock = std::chrono::steady_clock;

  // A byte on the device instead of the processor saves about 0.14 ns; a process that ends during bring-up waits 0.33 s at worst.
  // From about this many bytes on, more would have been saved.
  static constexpr std::size_t kBytes = std::size_t{2} << 30;
  // All of them must come within this time: a stream that is slower than half a gigabyte a second waits for something else.
  static constexpr std::chrono::seconds kWithin{4};

  explicit Demand(const Startup& startup) : startup_(startup) {}

  // Counts work that the device could have taken a part in; whether it should be started now. From any thread.
  bool add(std::size_t bytes, Clock::time_point now = Clock::now())
  {
    if (startup_.when == Startup::When::after_bytes) return add_up(bytes) >= startup_.bytes;
    Clock::rep begun = begun_.load(std::memory_order_relaxed);
    const bool over = Clock::duration(now.time_since_epoch().count() - begun) > kWithin;
    if (over && begun_.compare_exchange_strong(begun, now.time_since_epoch().count())) bytes_.store(0, std::memory_order_relaxed);
    return add_up(bytes) >= kBytes;
  }

 private:
  std::size_t add_up(std::size_t bytes) { return bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes; }

  const Startup startup_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<Clock::rep> begun_{0};
};

}  // namespace gpuaes
