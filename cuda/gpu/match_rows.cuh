// How a warp reads a text: rows of 512 bytes, 16 a lane, several at a time; and the windows of a lane's 16 places.
#pragma once

#include "../core/match_tables.h"

namespace gpuaes {

constexpr int kPlaces = 16;  // of a lane in a row: a multiple of sizeof(uint4)
constexpr std::size_t kRowBytes = 32 * kPlaces;

// What a warp loads before it looks at the first row: with 1,280 threads on a multiprocessor, four rows are 80 KiB under way, twice
// what keeps the memory of an H200 busy.
constexpr int kRowsAtOnce = 4;
constexpr std::size_t kTileBytes = kRowsAtOnce * kRowBytes;

// The text that the windows at a lane's places take part in: its 16 bytes, and `Extra` words of what follows.
template <int Extra>
struct LaneText {
  std::uint32_t word[4 + Extra];

  // The word at byte `i`, which must be known when this is compiled.
  __device__ __forceinline__ std::uint32_t window(int i) const
  {
    return i % 4 == 0 ? word[i / 4] : __funnelshift_r(word[i / 4], word[i / 4 + 1], 8 * (i % 4));
  }
};

// The rows of a tile, and in lane 0 the first words of the row behind them.
template <int Extra>
struct Tile {
  uint4 row[kRowsAtOnce];
  std::uint32_t behind[Extra];
};

// The tile that begins at `begin`, a multiple of 16. Rows that begin at `end` or behind are not read and count as zeros.
template <int Extra>
__device__ __forceinline__ Tile<Extra> load_tile(const std::uint8_t* text, std::size_t begin, std::size_t end)
{
  Tile<Extra> tile;
  const unsigned lane = threadIdx.x % 32;
  const auto* const from = reinterpret_cast<const uint4*>(text + begin) + lane;
  const auto left = static_cast<unsigned>(min(end - begin, kTileBytes + 1));  // a tile and more is as good as any
#pragma unroll
  for (int i = 0; i < kRowsAtOnce; ++i)
    tile.row[i] = static_cast<unsigned>(i * kRowBytes) < left ? __ldcs(from + 32 * i) : make_uint4(0, 0, 0, 0);
  const auto* const behind = reinterpret_cast<const std::uint32_t*>(from + 32 * kRowsAtOnce);
#pragma unroll
  for (int i = 0; i < Extra; ++i) tile.behind[i] = left > static_cast<unsigned>(kTileBytes) && lane == 0 ? __ldcs(behind + i) : 0;
  return tile;
}

// The lane's text in a row; what follows lane 31's is lane 0's of the next row.
template <int Extra>
__device__ __forceinline__ LaneText<Extra> lane_text(const Tile<Extra>& tile, int row)
{
  const unsigned lane = threadIdx.x % 32;
  const uint4 here = tile.row[row];
  LaneText<Extra> text{{here.x, here.y, here.z, here.w}};
#pragma unroll
  for (int i = 0; i < Extra; ++i) {
    std::uint32_t below = tile.behind[i];
    if (row + 1 < kRowsAtOnce) below = i == 0 ? tile.row[row + 1].x : i == 1 ? tile.row[row + 1].y : tile.row[row + 1].z;
    text.word[4 + i] = __shfl_sync(0xffffffff, lane == 0 ? below : text.word[i], (lane + 1) % 32);
  }
  return text;
}

}  // namespace gpuaes
