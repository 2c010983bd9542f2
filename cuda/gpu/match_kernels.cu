#include "match_kernels.cuh"
#include "match_rows.cuh"

#include <algorithm>

namespace gpuaes {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksAlone = 5;          // on a multiprocessor: as many as get by with their registers
constexpr unsigned kBlocksTogether = 3;       // what shared memory holds of the largest filter
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

__device__ void add_count(std::uint64_t* counts, std::uint32_t pattern, unsigned more)
{
#if __CUDA_ARCH__ >= 800
  // One for all threads that have the same pattern: memory adds one number after the other to the same place.
  const unsigned same = __match_any_sync(__activemask(), pattern);
  more = __reduce_add_sync(same, more);
  if (threadIdx.x % 32 != __ffs(same) - 1) return;
#endif
  atomicAdd(reinterpret_cast<unsigned long long*>(counts + pattern), static_cast<unsigned long long>(more));
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
    if (count_ > 0) add_count(counts, pattern_, count_);
    count_ = 0;
  }

 private:
  std::uint32_t pattern_ = 0;
  unsigned count_ = 0;  // enough for the places that one thread sees
};

// Calls look(tile, begin) for the tiles of the text that are this warp's: neighbouring warps read neighbouring tiles.
template <int Extra, typename Look>
__device__ __forceinline__ void for_each_tile(const Arguments& job, Look&& look)
{
  const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  const std::size_t warp = std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32;
  // A window at the last place reaches into the row behind.
  const std::size_t end = min(job.last + sizeof(uint4), job.text.size);
#pragma unroll 1
  for (std::size_t begin = job.first + warp * kTileBytes; begin < job.last; begin += warps * kTileBytes)
    look(load_tile<Extra>(job.text.bytes, begin, end), begin);
}

// Of the places that a pattern may start at, those among the 16 from `start` on.
__device__ unsigned admitted_places(const MatchText& text, std::int64_t start, std::uint32_t length)
{
  const std::int64_t end = min(static_cast<std::int64_t>(text.to), static_cast<std::int64_t>(text.size) - length + 1);
  const std::int64_t from = max(static_cast<std::int64_t>(text.from) - start, std::int64_t{0});
  const std::int64_t to = min(end - start, std::int64_t{kPlaces});
  return from < to ? ((1u << to) - 1) & ~((1u << from) - 1) : 0;
}

// Where a text, too, is one word over and over, there is little to compare. False if it isn't; else `left` is what
// matching_places() makes of it.
__device__ __forceinline__ bool match_repeated_word(const MatchTables& tables, const MatchPattern& pattern,
                                                    const std::uint8_t* start, unsigned& left)
{
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const unsigned bytes = static_cast<unsigned>(address & 3) + kPlaces - 1 + pattern.length;
  const std::uint32_t word = words[0];
#pragma unroll 1
  for (unsigned i = 1; 4 * i < bytes; i += 4)
    if (((words[i] ^ word) | (words[i + 1] ^ word) | (words[i + 2] ^ word) | (words[i + 3] ^ word)) != 0) return false;
  unsigned places = 0;
#pragma unroll
  for (int rest = 0; rest < 4; ++rest)
    if (__funnelshift_r(word, word, 8 * static_cast<unsigned>(address + rest)) == *tables.at<std::uint32_t>(pattern.value))
      places |= 0x1111u << rest;
  left &= places;
  return true;
}

// Of the places `left` among the 16 from `start` on, those that the whole pattern matches at: a step of 16 bytes of the pattern at
// all places, so that it takes little longer at 16 than at one.
__device__ __forceinline__ unsigned matching_places(const MatchTables& tables, const MatchPattern& pattern,
                                                    const std::uint8_t* start, unsigned left)
{
  if (pattern.repeats != 0 && match_repeated_word(tables, pattern, start, left)) return left;
  const auto* value = tables.at<uint4>(pattern.value);
  const auto* mask = tables.at<uint4>(pattern.mask);
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const auto* next = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const unsigned shift = 8 * static_cast<unsigned>(address & 3);
  std::uint32_t raw = *next++;
  const auto load = [&](std::uint32_t* words) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t more = *next++;
      words[i] = __funnelshift_r(raw, more, shift);
      raw = more;
    }
  };
  std::uint32_t text[8];
  load(text);
#pragma unroll 1
  for (std::uint32_t at = 0; at < pattern.length && left != 0; at += sizeof(uint4)) {
    load(text + 4);
    const uint4 wanted = *value++, cared_for = *mask++;
    // Places with the same rest modulo four have windows in common. Not unrolled, for the sake of registers.
#pragma unroll 1
    for (int rest = 0; rest < 4; ++rest) {
      unsigned differing = 0;
      std::uint32_t window[7];
#pragma unroll
      for (int i = 0; i < 7; ++i) window[i] = __funnelshift_r(text[i], text[i + 1], 8 * rest);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t apart = ((window[i] ^ wanted.x) & cared_for.x) | ((window[i + 1] ^ wanted.y) & cared_for.y) |
                                    ((window[i + 2] ^ wanted.z) & cared_for.z) | ((window[i + 3] ^ wanted.w) & cared_for.w);
        if (apart != 0) differing |= 1u << (4 * i);
      }
      left &= ~(differing << rest);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) text[i] = text[i + 4];
  }
  return left;
}

// Of the places `among` the 16 from `start` on, those that a match starts at.
__device__ __forceinline__ unsigned found_places(const Arguments& job, const MatchPattern& pattern, std::int64_t start,
                                                 unsigned among)
{
  const unsigned places = admitted_places(job.text, start, pattern.length) & among;
  if (places == 0) return 0;
  const int skip = __ffs(places) - 1;  // what precedes may not be readable
  return matching_places(job.tables, pattern, job.text.bytes + (start + skip), places >> skip) << skip;
}

// How a pattern alone is looked for. In each way, the test of 16 places is zero if any of them agrees, and hardly ever else.
enum class Window {
  words,   // by the aligned words of the text: MatchSweep::by_words
  pair,    // eight bytes at each place
  masked,  // the same with masks
  word,    // four bytes at each place, with a mask
};

// Words of the next lane that take part.
__host__ __device__ constexpr int words_of(Window window) { return window == Window::words || window == Window::word ? 1 : 2; }

template <Window W>
__device__ __forceinline__ std::uint32_t least_difference(const MatchSweep& sweep, const LaneText<words_of(W)>& text)
{
  std::uint32_t least = 0xffffffff;
  if constexpr (W == Window::words) {
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      const std::uint32_t sum = weigh_window(text.word[word], text.word[word + 1]);
#pragma unroll
      for (int i = 0; i < 4; i += 2) least = __vimin3_u32(least, sum - sweep.word_sum[i], sum - sweep.word_sum[i + 1]);
    }
  } else {
    const auto difference = [&](int place) {
      const std::uint32_t low = text.window(place);
      if constexpr (W == Window::word) return (low ^ sweep.value[0]) & sweep.mask[0];
      if constexpr (W == Window::masked)
        return ((low ^ sweep.value[0]) & sweep.mask[0]) | ((text.window(place + 4) ^ sweep.value[1]) & sweep.mask[1]);
      return weigh_window(low, text.window(place + 4)) - sweep.sum;
    };
#pragma unroll
    for (int place = 0; place < kPlaces; place += 2) least = __vimin3_u32(least, difference(place), difference(place + 1));
  }
  return least;
}

// A pattern alone. All rows of a tile are tested before any is looked at closely, which reads the text again: so that what the tile
// needs and what that needs can have the same registers.
template <Window W, bool List>
__global__ void __launch_bounds__(kThreads, kBlocksAlone) match_alone(const __grid_constant__ Arguments job)
{
  const MatchSweep& sweep = job.sweep;
  unsigned count = 0;  // enough for the places that one thread sees
  for_each_tile<words_of(W)>(job, [&](const Tile<words_of(W)>& tile, std::size_t begin) {
    unsigned rows = 0;
#pragma unroll
    for (int row = 0; row < kRowsAtOnce; ++row)
      if (least_difference<W>(sweep, lane_text(tile, row)) == 0) rows |= 1u << row;
#pragma unroll 1
    for (; rows != 0; rows &= rows - 1) {
      const std::size_t at = begin + (__ffs(rows) - 1) * kRowBytes + threadIdx.x % 32 * kPlaces;
      const std::int64_t start = static_cast<std::int64_t>(at) - sweep.anchor - (W == Window::words ? 3 : 0);
      unsigned places = found_places(job, job.tables.pattern(sweep.pattern), start, (1u << kPlaces) - 1);
      if constexpr (List) {
        for (; places != 0; places &= places - 1) list_hit(job, start + (__ffs(places) - 1), sweep.pattern);
      } else {
        count += __popc(places);
      }
    }
  });
  if constexpr (!List)
    if (count > 0) add_count(job.counts, sweep.pattern, count);
}

// From so many on, places that pass the filter are looked at together.
constexpr int kManyPlaces = 4;

// Of a lane's places, those with this hash.
template <int Words>
__device__ __forceinline__ unsigned places_with(std::uint32_t hash, const LaneText<Words>& text)
{
  unsigned places = 0;
#pragma unroll
  for (int place = 0; place < kPlaces; ++place)
    if (hash_window<Words>(text.window(place), Words > 1 ? text.window(place + 4) : 0, Words > 2 ? text.window(place + 8) : 0) ==
        hash)
      places |= 1u << place;
  return places;
}

// Calls on_matches(start, places, pattern) for the patterns that match with their windows at some of `places` from `at` on.
template <int Words, typename OnMatches>
__device__ __forceinline__ void check_many_windows(const Arguments& job, const LaneText<Words>& text, std::size_t at,
                                                   unsigned places, OnMatches&& on_matches)
{
  const MatchSweep& sweep = job.sweep;
  const auto* const entries = job.tables.at<MatchEntry>(sweep.entries);
  while (places != 0) {
    const int first = __ffs(places) - 1;
    const std::uint32_t hash = hash_at<Words>(job.text.bytes + at + first, sweep.fold);
    const unsigned same = (places_with<Words>(hash, text) & places) | (1u << first);
    places &= ~same;
    const auto* const bucket = job.tables.at<std::uint32_t>(sweep.buckets) + (hash >> sweep.bucket_shift);
    for (std::uint32_t i = bucket[0]; i < bucket[1]; ++i) {
      if (entries[i].hash != hash) continue;
      const MatchPattern& pattern = job.tables.pattern(entries[i].pattern);
      const std::int64_t start = static_cast<std::int64_t>(at) - pattern.anchor;
      const unsigned found = found_places(job, pattern, start, same);
      if (found != 0) on_matches(start, found, entries[i].pattern);
    }
  }
}

// Many patterns: each place's window is hashed and looked up in the filter, which lies in shared memory.
template <int Words, bool List>
__global__ void __launch_bounds__(kThreads, kBlocksTogether) match_together(const __grid_constant__ Arguments job)
{
  extern __shared__ std::uint32_t filter[];
  const MatchSweep& sweep = job.sweep;
  for (unsigned i = threadIdx.x; i < 1u << sweep.filter_bits; i += blockDim.x)
    filter[i] = job.tables.at<std::uint32_t>(sweep.filter)[i];
  __syncthreads();

  RunCounter counter;
  const auto on_matches = [&](std::int64_t start, unsigned places, std::uint32_t pattern) {
    if constexpr (List)
      for (; places != 0; places &= places - 1) list_hit(job, start + (__ffs(places) - 1), pattern);
    else
      counter.add(job.counts, pattern, __popc(places));
  };
  const unsigned shift = 22 - sweep.filter_bits;
  for_each_tile<Words>(job, [&](const Tile<Words>& tile, std::size_t begin) {
#pragma unroll
    for (int row = 0; row < kRowsAtOnce; ++row) {
      LaneText<Words> text = lane_text(tile, row);
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
      if (places == 0) continue;
      const std::size_t base = begin + row * kRowBytes + threadIdx.x % 32 * kPlaces;
      // What was taken for zeros behind the last place may not even be readable.
      if (base + kPlaces > job.last) places &= base < job.last ? (1u << (job.last - base)) - 1 : 0;
      if (__popc(places) >= kManyPlaces) {
        check_many_windows<Words>(job, text, base, places, on_matches);
        continue;
      }
      for (; places != 0; places &= places - 1) {
        const std::size_t at = base + (__ffs(places) - 1);
        check_window(job.tables, sweep, hash_at<Words>(job.text.bytes + at, sweep.fold), job.text, at,
                     [&](std::size_t start, std::uint32_t pattern) { on_matches(static_cast<std::int64_t>(start), 1, pattern); });
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
      if (sweep.by_words != 0) return match_alone<Window::words, List>;
      if (!sweep.is_masked()) return match_alone<Window::pair, List>;
      return sweep.is_short() ? match_alone<Window::word, List> : match_alone<Window::masked, List>;
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
                      .last = std::min(job.text.to + sweep.anchor + (sweep.by_words != 0 ? 3 : 0), job.text.size),
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
