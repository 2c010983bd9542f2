// A fixed array whose operator[] may be called from device code (std::array's may not).
#pragma once

#include "annotations.h"

#include <cstddef>

namespace gpuaes {

template <typename T, std::size_t N>
struct Table {
  T at[N];

  GPUAES_HD constexpr T& operator[](std::size_t index) { return at[index]; }
  GPUAES_HD constexpr const T& operator[](std::size_t index) const { return at[index]; }
  static constexpr std::size_t size() { return N; }
};

}  // namespace gpuaes
