// How fast the processor's threads are, reading and writing told apart from the cipher: a device takes only the cipher off them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gpuaes::enc {

class Pace {
 public:
  void note(std::size_t bytes, std::chrono::nanoseconds all, std::chrono::nanoseconds cipher)
  {
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    all_.fetch_add(all.count(), std::memory_order_relaxed);
    cipher_.fetch_add(cipher.count(), std::memory_order_relaxed);
  }

  // The seconds by which `bytes` end sooner with a device that is begun now; less than 0 if the processor alone is faster, 0 as
  // long as too little is known. Of `threads` threads that do all there is to do.
  double seconds_won(int threads, std::uint64_t bytes) const;

 private:
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::int64_t> all_{0};
  std::atomic<std::int64_t> cipher_{0};
};

}  // namespace gpuaes::enc
