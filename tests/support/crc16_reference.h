// CRC-16 by its definition, a bit at a time, and by Boost where that is installed: what all results are compared with.
#pragma once

#include "bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace gpuaes::test {

// The register after these bytes, from what it was before. Slow.
std::uint16_t crc16_by_bits(std::uint16_t state, std::span<const std::uint8_t> bytes);

// The CRC-16/MCRF4XX of these bytes by Boost.CRC; nothing if this build has no Boost.
std::optional<std::uint16_t> crc16_by_boost(std::span<const std::uint8_t> bytes);

// Bytes without any period, the same in every run.
Bytes random_bytes(std::size_t bytes, unsigned seed);

}  // namespace gpuaes::test
