// The AES cipher and its inverse on one block (FIPS 197 sections 5.1 and 5.3.5), and the CTR form that reuses two rounds.
//
// The functions take the tables as a parameter: the host passes the plain ones, a kernel its replicated copies in shared memory.
// Such a Tables type has two members:
//   mix<Row>(column)                what the byte in row `Row` of a column, substituted and mixed, adds to its new column
//   substitute_rows(a, b, c, d)     the column made of row 0 of a, row 1 of b, row 2 of c and row 3 of d, substituted
#pragma once

#include "aes_key.h"
#include "counter.h"

#include <cstdint>

namespace gpuaes {

// Four state columns; column 0 holds the first four bytes of the block.
struct Block {
  std::uint32_t column[4];

  GPUAES_HD constexpr Block operator^(const Block& other) const
  {
    return {{column[0] ^ other.column[0], column[1] ^ other.column[1], column[2] ^ other.column[2], column[3] ^ other.column[3]}};
  }
};

enum class Direction { encrypt, decrypt };

namespace detail {

GPUAES_HD constexpr Block round_key(const RoundKeys& keys, int round)
{
  const std::uint32_t* words = &keys.word[4 * round];
  return {{words[0], words[1], words[2], words[3]}};
}

// The column that ShiftRows (or its inverse) moves row `Row` of column `to` from.
template <Direction D, int Row>
GPUAES_HD constexpr int source(int to)
{
  return (D == Direction::encrypt ? to + Row : to + 4 - Row) % 4;
}

template <Direction D, typename Tables>
GPUAES_HD inline Block middle_round(const Tables& tables, const Block& key, const Block& state)
{
  Block next;
  GPUAES_UNROLL
  for (int c = 0; c < 4; ++c)
    next.column[c] = key.column[c] ^ tables.template mix<0>(state.column[source<D, 0>(c)]) ^
                     tables.template mix<1>(state.column[source<D, 1>(c)]) ^ tables.template mix<2>(state.column[source<D, 2>(c)]) ^
                     tables.template mix<3>(state.column[source<D, 3>(c)]);
  return next;
}

template <Direction D, typename Tables>
GPUAES_HD inline Block last_round(const Tables& tables, const Block& key, const Block& state)
{
  Block next;
  GPUAES_UNROLL
  for (int c = 0; c < 4; ++c)
    next.column[c] = key.column[c] ^ tables.substitute_rows(state.column[source<D, 0>(c)], state.column[source<D, 1>(c)],
                                                            state.column[source<D, 2>(c)], state.column[source<D, 3>(c)]);
  return next;
}

}  // namespace detail

// One block through the rounds after `done` of them; `keys` is the schedule of the same direction.
template <Direction D, int Rounds, typename Tables>
GPUAES_HD inline Block remaining_rounds(const Tables& tables, const RoundKeys& keys, Block state, int done)
{
  GPUAES_UNROLL
  for (int round = done + 1; round < Rounds; ++round)
    state = detail::middle_round<D>(tables, detail::round_key(keys, round), state);
  return detail::last_round<D>(tables, detail::round_key(keys, Rounds), state);
}

template <Direction D, int Rounds, typename Tables>
GPUAES_HD inline Block cipher_block(const Tables& tables, const RoundKeys& keys, const Block& block)
{
  return remaining_rounds<D, Rounds>(tables, keys, block ^ detail::round_key(keys, 0), 0);
}

// What 256 consecutive counters share, which is all but the last byte of the block.
//
// That byte, row 3 of column 3, reaches only column 0 in round 1, and from there one byte of each column in round 2. So round 1
// costs one lookup a block instead of 16, and round 2 four. Example: counters ..00 to ..ff differ after round 1 only in column 0,
// by mix<3>(last byte ^ key byte); column 1 after round 2 sees of that column just its row 3, because ShiftRows takes row 3 of
// column 1 from column (1 + 3) mod 4 = 0.
struct CounterGroup {
  std::uint32_t last_column;  // column 3 before round 1 with the last counter byte taken as 0
  std::uint32_t round1_column0;
  Block round2;
};

// The group of the counters whose upper 120 bits are those of `counter`; its lowest byte is ignored.
template <typename Tables>
GPUAES_HD inline CounterGroup make_counter_group(const Tables& tables, const RoundKeys& keys, const Counter& counter);

// The keystream block of the counter of `group` whose lowest byte is `low`.
template <int Rounds, typename Tables>
GPUAES_HD inline Block keystream_block(const Tables& tables, const RoundKeys& keys, const CounterGroup& group, std::uint32_t low)
{
  const std::uint32_t column0 = group.round1_column0 ^ tables.template mix<3>(group.last_column ^ (low << 24));
  Block state = group.round2;
  state.column[0] ^= tables.template mix<0>(column0);
  state.column[3] ^= tables.template mix<1>(column0);
  state.column[2] ^= tables.template mix<2>(column0);
  state.column[1] ^= tables.template mix<3>(column0);
  return remaining_rounds<Direction::encrypt, Rounds>(tables, keys, state, 2);
}

GPUAES_HD constexpr std::uint32_t swap_bytes(std::uint32_t word)
{
  return (word << 24) | ((word & 0xff00) << 8) | ((word >> 8) & 0xff00) | (word >> 24);
}

GPUAES_HD constexpr Block counter_block(const Counter& counter)
{
  return {{swap_bytes(static_cast<std::uint32_t>(counter.high >> 32)), swap_bytes(static_cast<std::uint32_t>(counter.high)),
           swap_bytes(static_cast<std::uint32_t>(counter.low >> 32)), swap_bytes(static_cast<std::uint32_t>(counter.low))}};
}

template <typename Tables>
GPUAES_HD inline CounterGroup make_counter_group(const Tables& tables, const RoundKeys& keys, const Counter& counter)
{
  using detail::source;
  constexpr auto kEncrypt = Direction::encrypt;
  Block state = counter_block({counter.high, counter.low & ~std::uint64_t{0xff}}) ^ detail::round_key(keys, 0);
  CounterGroup group;
  group.last_column = state.column[3];
  Block round1 = detail::middle_round<kEncrypt>(tables, detail::round_key(keys, 1), state);
  group.round1_column0 = round1.column[0] ^ tables.template mix<3>(state.column[3]);
  group.round2 = detail::middle_round<kEncrypt>(tables, detail::round_key(keys, 2), round1);
  group.round2.column[0] ^= tables.template mix<0>(round1.column[0]);
  group.round2.column[3] ^= tables.template mix<1>(round1.column[0]);
  group.round2.column[2] ^= tables.template mix<2>(round1.column[0]);
  group.round2.column[1] ^= tables.template mix<3>(round1.column[0]);
  return group;
}

}  // namespace gpuaes
