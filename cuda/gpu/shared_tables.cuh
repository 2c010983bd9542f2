// The AES tables in shared memory, one copy for each of its 32 banks.
//
// A lane only ever reads the copy in its own bank. So no lookup of a warp conflicts with another, in any round, whatever the data:
// it is the fastest way to look up, and the time it takes tells nothing about key or data.
//
// Layout: entry e of the first pair of tables is at byte 256 e: 32 copies of T0[e], then 32 copies of T1[e]; a second pair, if
// there is room, follows 64 KiB later. So the address of a lookup is two bytes side by side, the state byte above 4 x lane, which
// one byte permutation makes; which table is meant is a constant offset in the load. Example: lane 3 looks up state byte 0x5a in
// T1: byte 0x0c of word 0x5a00, plus 128, is 0x5a8c, which lies in bank (0x5a8c / 4) mod 32 = 3.
#pragma once

#include "../core/aes_block.h"

#include <cuda_runtime.h>

namespace gpuaes {

inline constexpr int kThreadsPerBlock = 1024;
inline constexpr std::size_t kPairBytes = std::size_t{64} << 10;

template <int Pairs>
inline constexpr std::size_t kSharedBytes = Pairs* kPairBytes;

namespace detail {

__device__ const Table<std::uint32_t, 256> device_encrypt_table = kEncryptTable;
__device__ const Table<std::uint32_t, 256> device_decrypt_table = kDecryptTable;

extern __shared__ uint4 shared_tables[];

}  // namespace detail

// `Pairs` is 2 on cards with more than 128 KiB of shared memory a block, else 1: T2 and T3 are then T0 and T1 rotated by two bytes.
template <Direction D, int Pairs>
class SharedTables {
 public:
  // Fills shared memory; every thread of the block must call it.
  __device__ SharedTables() : bank_(4 * (threadIdx.x % 32))
  {
    const auto& table = D == Direction::encrypt ? detail::device_encrypt_table : detail::device_decrypt_table;
    for (unsigned i = threadIdx.x; i < kSharedBytes<Pairs> / sizeof(uint4); i += blockDim.x) {
      const unsigned which = i / 4096 * 2 + i / 8 % 2;
      const std::uint32_t value = rotate_left(table[i / 16 % 256], static_cast<int>(8 * which));
      detail::shared_tables[i] = {value, value, value, value};
    }
    __syncthreads();
  }

  template <int Row>
  __device__ std::uint32_t mix(std::uint32_t column) const
  {
    if constexpr (Pairs == 2 || Row < 2)
      return look_up<Row, Row>(column);
    else
      return __byte_perm(look_up<Row, Row - 2>(column), 0, 0x1032);
  }

  __device__ std::uint32_t substitute_rows(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const
  {
    const std::uint32_t w0 = look_up<0, 0>(a), w1 = look_up<1, 0>(b), w2 = look_up<2, 0>(c), w3 = look_up<3, 0>(d);
    if constexpr (D == Direction::encrypt) {
      // Bytes 1 and 2 of an entry of T0 are the substituted byte itself, because MixColumns multiplies those rows by 1.
      return __byte_perm(__byte_perm(w0, w1, 0x0051), __byte_perm(w2, w3, 0x5100), 0x7610);
    } else {
      // The factors of the inverse are 0e, 09, 0d and 0b, whose sum is 01: the four bytes of an entry add up to the substituted
      // byte.
      const std::uint32_t low = __byte_perm(w0, w1, 0x5410) ^ __byte_perm(w0, w1, 0x7632);
      const std::uint32_t high = __byte_perm(w2, w3, 0x5410) ^ __byte_perm(w2, w3, 0x7632);
      return __byte_perm(low, high, 0x6420) ^ __byte_perm(low, high, 0x7531);
    }
  }

 private:
  // T<Which> at the byte in row `Row`.
  template <unsigned Row, unsigned Which>
  __device__ std::uint32_t look_up(std::uint32_t column) const
  {
    constexpr unsigned kSelect = 0x5504 | Row << 4;  // byte 0 from the bank, byte 1 from the column, the rest zero
    constexpr std::size_t kOffset = Which / 2 * kPairBytes + Which % 2 * 128;
    const auto* const tables = reinterpret_cast<const char*>(detail::shared_tables);
    return *reinterpret_cast<const std::uint32_t*>(tables + kOffset + __byte_perm(column, bank_, kSelect));
  }

  std::uint32_t bank_;
};

}  // namespace gpuaes
