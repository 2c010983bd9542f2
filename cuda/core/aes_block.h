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

GPUAES_HD constexpr std::uint32_t swap_bytes(std::uint32_t word)
{
  return (word << 24) | ((word & 0xff00) << 8) | ((word >> 8) & 0xff00) | (word >> 24);
}

GPUAES_HD constexpr Block counter_block(const Counter& counter)
{
  return {{swap_bytes(static_cast<std::uint32_t>(counter.high >> 32)), swap_bytes(static_cast<std::uint32_t>(counter.high)),
           swap_bytes(static_cast<std::uint32_t>(counter.low >> 32)), swap_bytes(static_cast<std::uint32_t>(counter.low))}};
}

// CTR: what neighbouring counters share is done once.
//
// 256 consecutive counters differ only in byte 15, which is row 3 of column 3. ShiftRows brings it to column 0 alone, so after
// round 1 only that column differs; and of column 0, each column after round 2 takes one byte. So round 1 costs one lookup a block
// instead of 16, and round 2 four. Among 65,536 counters byte 14 differs too, row 2 of column 3, which goes to column 1 in the same
// way: then a next group of 256 costs five lookups. Example: counters ..00 and ..ff agree after round 1 in columns 1 to 3; column 1
// after round 2 takes row 3 from column (1 + 3) mod 4 = 0 and nothing else of that column, so one mix<3>() brings it up to date.

// What 65,536 counters share that agree in all but the last two bytes.
struct CounterPrefix {
  std::uint32_t last_column;     // column 3 before round 1, its last two counter bytes taken as 0
  std::uint32_t round1_column0;  // without row 3
  std::uint32_t round1_column1;  // without row 2
  Block round2;                  // without what comes from those two columns
};

// What 256 counters share that agree in all but the last byte.
struct CounterGroup {
  std::uint32_t last_column;
  std::uint32_t round1_column0;
  Block round2;  // without what comes from column 0
};

// The last two bytes of `counter` are ignored.
template <typename Tables>
GPUAES_HD inline CounterPrefix make_counter_prefix(const Tables& tables, const RoundKeys& keys, const Counter& counter)
{
  const Block start = counter_block({counter.high, counter.low & ~std::uint64_t{0xffff}}) ^ detail::round_key(keys, 0);
  const std::uint32_t c0 = start.column[0], c1 = start.column[1], c2 = start.column[2], c3 = start.column[3];
  const auto mix0 = [&](std::uint32_t column) { return tables.template mix<0>(column); };
  const auto mix1 = [&](std::uint32_t column) { return tables.template mix<1>(column); };
  const auto mix2 = [&](std::uint32_t column) { return tables.template mix<2>(column); };
  const auto mix3 = [&](std::uint32_t column) { return tables.template mix<3>(column); };
  const Block key1 = detail::round_key(keys, 1);
  const std::uint32_t column2 = key1.column[2] ^ mix0(c2) ^ mix1(c3) ^ mix2(c0) ^ mix3(c1);
  const std::uint32_t column3 = key1.column[3] ^ mix0(c3) ^ mix1(c0) ^ mix2(c1) ^ mix3(c2);
  const Block key2 = detail::round_key(keys, 2);
  return {.last_column = c3,
          .round1_column0 = key1.column[0] ^ mix0(c0) ^ mix1(c1) ^ mix2(c2),
          .round1_column1 = key1.column[1] ^ mix0(c1) ^ mix1(c2) ^ mix3(c0),
          .round2 = {{key2.column[0] ^ mix2(column2) ^ mix3(column3), key2.column[1] ^ mix1(column2) ^ mix2(column3),
                      key2.column[2] ^ mix0(column2) ^ mix1(column3), key2.column[3] ^ mix3(column2) ^ mix0(column3)}}};
}

// `byte14` is the last but one byte of the group's counters.
template <typename Tables>
GPUAES_HD inline CounterGroup make_counter_group(const Tables& tables, const CounterPrefix& prefix, std::uint32_t byte14)
{
  const std::uint32_t last_column = prefix.last_column ^ (byte14 << 16);
  const std::uint32_t column1 = prefix.round1_column1 ^ tables.template mix<2>(last_column);
  CounterGroup group{.last_column = last_column, .round1_column0 = prefix.round1_column0, .round2 = prefix.round2};
  group.round2.column[1] ^= tables.template mix<0>(column1);
  group.round2.column[0] ^= tables.template mix<1>(column1);
  group.round2.column[3] ^= tables.template mix<2>(column1);
  group.round2.column[2] ^= tables.template mix<3>(column1);
  return group;
}

// The keystream block of the group's counter whose last byte is `byte15`.
template <int Rounds, typename Tables>
GPUAES_HD inline Block keystream_block(const Tables& tables, const RoundKeys& keys, const CounterGroup& group, std::uint32_t byte15)
{
  const std::uint32_t column0 = group.round1_column0 ^ tables.template mix<3>(group.last_column ^ (byte15 << 24));
  Block state = group.round2;
  state.column[0] ^= tables.template mix<0>(column0);
  state.column[3] ^= tables.template mix<1>(column0);
  state.column[2] ^= tables.template mix<2>(column0);
  state.column[1] ^= tables.template mix<3>(column0);
  return remaining_rounds<Direction::encrypt, Rounds>(tables, keys, state, 2);
}

}  // namespace gpuaes
