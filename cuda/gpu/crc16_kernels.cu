#include "crc16_kernels.cuh"

#include <algorithm>

namespace gpuaes {
namespace {

constexpr unsigned kThreads = kCrc16Columns;
constexpr unsigned kWarps = kThreads / 32;

// Rows whose loads are under way together, for each of a multiprocessor's blocks: 4 x 8 x 4 KiB, several times what the memory's
// latency needs at its full rate.
constexpr unsigned kRowsAtOnce = 8;
constexpr unsigned kBlocksEach = 4;
static_assert(kRowsAtOnce <= kCrc16RowsUnsettled);

struct Arguments {
  const std::uint8_t* data;
  std::size_t bytes;
  Crc16Layout layout;
  std::size_t rows_each;  // a multiple of kRowsAtOnce
  Crc16Meeting* meeting;
  Crc16Answer* answer;
};

__device__ const Crc16Weights kWeights = make_crc16_weights();

// This thread's column of the block's rows. Beyond the message there are zeros.
__device__ Crc16Column fold_rows(const Arguments& job)
{
  const auto* const columns = reinterpret_cast<const uint4*>(job.data + job.layout.head);
  const std::size_t begin = blockIdx.x * job.rows_each * kCrc16Columns;
  const std::size_t end = begin + job.rows_each * kCrc16Columns;
  Crc16Column column;
#pragma unroll 1
  for (std::size_t i = begin + threadIdx.x; i < end; i += kRowsAtOnce * kCrc16Columns) {
    uint4 next[kRowsAtOnce];
#pragma unroll
    for (unsigned row = 0; row < kRowsAtOnce; ++row) {
      const std::size_t at = i + row * kCrc16Columns;
      next[row] = at < job.layout.columns ? __ldcs(columns + at) : uint4{0, 0, 0, 0};
    }
#pragma unroll
    for (unsigned row = 0; row < kRowsAtOnce; ++row) column.append(next[row].x, next[row].y, next[row].z, next[row].w);
    column.settle();
  }
  return column;
}

__device__ unsigned xor_over_warp(unsigned value)
{
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value ^= __shfl_xor_sync(~0u, value, distance);
  return value;
}

// Bytes that are no whole column, to the answer.
__device__ void hand_over_edges(const Arguments& job)
{
  const unsigned i = threadIdx.x % kCrc16ColumnBytes;
  if (threadIdx.x < kCrc16ColumnBytes) {
    if (i < job.layout.head) job.answer->head.at[i] = job.data[i];
  } else if (threadIdx.x < 2 * kCrc16ColumnBytes) {
    if (i < job.layout.tail) job.answer->tail.at[i] = job.data[job.bytes - job.layout.tail + i];
  }
}

// Adds a block's sum to the others'; the last block to come takes the total and leaves zeros for the next launch.
__device__ void meet(const Arguments& job, std::uint16_t sum)
{
  const std::size_t blocks_below = gridDim.x - 1 - blockIdx.x;
  atomicXor(&job.meeting->sum, unsigned{crc16_multiply(sum, kWeights.rows_below(blocks_below * job.rows_each))});
  __threadfence();
  // Counts up to the last block, and from there to zero.
  if (atomicInc(&job.meeting->finished, gridDim.x - 1) != gridDim.x - 1) return;
  __threadfence();
  job.answer->sum = static_cast<std::uint16_t>(atomicExch(&job.meeting->sum, 0));
  job.answer->rows = gridDim.x * job.rows_each;
}

__global__ void __launch_bounds__(kThreads, kBlocksEach) crc16_kernel(const __grid_constant__ Arguments job)
{
  __shared__ unsigned of_warp[kWarps];
  if (blockIdx.x == 0) hand_over_edges(job);
  const std::uint16_t weight = kWeights.column[threadIdx.x];
  const unsigned sum = xor_over_warp(crc16_multiply(fold_rows(job).value(), weight));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned of_block = 0;
  for (const unsigned part : of_warp) of_block ^= part;
  meet(job, static_cast<std::uint16_t>(of_block));
}

std::size_t divide_up(std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; }

}  // namespace

cudaError_t launch_crc16(const Crc16Job& job, Crc16Meeting* meeting, Crc16Answer* answer, const KernelLimits& limits,
                         cudaStream_t stream)
{
  const Crc16Layout layout = crc16_layout(job.data, job.bytes);
  const std::size_t most_blocks = std::size_t{kBlocksEach} * static_cast<std::size_t>(limits.multiprocessors);
  const std::size_t rows = std::max<std::size_t>(layout.rows(), 1);
  const std::size_t rows_each = divide_up(divide_up(rows, most_blocks), kRowsAtOnce) * kRowsAtOnce;
  const Arguments arguments{static_cast<const std::uint8_t*>(job.data), job.bytes, layout, rows_each, meeting, answer};
  crc16_kernel<<<static_cast<unsigned>(divide_up(rows, rows_each)), kThreads, 0, stream>>>(arguments);
  return cudaGetLastError();
}

}  // namespace gpuaes
