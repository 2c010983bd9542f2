#include "match_kernels.cuh"
#include "match_rows.cuh"

#include <algorithm>

namespace gpuaes {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kFilterBytes = 64u << 10;  // of the largest filter

struct Arguments {
  MatchTables tables;
  MatchSweep sweep;
  MatchText text;
  std::size_t first;  // where the first tile begins: at the first window or up to a row before
  std::size_t last;   // behind the last place of a window
  std::uint64_t* counts;
  std::uint64_t* found;
  MatchHit* hits;
  std::size_t capacity;
};

__device__ void list_hit(const Arguments& job, std::size_t start, std::uint32_t pattern)
{
  const std::uint64_t number = atomicAdd(reinterpret_cast<unsigned long long*>(job.found), 1ull);
  if (number < job.capacity) job.hits[number] = {start, pattern, 0};
}

// Adds up a thread's matches as long as they are of the same pattern: where a text is full of matches, most are.
class RunCounter {
 public:
  __device__ void add(std::uint64_t* counts, std::uint32_t pattern, unsigned more)
  {
    if (pattern != pattern_) flush(counts);
    pattern_ = pattern;
    count_ += more;
  }
  __device__ void flush(std::uint64_t* counts)
  {
    if (count_ > 0) atomicAdd(reinterpret_cast<unsigned long long*>(counts + pattern_), static_cast<unsigned long long>(count_));
    count_ = 0;
  }

 private:
  std::uint32_t pattern_ = 0;
  std::uint64_t count_ = 0;
};

// Calls look(tile, begin) for the tiles of the text that are this warp's: neighbouring warps read neighbouring tiles.
template <typename Look>
__device__ __forceinline__ void for_each_tile(const Arguments& job, Look&& look)
{
  const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  const std::size_t warp = std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32;
  // A window at the last place reaches into the row behind.
  const std::size_t end = min(job.last + sizeof(uint4), job.text.size);
#pragma unroll 1
  for (std::size_t begin = job.first + warp * kTileBytes; begin < job.last; begin += warps * kTileBytes)
    look(load_tile(job.text.bytes, begin, end), begin);
}

// Of the places that a pattern may start at, those among the 16 from `start` on.
__device__ unsigned admitted_places(const MatchText& text, std::int64_t start, std::uint32_t length)
{
  const std::int64_t end = min(static_cast<std::int64_t>(text.to), static_cast<std::int64_t>(text.size) - length + 1);
  const std::int64_t from = max(static_cast<std::int64_t>(text.from) - start, std::int64_t{0});
  const std::int64_t to = min(end - start, std::int64_t{kPlaces});
  return from < to ? ((1u << to) - 1) & ~((1u << from) - 1) : 0;
}

// Of the places `left` among the 16 from `start` on, a multiple of 16, those that the whole pattern matches at. Word by word of the
// pattern at all places, so that it takes little longer at 16 than at one.
__device__ __noinline__ unsigned matching_places(const MatchTables& tables, const MatchPattern& pattern, const std::uint8_t* start,
                                                 unsigned left)
{
  const auto* const value = tables.at<std::uint32_t>(pattern.value);
  const auto* const mask = tables.at<std::uint32_t>(pattern.mask);
  const auto* next = reinterpret_cast<const uint4*>(start);
  uint4 here = *next++;
#pragma unroll 1
  for (std::uint32_t at = 0; at < pattern.length && left != 0; at += sizeof(uint4)) {
    const uint4 behind = *next++;
    const LaneText<4> text{{here.x, here.y, here.z, here.w, behind.x, behind.y, behind.z, behind.w}};
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      if (at + 4 * word >= pattern.length) break;
      const std::uint32_t wanted = value[at / 4 + word], cared_for = mask[at / 4 + word];
#pragma unroll
      for (int place = 0; place < kPlaces; ++place)
        if (((text.window(place + 4 * word) ^ wanted) & cared_for) != 0) left &= ~(1u << place);
    }
    here = behind;
  }
  return left;
}

// Zero at a place whose window agrees, and hardly anywhere else.
template <bool Masked>
__device__ __forceinline__ std::uint32_t difference(const MatchSweep& sweep, std::uint32_t low, std::uint32_t high)
{
  if constexpr (Masked) return ((low ^ sweep.value[0]) & sweep.mask[0]) | ((high ^ sweep.value[1]) & sweep.mask[1]);
  return weigh_window(low, high) - sweep.sum;
}

// A pattern alone: one branch for 16 places, taken only if one of their windows agrees.
template <bool Masked, bool List>
__global__ void __launch_bounds__(kThreads, 4) match_alone(const __grid_constant__ Arguments job)
{
  const MatchSweep& sweep = job.sweep;
  unsigned count = 0;  // enough for the places that one thread sees
  for_each_tile(job, [&](const Tile& tile, std::size_t begin) {
#pragma unroll
    for (int row = 0; row < kRowsAtOnce; ++row) {
      const LaneText<2> text = lane_text<2>(tile, row);
      std::uint32_t least = 0xffffffff;
#pragma unroll
      for (int place = 0; place < kPlaces; ++place)
        least = min(least, difference<Masked>(sweep, text.window(place), text.window(place + 4)));
      if (least != 0) continue;
      const std::int64_t start =
          static_cast<std::int64_t>(begin + row * kRowBytes + threadIdx.x % 32 * kPlaces) - static_cast<std::int64_t>(sweep.anchor);
      const MatchPattern& pattern = job.tables.pattern(sweep.pattern);
      unsigned places = admitted_places(job.text, start, pattern.length);
      if (places != 0) places = matching_places(job.tables, pattern, job.text.bytes + start, places);
      if constexpr (List) {
        for (; places != 0; places &= places - 1) list_hit(job, start + (__ffs(places) - 1), sweep.pattern);
      } else {
        count += __popc(places);
      }
    }
  });
  if constexpr (!List)
    if (count > 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(job.counts + sweep.pattern), static_cast<unsigned long long>(count));
}

// Many patterns: each place's window is hashed and looked up in the filter, which lies in shared memory.
template <int Words, bool List>
__global__ void __launch_bounds__(kThreads, 3) match_together(const __grid_constant__ Arguments job)
{
  extern __shared__ std::uint32_t filter[];
  const MatchSweep& sweep = job.sweep;
  for (unsigned i = threadIdx.x; i < 1u << sweep.filter_bits; i += blockDim.x)
    filter[i] = job.tables.at<std::uint32_t>(sweep.filter)[i];
  __syncthreads();

  RunCounter counter;
  const unsigned shift = 22 - sweep.filter_bits;
  for_each_tile(job, [&](const Tile& tile, std::size_t begin) {
#pragma unroll
    for (int row = 0; row < kRowsAtOnce; ++row) {
      LaneText<Words> text = lane_text<Words>(tile, row);
#pragma unroll
      for (std::uint32_t& word : text.word) word &= sweep.fold;
      unsigned places = 0;
#pragma unroll
      for (int place = 0; place < kPlaces; ++place) {
        const std::uint32_t hash =
            hash_window<Words>(text.window(place), Words > 1 ? text.window(place + 4) : 0, Words > 2 ? text.window(place + 8) : 0);
        // As passes_filter() does it, with shifts that turn.
        const std::uint32_t top = hash >> shift;
        const std::uint32_t word = filter[top >> 10];
        places |= (__funnelshift_r(word, word, top >> 5) & __funnelshift_r(word, word, top) & 1) << place;
      }
      for (; places != 0; places &= places - 1) {
        const std::size_t at = begin + row * kRowBytes + threadIdx.x % 32 * kPlaces + (__ffs(places) - 1);
        if (at >= job.last) break;  // what was taken for zeros there may not even be readable
        const std::uint32_t hash = hash_at<Words>(job.text.bytes + at, sweep.fold);
        check_window(job.tables, sweep, hash, job.text, at, [&](std::size_t start, std::uint32_t pattern) {
          if constexpr (List)
            list_hit(job, start, pattern);
          else
            counter.add(job.counts, pattern, 1);
        });
      }
    }
  });
  if constexpr (!List) counter.flush(job.counts);
}

using Kernel = void (*)(Arguments);

template <bool List>
Kernel kernel_for(const MatchSweep& sweep)
{
  switch (sweep.words) {
    case 0:
      return sweep.is_masked() ? match_alone<true, List> : match_alone<false, List>;
    case 1:
      return match_together<1, List>;
    case 2:
      return match_together<2, List>;
    default:
      return match_together<3, List>;
  }
}

cudaError_t launch_sweep(const MatchJob& job, const MatchSweep& sweep, int multiprocessors, cudaStream_t stream)
{
  Arguments arguments{.tables = job.tables,
                      .sweep = sweep,
                      .text = job.text,
                      .first = (job.text.from + (sweep.words == 0 ? sweep.anchor : 0)) / kRowBytes * kRowBytes,
                      .last = std::min(job.text.to + sweep.anchor, job.text.size),
                      .counts = job.counts,
                      .found = job.found,
                      .hits = job.hits,
                      .capacity = job.capacity};
  if (arguments.first >= arguments.last) return cudaSuccess;
  const Kernel kernel = job.counts != nullptr ? kernel_for<false>(sweep) : kernel_for<true>(sweep);
  const std::size_t shared = sweep.words == 0 ? 0 : sizeof(std::uint32_t) << sweep.filter_bits;
  int resident = 0;
  const cudaError_t result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kThreads, shared);
  if (result != cudaSuccess) return result;
  const std::size_t tiles = (arguments.last - arguments.first + kTileBytes - 1) / kTileBytes;
  const std::size_t blocks = (tiles + kThreads / 32 - 1) / (kThreads / 32);
  const auto fitting = static_cast<std::size_t>(multiprocessors) * static_cast<std::size_t>(std::max(resident, 1));
  kernel<<<static_cast<unsigned>(std::min(blocks, fitting)), kThreads, shared, stream>>>(arguments);
  return cudaGetLastError();
}

}  // namespace

cudaError_t prepare_match_kernels()
{
  for (const std::uint32_t words : {1u, 2u, 3u})
    for (const Kernel kernel : {kernel_for<false>({.words = words}), kernel_for<true>({.words = words})}) {
      const cudaError_t result = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kFilterBytes);
      if (result != cudaSuccess) return result;
    }
  return cudaSuccess;
}

cudaError_t launch_match(const MatchJob& job, int multiprocessors, cudaStream_t stream)
{
  for (const MatchSweep& sweep : job.sweeps) {
    const cudaError_t result = launch_sweep(job, sweep, multiprocessors, stream);
    if (result != cudaSuccess) return result;
  }
  return cudaSuccess;
}

}  // namespace gpuaes
