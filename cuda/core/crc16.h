// The CRCs of this library, as the RevEng catalogue names them, and how those of two parts make that of the whole.
#pragma once

#include "crc16_polynomial.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuaes {

// All are reflected and have the polynomial 0x1021, in reflected order 0x8408. A CRC is computed in a register: it starts as
// `init`, is changed by each byte, and is combined with `xorout` at the end. The functions of this library work on the register.
struct Crc16Variant {
  const char* name;  // https://reveng.sourceforge.io/crc-catalogue/16.htm
  std::uint16_t init;
  std::uint16_t xorout;

  GPUAES_HD constexpr std::uint16_t value(std::uint16_t state) const { return static_cast<std::uint16_t>(state ^ xorout); }
};

inline constexpr Crc16Variant kCrc16Mcrf4xx = {"CRC-16/MCRF4XX", 0xffff, 0x0000};
inline constexpr Crc16Variant kCrc16IbmSdlc = {"CRC-16/IBM-SDLC", 0xffff, 0xffff};
inline constexpr Crc16Variant kCrc16Kermit = {"CRC-16/KERMIT", 0x0000, 0x0000};
inline constexpr std::array kCrc16Variants = {kCrc16Mcrf4xx, kCrc16IbmSdlc, kCrc16Kermit};

// The register after one byte more.
GPUAES_HD constexpr std::uint16_t crc16_append(std::uint16_t state, std::uint8_t byte)
{
  const std::uint64_t last_of_lane = std::uint64_t{(state ^ byte) & 0xffu} << 56;
  return static_cast<std::uint16_t>(crc16_of_lane(0, last_of_lane) ^ (state >> 8));
}

// The register after `bytes` zero bytes.
GPUAES_HD constexpr std::uint16_t crc16_shift(std::uint16_t state, std::uint64_t bytes)
{
  return crc16_multiply(state, crc16_power_of_x(8 * (bytes % kCrc16Period)));
}

// The CRC of A followed by B, from the CRCs of A and of B, each computed by itself, and the length of B in bytes. Any of them may
// be empty; the length need not be a multiple of anything. Parts in a row combine from left to right or in any grouping, in their
// order.
//
// The register is linear in what it started from: started from crc_a, B's would be crc_0(B) + x^8n * crc_a, where crc_0 starts from
// zero; B's own started from init and went through xorout, which the difference of the two undoes. (The value of n zeros instead,
// so that crc_a ^ crc_b ^ crc(zeros) comes out, is right for messages of equal length that are combined bit by bit, and for no
// others.)
GPUAES_HD constexpr std::uint16_t crc16_combine(std::uint16_t crc_a, std::uint16_t crc_b, std::uint64_t length_b,
                                                const Crc16Variant& variant = kCrc16Mcrf4xx)
{
  const auto started = static_cast<std::uint16_t>(crc_a ^ variant.xorout ^ variant.init);
  return static_cast<std::uint16_t>(crc16_shift(started, length_b) ^ crc_b);
}

namespace detail {

// What the catalogue calls "check".
consteval std::uint16_t crc16_check(const Crc16Variant& variant)
{
  std::uint16_t state = variant.init;
  for (const char digit : {'1', '2', '3', '4', '5', '6', '7', '8', '9'})
    state = crc16_append(state, static_cast<std::uint8_t>(digit));
  return variant.value(state);
}

static_assert(crc16_check(kCrc16Mcrf4xx) == 0x6f91);
static_assert(crc16_check(kCrc16IbmSdlc) == 0x906e);
static_assert(crc16_check(kCrc16Kermit) == 0x2189);

}  // namespace detail

}  // namespace gpuaes
