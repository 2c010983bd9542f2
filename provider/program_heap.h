// The part of the address space that malloc() gets from brk(): memory there is the host's, for sure and at no cost.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace gpuaes {

class ProgramHeap {
 public:
  bool contains(const void* memory) const
  {
    std::uintptr_t start = start_.load(std::memory_order_relaxed);
    if (start == kNotAsked) start = find_start();
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return address >= start && address < reinterpret_cast<std::uintptr_t>(sbrk(0));
  }

 private:
  static constexpr std::uintptr_t kNotAsked = 0;

  // Asks the kernel, which takes tens of microseconds; if that can't be found out, nothing is in it.
  std::uintptr_t find_start() const;

  mutable std::atomic<std::uintptr_t> start_{kNotAsked};
};

}  // namespace gpuaes
