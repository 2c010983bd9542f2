#include "core/crc16_polynomial.h"

#include "core/crc16_clmul.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gpuaes {
namespace {

// Long division by P, a coefficient at a time: `coefficients` begins with the highest power.
std::uint16_t divide(std::vector<bool> coefficients)
{
  const std::size_t n = coefficients.size();
  for (std::size_t i = 0; i + 16 < n; ++i)
    if (coefficients[i])
      for (const std::size_t below : {0u, 4u, 11u, 16u}) coefficients[i + below] = !coefficients[i + below];
  unsigned remainder = 0;
  for (std::size_t power = 0; power < std::min<std::size_t>(n, 16); ++power)
    if (coefficients[n - 1 - power]) remainder |= 0x8000u >> power;
  return static_cast<std::uint16_t>(remainder);
}

std::vector<bool> coefficients_of(std::uint64_t first, std::uint64_t second)
{
  std::vector<bool> coefficients;
  for (const std::uint64_t word : {first, second})
    for (int bit = 0; bit < 64; ++bit) coefficients.push_back((word >> bit & 1) != 0);
  return coefficients;
}

TEST(Crc16Polynomial, PowersOfX)
{
  for (std::size_t power = 0; power < 300; ++power) {
    std::vector<bool> coefficients(power + 1);
    coefficients[0] = true;
    EXPECT_EQ(crc16_power_of_x(power), divide(coefficients)) << power;
  }
}

TEST(Crc16Polynomial, ThePeriodIs32767AndNoLess)
{
  std::uint16_t power = kCrc16One;
  std::size_t steps = 0;
  do power = crc16_multiply(power, crc16_power_of_x(1));
  while (++steps < 40'000 && power != kCrc16One);
  EXPECT_EQ(steps, kCrc16Period);
}

TEST(Crc16Polynomial, ProductsAreThoseOfPowers)
{
  std::minstd_rand random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t a = random(), b = random();
    EXPECT_EQ(crc16_multiply(crc16_power_of_x(a), crc16_power_of_x(b)), crc16_power_of_x(a + b));
    EXPECT_EQ(crc16_multiply(crc16_power_of_x(a), crc16_inverse_power_of_x(a)), kCrc16One);
    EXPECT_EQ(crc16_multiply(static_cast<std::uint16_t>(a), kCrc16One), static_cast<std::uint16_t>(a));
  }
}

TEST(Crc16Polynomial, RemaindersAreThoseOfLongDivision)
{
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t first = random(), second = random();
    EXPECT_EQ(crc16_remainder(first, second), divide(coefficients_of(first, second)));
    std::vector<bool> with_room = coefficients_of(first, second);
    with_room.resize(with_room.size() + 16);
    EXPECT_EQ(crc16_of_lane(first, second), divide(with_room));
  }
}

// Computed by another program.
TEST(Crc16Polynomial, FoldConstants)
{
  EXPECT_EQ(static_cast<std::uint64_t>(crc16_fold_over(128).first) >> 48, 0xa95du);
  EXPECT_EQ(static_cast<std::uint64_t>(crc16_fold_over(128).second) >> 48, 0x7eeau);
  EXPECT_EQ(static_cast<std::uint64_t>(crc16_fold_over(2048).first) >> 48, 0xfd1eu);
  EXPECT_EQ(static_cast<std::uint64_t>(crc16_fold_over(2048).second) >> 48, 0x157eu);
}

}  // namespace
}  // namespace gpuaes
