// The 128-bit counter and its carry.
#include "core/counter.h"

#include "support/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuaes {
namespace {

using test::Bytes;

Counter load(const Bytes& bytes)
{
  std::uint8_t raw[16];
  std::copy(bytes.begin(), bytes.end(), raw);
  return load_counter(raw);
}

std::string hex_of(const Counter& counter)
{
  std::uint8_t raw[16];
  store_counter(counter, raw);
  return test::to_hex(Bytes(raw, raw + 16));
}

TEST(Counter, LoadsAndStoresBigEndian)
{
  const Counter counter = load(test::from_hex("00112233445566778899aabbccddeeff"));
  EXPECT_EQ(counter.high, 0x0011223344556677u);
  EXPECT_EQ(counter.low, 0x8899aabbccddeeffu);
  EXPECT_EQ(hex_of(counter), "00112233445566778899aabbccddeeff");
}

TEST(Counter, CarryRunsThroughAllBytes)
{
  EXPECT_EQ(hex_of(load(test::from_hex("000000000000000000000000000000ff")).plus(1)), "00000000000000000000000000000100");
  EXPECT_EQ(hex_of(load(test::from_hex("000000000000000000000000ffffffff")).plus(1)), "00000000000000000000000100000000");
  EXPECT_EQ(hex_of(load(test::from_hex("0000000000000000ffffffffffffffff")).plus(1)), "00000000000000010000000000000000");
  EXPECT_EQ(hex_of(load(test::from_hex("12ffffffffffffffffffffffffffffff")).plus(2)), "13000000000000000000000000000001");
  EXPECT_EQ(hex_of(load(test::from_hex("ffffffffffffffffffffffffffffffff")).plus(1)), "00000000000000000000000000000000");
  EXPECT_EQ(hex_of(load(test::from_hex("ffffffffffffffffffffffffffffffff")).plus(~0ull)), "0000000000000000fffffffffffffffe");
}

TEST(Counter, SumsAreThoseOfSchoolArithmetic)
{
  for (std::size_t ff = 0; ff <= 16; ++ff) {
    Bytes start = test::pattern(16, 7);
    std::fill(start.end() - static_cast<std::ptrdiff_t>(ff), start.end(), std::uint8_t{0xff});
    for (const std::uint64_t blocks : {0ull, 1ull, 255ull, 256ull, 0xffffffffull, 0x100000000ull, 0x123456789abcdefull, ~0ull})
      EXPECT_EQ(hex_of(load(start).plus(blocks)), test::to_hex(test::counter_plus(start, blocks)))
          << ff << " bytes ff, plus " << blocks;
  }
}

}  // namespace
}  // namespace gpuaes
