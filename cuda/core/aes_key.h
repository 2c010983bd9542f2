// The AES key schedule (FIPS 197 section 5.2) and its form for the equivalent inverse cipher (section 5.3.5).
//
// Made once per key, on the host, without a table index or a branch that depends on the key.
#pragma once

#include "aes_tables.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuaes {

inline constexpr std::size_t kBlockBytes = 16;

// The schedule as column words, round 0 first; AES-128 uses 44 of them, AES-192 52, AES-256 60.
struct RoundKeys {
  std::uint32_t word[60];
};

// 10, 12 or 14 rounds for a key of 16, 24 or 32 bytes.
constexpr int rounds_of(std::size_t key_bytes) { return static_cast<int>(key_bytes / 4) + 6; }

namespace detail {

// S-box of a secret byte: reads every entry, so that no cache line tells which one was wanted.
constexpr std::uint8_t substitute_secret(std::uint8_t value)
{
  unsigned result = 0;
  for (unsigned i = 0; i < 256; ++i) result |= kSbox[i] & (((i ^ value) - 1u) >> 8);
  return static_cast<std::uint8_t>(result);
}

constexpr std::uint32_t substitute_word(std::uint32_t word)
{
  std::uint32_t result = 0;
  for (int shift = 0; shift < 32; shift += 8)
    result |= std::uint32_t{substitute_secret(static_cast<std::uint8_t>(word >> shift))} << shift;
  return result;
}

constexpr std::uint32_t inverse_mix_column(std::uint32_t column)
{
  std::uint32_t result = 0;
  for (int to = 0; to < 4; ++to) {
    std::uint8_t row = 0;
    for (int from = 0; from < 4; ++from) {
      constexpr std::uint8_t kFactor[4] = {0x0e, 0x0b, 0x0d, 0x09};
      row =
          static_cast<std::uint8_t>(row ^ multiply(static_cast<std::uint8_t>(column >> (8 * from)), kFactor[(from + 4 - to) % 4]));
    }
    result |= std::uint32_t{row} << (8 * to);
  }
  return result;
}

}  // namespace detail

// The encryption schedule of a key of 16, 24 or 32 bytes; other lengths are the caller's error.
constexpr RoundKeys expand_key(std::span<const std::uint8_t> key)
{
  const std::size_t key_words = key.size() / 4;
  const std::size_t total = 4 * (static_cast<std::size_t>(rounds_of(key.size())) + 1);
  RoundKeys keys{};
  for (std::size_t i = 0; i < key.size(); ++i) keys.word[i / 4] |= std::uint32_t{key[i]} << (8 * (i % 4));
  std::uint8_t round_constant = 1;
  for (std::size_t i = key_words; i < total; ++i) {
    std::uint32_t word = keys.word[i - 1];
    if (i % key_words == 0) {
      word = detail::substitute_word(rotate_left(word, 24)) ^ round_constant;  // RotWord moves byte 1 to byte 0
      round_constant = times_x(round_constant);
    } else if (key_words > 6 && i % key_words == 4) {
      word = detail::substitute_word(word);
    }
    keys.word[i] = keys.word[i - key_words] ^ word;
  }
  return keys;
}

// The decryption schedule that goes with an encryption schedule of `rounds` rounds: reversed, the inner round keys unmixed.
constexpr RoundKeys invert_schedule(const RoundKeys& encrypt, int rounds)
{
  RoundKeys decrypt{};
  for (int round = 0; round <= rounds; ++round)
    for (int c = 0; c < 4; ++c) {
      const std::uint32_t word = encrypt.word[4 * (rounds - round) + c];
      decrypt.word[4 * round + c] = (round == 0 || round == rounds) ? word : detail::inverse_mix_column(word);
    }
  return decrypt;
}

}  // namespace gpuaes
