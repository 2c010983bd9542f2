// The part of the address space that malloc() gets from brk(): memory there is the host's, for sure and at no cost.
#pragma once

#include <unistd.h>

#include <cstdint>

namespace gpuaes {

class ProgramHeap {
 public:
  // Asks the kernel where it starts; if that can't be found out, nothing is in it.
  ProgramHeap();

  bool contains(const void* memory) const
  {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return address >= start_ && address < reinterpret_cast<std::uintptr_t>(sbrk(0));
  }

 private:
  std::uintptr_t start_ = UINTPTR_MAX;
};

}  // namespace gpuaes
