// The AES S-boxes (FIPS 197 section 5.1.1 and 5.3.2) and the tables that join SubBytes with MixColumns, all computed at compile
// time.
//
// A state column is a 32-bit word whose lowest byte is row 0, which is how a little-endian machine loads it: no byte swap anywhere.
#pragma once

#include "table.h"

#include <cstdint>

namespace gpuaes {

// Multiplication by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197 section 4.2.1), without a branch on the data.
GPUAES_HD constexpr std::uint8_t times_x(std::uint8_t a) { return static_cast<std::uint8_t>((a << 1) ^ (0x1b & -(a >> 7))); }

GPUAES_HD constexpr std::uint8_t multiply(std::uint8_t a, std::uint8_t b)
{
  std::uint8_t product = 0;
  for (int bit = 0; bit < 8; ++bit) {
    product = static_cast<std::uint8_t>(product ^ (a & -((b >> bit) & 1)));
    a = times_x(a);
  }
  return product;
}

GPUAES_HD constexpr std::uint32_t rotate_left(std::uint32_t word, int bits)
{
  return bits == 0 ? word : (word << bits) | (word >> (32 - bits));
}

namespace detail {

consteval Table<std::uint8_t, 256> make_sbox()
{
  // 03 generates the multiplicative group: power[i] = 03^i, so the inverse of power[i] is power[255 - i].
  Table<std::uint8_t, 256> power{};
  power[0] = 1;
  for (int i = 1; i < 256; ++i) power[i] = static_cast<std::uint8_t>(power[i - 1] ^ times_x(power[i - 1]));
  Table<std::uint8_t, 256> inverse{};  // that of 0 is 0 by definition
  for (int i = 0; i < 255; ++i) inverse[power[i]] = power[255 - i];

  Table<std::uint8_t, 256> sbox{};
  for (int value = 0; value < 256; ++value) {
    std::uint8_t affine = 0x63;
    for (int i = 0; i < 5; ++i) affine = static_cast<std::uint8_t>(affine ^ ((inverse[value] << i) | (inverse[value] >> (8 - i))));
    sbox[value] = affine;
  }
  return sbox;
}

consteval Table<std::uint8_t, 256> make_inverse_sbox(const Table<std::uint8_t, 256>& sbox)
{
  Table<std::uint8_t, 256> inverse{};
  for (int value = 0; value < 256; ++value) inverse[sbox[value]] = static_cast<std::uint8_t>(value);
  return inverse;
}

// One column of a MixColumns matrix times each S-box output; row r of the product is byte r of the word.
consteval Table<std::uint32_t, 256> make_mix_table(const Table<std::uint8_t, 256>& sbox, std::uint32_t column)
{
  Table<std::uint32_t, 256> table{};
  for (int value = 0; value < 256; ++value)
    for (int row = 0; row < 4; ++row)
      table[value] |= std::uint32_t{multiply(sbox[value], static_cast<std::uint8_t>(column >> (8 * row)))} << (8 * row);
  return table;
}

}  // namespace detail

inline constexpr Table<std::uint8_t, 256> kSbox = detail::make_sbox();
inline constexpr Table<std::uint8_t, 256> kInverseSbox = detail::make_inverse_sbox(kSbox);

// What a byte in row 0 adds to its column; a byte in row r adds the same word rotated left by 8 r bits.
inline constexpr Table<std::uint32_t, 256> kEncryptTable = detail::make_mix_table(kSbox, 0x03010102);         // 02 01 01 03
inline constexpr Table<std::uint32_t, 256> kDecryptTable = detail::make_mix_table(kInverseSbox, 0x0b0d090e);  // 0e 09 0d 0b

static_assert(kSbox[0x00] == 0x63 && kSbox[0x53] == 0xed && kSbox[0xff] == 0x16);  // FIPS 197 figure 7
static_assert(kInverseSbox[0x00] == 0x52 && kInverseSbox[0xed] == 0x53);           // FIPS 197 figure 14

}  // namespace gpuaes
