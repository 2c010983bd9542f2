// One piece of a message, digested by a device and checked.
#pragma once

#include "crc16_policy.h"
#include "lanes.h"
#include "why_unusable.h"

#include <cstdint>

namespace gpuaes {

struct Crc16Piece {
  const std::uint8_t* data = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::ordinary;
};

// The device's result was not the processor's.
class WrongResult final : public DeviceError {
 public:
  WrongResult() : DeviceError(Kind::lost, why::kWrongResult) {}
};

// What the lane must have to digest such a piece and check that many bytes of it.
LaneNeeds crc16_needs(const Crc16Piece& piece, std::size_t check_bytes);

// The register after the piece, from what it was before. `turn` chooses the sample. Throws DeviceError; the lane's work is done
// then.
std::uint16_t crc16_on_device(Lane& lane, std::uint16_t state, const Crc16Piece& piece, std::size_t check_bytes,
                              std::uint64_t turn);

}  // namespace gpuaes
