// The block cipher against FIPS 197, and the shortened CTR form against the whole cipher.
#include "core/aes_host.h"

#include "support/bytes.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

using test::Bytes;
using test::from_hex;
using test::to_hex;

struct Example {
  const char* where;
  const char* key;
  const char* plain;
  const char* cipher;
};

constexpr Example kFips197[] = {
    {"appendix B", "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
    {"appendix C.1", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"appendix C.2", "000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
     "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"appendix C.3", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
     "8ea2b7ca516745bfeafc49904b496089"},
};

template <Direction D>
Block cipher_with(const RoundKeys& keys, int rounds, const Block& block)
{
  const HostTables<D> tables;
  switch (rounds) {
    case 10:
      return cipher_block<D, 10>(tables, keys, block);
    case 12:
      return cipher_block<D, 12>(tables, keys, block);
    default:
      return cipher_block<D, 14>(tables, keys, block);
  }
}

Block keystream_with(const RoundKeys& keys, int rounds, const CounterGroup& group, std::uint32_t low)
{
  const HostTables<Direction::encrypt> tables;
  switch (rounds) {
    case 10:
      return keystream_block<10>(tables, keys, group, low);
    case 12:
      return keystream_block<12>(tables, keys, group, low);
    default:
      return keystream_block<14>(tables, keys, group, low);
  }
}

CounterGroup group_of(const RoundKeys& keys, const Counter& counter)
{
  const HostTables<Direction::encrypt> tables;
  return make_counter_group(tables, make_counter_prefix(tables, keys, counter),
                            static_cast<std::uint32_t>(counter.low >> 8 & 0xff));
}

std::string hex_of(const Block& block)
{
  Bytes bytes(kBlockBytes);
  store_block(block, bytes.data());
  return to_hex(bytes);
}

TEST(AesBlock, CiphersAreThoseOfFips197)
{
  for (const Example& example : kFips197) {
    const Bytes key = from_hex(example.key);
    const RoundKeys keys = expand_key(key);
    EXPECT_EQ(hex_of(cipher_with<Direction::encrypt>(keys, rounds_of(key.size()), load_block(from_hex(example.plain).data()))),
              example.cipher)
        << example.where;
  }
}

TEST(AesBlock, InverseCiphersAreThoseOfFips197)
{
  for (const Example& example : kFips197) {
    const Bytes key = from_hex(example.key);
    const int rounds = rounds_of(key.size());
    const RoundKeys keys = invert_schedule(expand_key(key), rounds);
    EXPECT_EQ(hex_of(cipher_with<Direction::decrypt>(keys, rounds, load_block(from_hex(example.cipher).data()))), example.plain)
        << example.where;
  }
}

TEST(AesBlock, CounterBlocksAreBigEndian)
{
  EXPECT_EQ(hex_of(counter_block({0x0011223344556677, 0x8899aabbccddeeff})), "00112233445566778899aabbccddeeff");
}

TEST(AesBlock, KeystreamIsTheCipherOfEveryCounterOfItsGroup)
{
  constexpr Counter kCounters[] = {{0, 0}, {~0ull, ~0ull}, {0xf0f1f2f3f4f5f6f7, 0xf8f9fafbfcfdfeff}, {1, 0x00000000ffffff00}};
  for (const std::size_t key_bytes : {16u, 24u, 32u})
    for (std::uint8_t salt = 0; salt < 8; ++salt) {
      const Bytes key = test::test_key(key_bytes, static_cast<std::uint8_t>(31 * salt));
      const RoundKeys keys = expand_key(key);
      const int rounds = rounds_of(key_bytes);
      for (Counter counter : kCounters) {
        counter.low ^= std::uint64_t{salt} << 9;
        const CounterGroup group = group_of(keys, counter);
        for (std::uint32_t low = 0; low < 256; ++low) {
          const Counter one{counter.high, (counter.low & ~0xffull) | low};
          ASSERT_EQ(hex_of(keystream_with(keys, rounds, group, low)),
                    hex_of(cipher_with<Direction::encrypt>(keys, rounds, counter_block(one))))
              << "key of " << key_bytes << " bytes, low byte " << low;
        }
      }
    }
}

// SP 800-38A section F.5: the keystream itself, printed there as the output blocks.
TEST(AesBlock, KeystreamIsThatOfSp80038a)
{
  const Counter counter{0xf0f1f2f3f4f5f6f7, 0xf8f9fafbfcfdfeff};
  const Bytes key = from_hex("2b7e151628aed2a6abf7158809cf4f3c");
  const RoundKeys keys = expand_key(key);
  const CounterGroup group = group_of(keys, counter);
  EXPECT_EQ(hex_of(keystream_with(keys, 10, group, 0xff)), "ec8cdf7398607cb0f2d21675ea9ea1e4");
  const CounterGroup next = group_of(keys, counter.plus(1));
  EXPECT_EQ(hex_of(keystream_with(keys, 10, next, 0x00)), "362b7c3c6773516318a077d7fc5073ae");
}

}  // namespace
}  // namespace gpuaes
