// CRC-16 on a processor, by the widest unit that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuaes {

// One way to do it. All give the same result, for any length and alignment; `update` takes the register (core/crc16.h) and returns
// what it is after `bytes` bytes more.
struct Crc16Unit {
  const char* name;
  bool (*available)();  // whether this processor can
  std::uint16_t (*update)(std::uint16_t state, const std::uint8_t* data, std::size_t bytes);
};

// All that were compiled, the widest first. The last is always available.
std::span<const Crc16Unit> crc16_units();

// The first of them that is available.
const Crc16Unit& crc16_unit();

std::uint16_t crc16_update(std::uint16_t state, const void* data, std::size_t bytes);

}  // namespace gpuaes
