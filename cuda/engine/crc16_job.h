// The CRC-16 work a device can be given, and what it answers.
#pragma once

#include "../core/crc16_rows.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes {

// What comes back is not quite the CRC: the device does whole columns, and hands over the odd bytes before and after them, which
// may be out of the processor's reach.
struct Crc16Answer {
  std::uint64_t rows = 0;  // done in all: those after the message's last were zeros
  std::uint16_t sum = 0;   // the register after these rows, from zero
  Table<std::uint8_t, kCrc16ColumnBytes> head{};
  Table<std::uint8_t, kCrc16ColumnBytes> tail{};
};

struct Crc16Job {
  const void* data = nullptr;
  std::size_t bytes = 0;
  Crc16Answer* answer = nullptr;  // holds the answer once Stream::wait() has returned
};

// The register after the job's bytes, from what it was before.
std::uint16_t crc16_after(std::uint16_t state, const Crc16Job& job);

}  // namespace gpuaes
