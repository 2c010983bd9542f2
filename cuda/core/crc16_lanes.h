// CRC-16 on a processor, 16 bytes at a time: what is too short for a wider fold, and what such a fold leaves.
#pragma once

#include "crc16_polynomial.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace gpuaes {

static_assert(std::endian::native == std::endian::little, "The lowest bit of the first byte must be the lowest of a word.");

inline constexpr std::size_t kCrc16LaneBytes = 16;

// Fewer than 16 bytes: as a lane that begins with zeros, which change nothing while the register is zero.
inline std::uint16_t crc16_short(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  if (bytes == 0) return state;
  std::uint8_t lane[kCrc16LaneBytes] = {};
  std::uint8_t* const start = lane + kCrc16LaneBytes - bytes;
  std::memcpy(start, data, bytes);
  start[0] ^= static_cast<std::uint8_t>(state);
  // A single byte leaves the register's second byte to come out as it is.
  if (bytes > 1) start[1] ^= static_cast<std::uint8_t>(state >> 8);
  std::uint64_t word[2];
  std::memcpy(word, lane, sizeof word);
  return static_cast<std::uint16_t>(crc16_of_lane(word[0], word[1]) ^ (bytes > 1 ? 0 : state >> 8));
}

inline std::uint16_t crc16_lanes(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  for (; bytes >= kCrc16LaneBytes; data += kCrc16LaneBytes, bytes -= kCrc16LaneBytes) {
    std::uint64_t word[2];
    std::memcpy(word, data, sizeof word);
    state = crc16_of_lane(word[0] ^ state, word[1]);
  }
  return crc16_short(state, data, bytes);
}

}  // namespace gpuaes
