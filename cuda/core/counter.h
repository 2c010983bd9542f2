// The 128-bit big-endian counter block of SP 800-38A section 6.5, as two 64-bit halves.
#pragma once

#include "annotations.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes {

struct Counter {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  // This counter plus a number of blocks, modulo 2^128: the carry runs through all sixteen bytes, as OpenSSL's does.
  GPUAES_HD constexpr Counter plus(std::uint64_t blocks) const
  {
    const std::uint64_t sum = low + blocks;
    return {high + (sum < low ? 1 : 0), sum};
  }
};

constexpr Counter load_counter(const std::uint8_t (&bytes)[16])
{
  Counter counter;
  for (std::size_t i = 0; i < 8; ++i) counter.high = (counter.high << 8) | bytes[i];
  for (std::size_t i = 8; i < 16; ++i) counter.low = (counter.low << 8) | bytes[i];
  return counter;
}

constexpr void store_counter(const Counter& counter, std::uint8_t (&bytes)[16])
{
  for (int i = 0; i < 8; ++i) {
    bytes[i] = static_cast<std::uint8_t>(counter.high >> (56 - 8 * i));
    bytes[8 + i] = static_cast<std::uint8_t>(counter.low >> (56 - 8 * i));
  }
}

}  // namespace gpuaes
