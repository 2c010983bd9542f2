#include "core/crc16.h"

#include "support/crc16_reference.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gpuaes {
namespace {

using test::Bytes;
using test::crc16_by_bits;
using test::random_bytes;

std::uint16_t crc_of(const Crc16Variant& variant, const Bytes& bytes) { return variant.value(crc16_by_bits(variant.init, bytes)); }

Bytes joined(const Bytes& a, const Bytes& b)
{
  Bytes both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

// Period and neighbours, powers of two and neighbours, odd ones, none.
constexpr std::size_t kLengths[] = {0, 1, 2, 3, 15, 16, 17, 255, 4095, 4096, 4097, 32766, 32767, 32768, 65535};

// https://reveng.sourceforge.io/crc-catalogue/16.htm: "check" is the CRC of "123456789"; "residue" the register after a message and
// its own CRC, which a receiver looks for.
struct Published {
  const Crc16Variant& variant;
  const char* name;
  std::uint16_t check;
  std::uint16_t residue;
  std::uint16_t empty;
};
constexpr Published kPublished[] = {{kCrc16Mcrf4xx, "CRC-16/MCRF4XX", 0x6f91, 0x0000, 0xffff},
                                    {kCrc16IbmSdlc, "CRC-16/IBM-SDLC", 0x906e, 0xf0b8, 0x0000},
                                    {kCrc16Kermit, "CRC-16/KERMIT", 0x2189, 0x0000, 0x0000}};

TEST(Crc16, CheckValuesOfTheCatalogue)
{
  for (const Published& published : kPublished) {
    const Bytes digits = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    EXPECT_EQ(published.variant.name, std::string(published.name));
    EXPECT_EQ(crc_of(published.variant, digits), published.check);
    EXPECT_EQ(crc_of(published.variant, {}), published.empty);
    std::uint16_t state = published.variant.init;
    for (const std::uint8_t digit : digits) state = crc16_append(state, digit);
    EXPECT_EQ(published.variant.value(state), published.check);
  }
}

// The CRC behind the message, low byte first, unlike the order in which the digest is written.
TEST(Crc16, ResiduesOfTheCatalogue)
{
  for (const Published& published : kPublished)
    for (const std::size_t length : kLengths) {
      Bytes message = random_bytes(length, 7);
      const std::uint16_t crc = crc_of(published.variant, message);
      message.push_back(static_cast<std::uint8_t>(crc));
      message.push_back(static_cast<std::uint8_t>(crc >> 8));
      EXPECT_EQ(crc16_by_bits(published.variant.init, message), published.residue) << published.name << ", " << length;
    }
}

TEST(Crc16, AppendIsTheDefinition)
{
  for (unsigned state = 0; state < 65536; state += 37)
    for (unsigned byte = 0; byte < 256; byte += 5) {
      const Bytes bytes = {static_cast<std::uint8_t>(byte)};
      ASSERT_EQ(crc16_append(static_cast<std::uint16_t>(state), bytes[0]), crc16_by_bits(static_cast<std::uint16_t>(state), bytes));
    }
}

TEST(Crc16, ShiftIsThatManyZeros)
{
  for (const std::size_t length : kLengths)
    for (const unsigned state : {0x0000u, 0xffffu, 0x1234u, 0x8000u, 0x0001u})
      EXPECT_EQ(crc16_shift(static_cast<std::uint16_t>(state), length),
                crc16_by_bits(static_cast<std::uint16_t>(state), Bytes(length)));
  // Whole periods change nothing, however many.
  const std::uint64_t periods = std::uint64_t{32767} * 1'000'003;
  EXPECT_EQ(crc16_shift(0x1234, periods), 0x1234);
  EXPECT_EQ(crc16_shift(0x1234, periods * 100'000 + 5), crc16_shift(0x1234, 5));
  EXPECT_EQ(crc16_shift(0x1234, ~std::uint64_t{0}), crc16_shift(0x1234, ~std::uint64_t{0} % 32767));
}

TEST(Crc16, CombineIsTheCrcOfTheWhole)
{
  for (const Published& published : kPublished)
    for (const std::size_t first : kLengths)
      for (const std::size_t second : kLengths) {
        const Bytes a = random_bytes(first, 1);
        const Bytes b = random_bytes(second, 2);
        EXPECT_EQ(crc16_combine(crc_of(published.variant, a), crc_of(published.variant, b), second, published.variant),
                  crc_of(published.variant, joined(a, b)))
            << published.name << ", " << first << " + " << second;
      }
}

TEST(Crc16, CombineOfZerosAndOfTheFirstTwoBytes)
{
  for (const Published& published : kPublished)
    for (std::size_t length = 0; length < 70; ++length)
      for (const bool zeros : {true, false}) {
        const Bytes whole = zeros ? Bytes(length) : random_bytes(length, 3);
        for (std::size_t at = 0; at <= std::min<std::size_t>(length, 3); ++at) {
          const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(at);
          const std::uint16_t a = crc_of(published.variant, Bytes(whole.begin(), middle));
          const std::uint16_t b = crc_of(published.variant, Bytes(middle, whole.end()));
          EXPECT_EQ(crc16_combine(a, b, length - at, published.variant), crc_of(published.variant, whole));
        }
      }
}

TEST(Crc16, CombineInAnyGrouping)
{
  std::minstd_rand generator(5);
  const auto random = [&] { return static_cast<unsigned>(generator()); };
  for (int round = 0; round < 200; ++round) {
    const Bytes a = random_bytes(random() % 100, random() % 1000);
    const Bytes b = random_bytes(random() % 100, random() % 1000);
    const Bytes c = random_bytes(random() % 100, random() % 1000);
    const auto crc = [](const Bytes& bytes) { return crc_of(kCrc16Mcrf4xx, bytes); };
    const std::uint16_t from_left = crc16_combine(crc16_combine(crc(a), crc(b), b.size()), crc(c), c.size());
    const std::uint16_t from_right = crc16_combine(crc(a), crc16_combine(crc(b), crc(c), c.size()), b.size() + c.size());
    EXPECT_EQ(from_left, crc(joined(joined(a, b), c)));
    EXPECT_EQ(from_right, from_left);
  }
}

// A well-known wrong way: crc(a) ^ crc(b) ^ crc(zeros of b's length). Right only by accident.
TEST(Crc16, AddingCrcsIsNotCombining)
{
  int right = 0;
  for (unsigned round = 0; round < 100; ++round) {
    const Bytes a = random_bytes(11 + round, round);
    const Bytes b = random_bytes(7 + round, round + 1000);
    const std::uint16_t added = crc_of(kCrc16Mcrf4xx, a) ^ crc_of(kCrc16Mcrf4xx, b) ^ crc_of(kCrc16Mcrf4xx, Bytes(b.size()));
    right += added == crc_of(kCrc16Mcrf4xx, joined(a, b)) ? 1 : 0;
  }
  EXPECT_LT(right, 3);
}

}  // namespace
}  // namespace gpuaes
