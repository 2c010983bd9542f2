// The units, for crc16_host.cpp to choose from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes {

std::uint16_t crc16_portable(std::uint16_t state, const std::uint8_t* data, std::size_t bytes);

#ifdef __x86_64__
bool has_pclmul();
std::uint16_t crc16_pclmul(std::uint16_t state, const std::uint8_t* data, std::size_t bytes);

bool has_avx512();
std::uint16_t crc16_avx512(std::uint16_t state, const std::uint8_t* data, std::size_t bytes);
#endif

}  // namespace gpuaes
