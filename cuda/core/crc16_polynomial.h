// Arithmetic modulo P(x) = x^16 + x^12 + x^5 + 1 over GF(2), which is all that a CRC-16 of the CCITT family is made of.
//
// Bits are in the order of the reflected CRCs: the first bit of a message is the lowest of its first byte and has the highest
// power, so multiplying by x is a shift to the right. In a remainder, bit 15 is the coefficient of x^0 and bit 0 that of x^15.
#pragma once

#include "annotations.h"

#include <cstdint>

namespace gpuaes {

inline constexpr std::uint16_t kCrc16Polynomial = 0x8408;  // x^12 + x^5 + 1: what x^16 leaves
inline constexpr std::uint16_t kCrc16One = 0x8000;

// P is (x + 1) times a primitive polynomial of degree 15, so x^32767 leaves 1, and no smaller power does.
inline constexpr std::uint64_t kCrc16Period = 32767;

// Both factors and the product are remainders.
GPUAES_HD constexpr std::uint16_t crc16_multiply(std::uint16_t a, std::uint16_t b)
{
  std::uint32_t multiple = a;  // of x^power
  std::uint32_t product = 0;
  for (int power = 0; power < 16; ++power) {
    product ^= multiple & (0u - ((b >> (15 - power)) & 1u));
    multiple = (multiple >> 1) ^ (kCrc16Polynomial & (0u - (multiple & 1u)));
  }
  return static_cast<std::uint16_t>(product);
}

// What x^power leaves.
GPUAES_HD constexpr std::uint16_t crc16_power_of_x(std::uint64_t power)
{
  std::uint16_t result = kCrc16One;
  std::uint16_t square = kCrc16One >> 1;
  for (std::uint64_t left = power % kCrc16Period; left != 0; left >>= 1) {
    if ((left & 1) != 0) result = crc16_multiply(result, square);
    square = crc16_multiply(square, square);
  }
  return result;
}

// x^-power, which is a power of x too. For zeros that were appended to a message and aren't part of it.
GPUAES_HD constexpr std::uint16_t crc16_inverse_power_of_x(std::uint64_t power)
{
  return crc16_power_of_x(kCrc16Period - power % kCrc16Period);
}

// Halves a polynomial of 32 D coefficients, D a power of two, without changing what it leaves: `first` is the half that comes
// first, the one with the higher powers.
//
// Squaring in GF(2) squares each term, so P(x)^D = x^16D + x^12D + x^5D + 1 and first * x^16D may be replaced by first * (x^12D +
// x^5D + 1). What of that has powers from 16D on again is (x^-4D + x^-11D) * first without its fraction, and so on: all in all
// `carry` goes in, which is first * (1 + s + s^2 + s^3) with s = x^-4D + x^-11D, where s^2 and s^3 lose their mixed terms to the
// fraction or to each other.
template <typename Half>
GPUAES_HD constexpr Half crc16_halve(Half first, Half second)
{
  constexpr int D = sizeof(Half) / 2;
  const auto carry = static_cast<Half>(first ^ (first << (4 * D)) ^ (first << (8 * D)) ^ (first << (11 * D)) ^ (first << (12 * D)));
  return static_cast<Half>(second ^ carry ^ (carry >> (5 * D)) ^ (carry >> (12 * D)));
}

// What 16 bytes leave, given as two little-endian words.
GPUAES_HD constexpr std::uint16_t crc16_remainder(std::uint64_t first, std::uint64_t second)
{
  const std::uint64_t bits64 = crc16_halve(first, second);
  const std::uint32_t bits32 = crc16_halve(static_cast<std::uint32_t>(bits64), static_cast<std::uint32_t>(bits64 >> 32));
  return crc16_halve(static_cast<std::uint16_t>(bits32), static_cast<std::uint16_t>(bits32 >> 16));
}

// The register after 16 bytes, if it was zero before: they are followed by the 16 bits that a CRC makes room for.
GPUAES_HD constexpr std::uint16_t crc16_of_lane(std::uint64_t first, std::uint64_t second)
{
  return crc16_halve<std::uint16_t>(crc16_remainder(first, second), 0);
}

static_assert(crc16_power_of_x(1) == 0x4000 && crc16_power_of_x(16) == kCrc16Polynomial && crc16_power_of_x(32) == 0x0cec);
static_assert(crc16_power_of_x(kCrc16Period) == kCrc16One && crc16_power_of_x(32768) == crc16_power_of_x(1));
static_assert(crc16_multiply(crc16_power_of_x(1000), crc16_inverse_power_of_x(1000)) == kCrc16One);
static_assert(crc16_remainder(std::uint64_t{1} << 63, 0) == crc16_power_of_x(64) && crc16_remainder(1, 0) == crc16_power_of_x(127));
static_assert(crc16_of_lane(0, std::uint64_t{1} << 63) == kCrc16Polynomial);

}  // namespace gpuaes
