// CRC-16 for many processors at once: rows of 4 KiB, in columns of 16 bytes.
//
// A row has 32768 bits and x^32768 = x, since the period is 32767. So a column, which is the sum of its 16 bytes of all rows, each
// times x^32768 for every row below, is x * column + next for each row more: a shift by one bit and an exclusive or. No column
// needs to know of another before the end. Rows that begin with zeros, or end with them, may be had for nothing: leading zeros
// change no register of zero, and appended ones are a power of x that the inverse power takes away.
#pragma once

#include "crc16_polynomial.h"
#include "table.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes {

inline constexpr std::size_t kCrc16ColumnBytes = 16;
inline constexpr std::size_t kCrc16Columns = 256;
inline constexpr std::size_t kCrc16RowBytes = kCrc16Columns * kCrc16ColumnBytes;
static_assert(8 * kCrc16RowBytes % kCrc16Period == 1);

// Rows after which a column must be settled.
inline constexpr int kCrc16RowsUnsettled = 32;

class Crc16Column {
 public:
  // The column's 16 bytes of the next row, as little-endian words.
  GPUAES_HD constexpr void append(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
  {
    over_ = shift(over_, word_[0]);
    word_[0] = shift(word_[0], word_[1]) ^ a;
    word_[1] = shift(word_[1], word_[2]) ^ b;
    word_[2] = shift(word_[2], word_[3]) ^ c;
    word_[3] = (word_[3] >> 1) ^ d;
  }

  // Brings back what has been shifted out: P(x)^8 = x^128 + x^96 + x^40 + 1.
  GPUAES_HD constexpr void settle()
  {
    word_[0] ^= over_;
    word_[1] ^= over_ << 24;
    word_[2] ^= over_ >> 8;
    word_[3] ^= over_;
    over_ = 0;
  }

  // The register after the column, if it was zero before and the column is all there is. The column must be settled.
  GPUAES_HD constexpr std::uint16_t value() const
  {
    return crc16_of_lane(word_[0] | std::uint64_t{word_[1]} << 32, word_[2] | std::uint64_t{word_[3]} << 32);
  }

 private:
  // The upper word's lowest bit comes in at the top.
  GPUAES_HD static constexpr std::uint32_t shift(std::uint32_t word, std::uint32_t next) { return (word >> 1) | (next << 31); }

  std::uint32_t over_ = 0;  // the coefficients of x^128 (bit 31) and up
  std::uint32_t word_[4] = {};
};

// What values are multiplied with before they are added up.
struct Crc16Weights {
  Table<std::uint16_t, kCrc16Columns> column;  // x^128 for every column to the right
  // x^n for n rows below is coarse[n / 256] * fine[n % 256], after whole periods are taken off.
  Table<std::uint16_t, 256> fine;
  Table<std::uint16_t, 128> coarse;

  GPUAES_HD constexpr std::uint16_t rows_below(std::uint64_t rows) const
  {
    const std::uint64_t power = rows % kCrc16Period;
    return crc16_multiply(coarse[power / 256], fine[power % 256]);
  }
};

constexpr Crc16Weights make_crc16_weights()
{
  Crc16Weights weights{};
  const std::uint16_t step = crc16_power_of_x(8 * kCrc16ColumnBytes);
  std::uint16_t power = kCrc16One;
  for (std::size_t i = kCrc16Columns; i-- > 0; power = crc16_multiply(power, step)) weights.column[i] = power;
  power = kCrc16One;
  for (std::size_t i = 0; i < weights.fine.size(); ++i, power = crc16_multiply(power, crc16_power_of_x(1))) weights.fine[i] = power;
  power = kCrc16One;
  for (std::size_t i = 0; i < weights.coarse.size(); ++i, power = crc16_multiply(power, crc16_power_of_x(256)))
    weights.coarse[i] = power;
  return weights;
}

// How the columns of a message are dealt out: whole ones from the first address that is a multiple of 16. The up to 15 bytes before
// and after them are the caller's.
struct Crc16Layout {
  std::size_t head = 0;     // bytes before the first column
  std::size_t columns = 0;  // whole columns
  std::size_t tail = 0;     // bytes after the last

  constexpr std::size_t rows() const { return (columns + kCrc16Columns - 1) / kCrc16Columns; }
};

inline Crc16Layout crc16_layout(const void* data, std::size_t bytes)
{
  const std::size_t before = (0 - reinterpret_cast<std::uintptr_t>(data)) % kCrc16ColumnBytes;
  const std::size_t head = before < bytes ? before : bytes;
  return {.head = head, .columns = (bytes - head) / kCrc16ColumnBytes, .tail = (bytes - head) % kCrc16ColumnBytes};
}

}  // namespace gpuaes
