#include "core/crc16_rows.h"

#include "support/crc16_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace gpuaes {
namespace {

using test::Bytes;
using test::crc16_by_bits;
using test::random_bytes;

TEST(Crc16Rows, WeightsArePowersOfX)
{
  static constexpr Crc16Weights kWeights = make_crc16_weights();
  EXPECT_EQ(kWeights.column[kCrc16Columns - 1], kCrc16One);
  EXPECT_EQ(kWeights.column[0], crc16_power_of_x(128 * 255));
  for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{255}, std::uint64_t{256}, std::uint64_t{32766},
                                   std::uint64_t{32767}, std::uint64_t{32768}, std::uint64_t{1} << 40})
    EXPECT_EQ(kWeights.rows_below(rows), crc16_power_of_x(8 * kCrc16RowBytes % kCrc16Period * (rows % kCrc16Period))) << rows;
}

// One column alone, with the rest of its rows zero.
TEST(Crc16Rows, AColumnOfAnyNumberOfRows)
{
  for (const std::size_t rows : {1u, 2u, 31u, 32u, 33u, 64u, 100u})
    for (const int settle_every : {1, 8, kCrc16RowsUnsettled}) {
      Bytes message(rows * kCrc16RowBytes);
      Crc16Column column;
      int unsettled = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        const Bytes part = random_bytes(kCrc16ColumnBytes, static_cast<unsigned>(row + 1));
        std::copy(part.begin(), part.end(), message.begin() + static_cast<std::ptrdiff_t>((row + 1) * kCrc16RowBytes - 16));
        std::uint32_t words[4];
        std::memcpy(words, part.data(), sizeof words);
        column.append(words[0], words[1], words[2], words[3]);
        if (++unsettled % settle_every == 0) column.settle();
      }
      column.settle();
      EXPECT_EQ(column.value(), crc16_by_bits(0, message)) << rows << " rows, settled every " << settle_every;
    }
}

TEST(Crc16Rows, LayoutCoversEveryByteOnce)
{
  alignas(16) static std::uint8_t memory[64];
  for (std::size_t shift = 0; shift < 16; ++shift)
    for (std::size_t bytes = 0; bytes < 48; ++bytes) {
      const Crc16Layout layout = crc16_layout(memory + shift, bytes);
      EXPECT_EQ(layout.head + layout.columns * kCrc16ColumnBytes + layout.tail, bytes);
      EXPECT_LT(layout.head, kCrc16ColumnBytes);
      EXPECT_LT(layout.tail, kCrc16ColumnBytes);
      if (layout.columns > 0) {
        EXPECT_EQ((shift + layout.head) % 16, 0u);
      }
    }
}

}  // namespace
}  // namespace gpuaes
