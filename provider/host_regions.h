// Which pointers of an application's can't be a device's, at the least cost.
//
// Device memory is mapped in regions of 2 MiB of its own, so one answer holds for a whole region: for those with this thread's
// stack, the program's heap, or this object, beside which a thread's data often lies; and for what was found out a moment ago: with
// CUDA 13 on an H200 it takes 24 us at least to unmap host memory and to map physical memory of the device in its place
// (cuMemMap), 43 us with cudaMalloc().
#pragma once

#include "program_heap.h"
#include "ticks.h"

#include <array>
#include <cstdint>

namespace gpuaes {

class HostRegions {
 public:
  explicit HostRegions(const ProgramHeap& heap) : heap_(heap) {}

  bool certain(const void* memory) const
  {
    const std::uintptr_t region = region_of(memory);
    return region == region_of(this) || region == region_of(__builtin_frame_address(0)) || heap_.contains(memory);
  }

  // Whether both were found to be the host's a moment ago or, if that `lasts`, at any time since forget().
  bool remembered(const void* a, const void* b, bool lasts) const
  {
    return contains(a) && contains(b) && (lasts || ticks() - remembered_at_ < kMoment);
  }

  void remember(const void* a, const void* b)
  {
    regions_ = {region_of(a), region_of(b)};
    remembered_at_ = ticks();
  }
  // After a call with that memory, which was the host's when it began: nobody can have taken it away meanwhile, so what was
  // remembered of both holds from now.
  void renew(const void* a, const void* b)
  {
    if (region_of(a) == regions_[0] && region_of(b) == regions_[1]) remembered_at_ = ticks();
  }
  void forget() { regions_ = {}; }

 private:
  // Of a time stamp counter of 2 to 4 GHz: 10 to 5 us; at most 20.
  static constexpr std::uint64_t kMoment = 20'000;

  static std::uintptr_t region_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory) >> 21; }
  bool contains(const void* memory) const
  {
    const std::uintptr_t region = region_of(memory);
    return region == regions_[0] || region == regions_[1];
  }

  const ProgramHeap& heap_;
  std::array<std::uintptr_t, 2> regions_{};
  std::uint64_t remembered_at_ = 0;
};

}  // namespace gpuaes
