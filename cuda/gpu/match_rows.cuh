// How a warp reads a text: rows of 512 bytes, 16 a lane, several at a time; and the windows of a lane's 16 places.
#pragma once

#include "../core/match_tables.h"

namespace gpuaes {

constexpr int kPlaces = 16;  // of a lane in a row: a multiple of sizeof(uint4)
constexpr std::size_t kRowBytes = 32 * kPlaces;

// What a warp loads before it looks at the first row. Four rows, with 1,024 threads on a multiprocessor, are 64 KiB under way:
// twice what it takes to keep the memory of an H200 busy.
constexpr int kRowsAtOnce = 4;
constexpr std::size_t kTileBytes = kRowsAtOnce * kRowBytes;

// The text that the windows at a lane's places take part in: its 16 bytes, and `Extra` words of the next lane's.
template <int Extra>
struct LaneText {
  std::uint32_t word[4 + Extra];

  // The word at byte `i`, which must be known when this is compiled.
  __device__ __forceinline__ std::uint32_t window(int i) const
  {
    return i % 4 == 0 ? word[i / 4] : __funnelshift_r(word[i / 4], word[i / 4 + 1], 8 * (i % 4));
  }
};

// The rows of a tile, and lane 0's part of the row behind them.
struct Tile {
  uint4 row[kRowsAtOnce + 1];
};

// The tile that begins at `begin`, a multiple of 16. Rows that begin at `end` or behind are not read and count as zeros.
__device__ __forceinline__ Tile load_tile(const std::uint8_t* text, std::size_t begin, std::size_t end)
{
  Tile tile;
  const unsigned lane = threadIdx.x % 32;
  const auto* const from = reinterpret_cast<const uint4*>(text + begin) + lane;
#pragma unroll
  for (int i = 0; i <= kRowsAtOnce; ++i) {
    const bool wanted = begin + i * kRowBytes < end && (i < kRowsAtOnce || lane == 0);
    tile.row[i] = wanted ? __ldcs(from + 32 * i) : make_uint4(0, 0, 0, 0);
  }
  return tile;
}

// The lane's text in a row; what follows lane 31's is lane 0's of the next row.
template <int Extra>
__device__ __forceinline__ LaneText<Extra> lane_text(const Tile& tile, int row)
{
  const unsigned lane = threadIdx.x % 32;
  const uint4 here = tile.row[row];
  const uint4 below = tile.row[row + 1];
  const auto of_next_lane = [&](std::uint32_t mine, std::uint32_t mine_below) {
    return __shfl_sync(0xffffffff, lane == 0 ? mine_below : mine, (lane + 1) % 32);
  };
  LaneText<Extra> text{{here.x, here.y, here.z, here.w}};
  if constexpr (Extra > 0) text.word[4] = of_next_lane(here.x, below.x);
  if constexpr (Extra > 1) text.word[5] = of_next_lane(here.y, below.y);
  if constexpr (Extra > 2) text.word[6] = of_next_lane(here.z, below.z);
  return text;
}

}  // namespace gpuaes
