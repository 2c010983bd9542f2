#include "aes_kernels.cuh"
#include "shared_tables.cuh"

#include "../core/secret_bytes.h"

#include <algorithm>
#include <array>

namespace gpuaes {
namespace {

// What a kernel gets of a job.
struct Arguments {
  RoundKeys keys;
  Counter counter;
  const uint4* in;
  uint4* out;
  std::size_t blocks;
};

__device__ Block load(const uint4* from)
{
  const uint4 words = *from;
  return {{words.x, words.y, words.z, words.w}};
}

__device__ void store(uint4* to, const Block& block) { *to = {block.column[0], block.column[1], block.column[2], block.column[3]}; }

// A persistent grid: the blocks that fit the card at once go through the data together, side by side.
template <Direction D, int Rounds, int Pairs>
__device__ void run_ecb(const Arguments& job)
{
  const SharedTables<D, Pairs> tables;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= job.blocks) return;
  Block next = load(job.in + i);
#pragma unroll 1
  for (; i < job.blocks; i += threads) {
    const Block block = next;
    if (i + threads < job.blocks) next = load(job.in + i + threads);  // arrives during the rounds
    store(job.out + i, cipher_block<D, Rounds>(tables, job.keys, block));
  }
}

// The counters go in rows of 32, one for each lane, that start at multiples of 32; a warp takes neighbouring rows, so that what
// they share is at hand. The first and the last row may reach beyond the job.
template <int Rounds, int Pairs>
__device__ void run_ctr(const Arguments& job)
{
  const SharedTables<Direction::encrypt, Pairs> tables;
  constexpr std::size_t kRow = 32;
  const std::size_t before = job.counter.low % kRow;  // counters of the first row that precede the job
  const std::size_t rows = (before + job.blocks + kRow - 1) / kRow;
  const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  const std::size_t rows_each = (rows + warps - 1) / warps;
  const std::size_t begin = (std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32) * rows_each;
  const std::size_t end = min(begin + rows_each, rows);

  CounterPrefix prefix;
  CounterGroup group;
#pragma unroll 1
  for (std::size_t row = begin; row < end; ++row) {
    const Counter counter = Counter{job.counter.high, job.counter.low - before}.plus(kRow * row);
    const auto low = static_cast<std::uint32_t>(counter.low);
    if (row == begin || low % 65536 == 0) prefix = make_counter_prefix(tables, job.keys, counter);
    if (row == begin || low % 256 == 0) group = make_counter_group(tables, prefix, low / 256 % 256);
    const unsigned lane = threadIdx.x % 32;
    const std::size_t i = kRow * row + lane - before;  // wraps to a huge number before the job
    if (i >= job.blocks) continue;
    Block block = keystream_block<Rounds>(tables, job.keys, group, low % 256 + lane);
    if (job.in != nullptr) block = block ^ load(job.in + i);
    store(job.out + i, block);
  }
}

template <AesMode M, int Rounds, int Pairs>
__global__ void __launch_bounds__(kThreadsPerBlock, 1) aes_kernel(const __grid_constant__ Arguments job)
{
  if constexpr (M == AesMode::ctr)
    run_ctr<Rounds, Pairs>(job);
  else
    run_ecb<M == AesMode::ecb_encrypt ? Direction::encrypt : Direction::decrypt, Rounds, Pairs>(job);
}

using Kernel = void (*)(Arguments);

template <AesMode M, int Pairs>
constexpr std::array<Kernel, 3> kKernels = {aes_kernel<M, 10, Pairs>, aes_kernel<M, 12, Pairs>, aes_kernel<M, 14, Pairs>};

template <int Pairs>
Kernel kernel_for(AesMode mode, int rounds)
{
  constexpr std::array kByMode = {kKernels<AesMode::ecb_encrypt, Pairs>, kKernels<AesMode::ecb_decrypt, Pairs>,
                                  kKernels<AesMode::ctr, Pairs>};
  return kByMode[static_cast<std::size_t>(mode)][static_cast<std::size_t>(rounds - 10) / 2];
}

}  // namespace

cudaError_t prepare_aes_kernels(const KernelLimits& limits)
{
  for (const AesMode mode : {AesMode::ecb_encrypt, AesMode::ecb_decrypt, AesMode::ctr})
    for (const int rounds : {10, 12, 14}) {
      const Kernel kernel = limits.both_pairs ? kernel_for<2>(mode, rounds) : kernel_for<1>(mode, rounds);
      const auto bytes = static_cast<int>(limits.both_pairs ? kSharedBytes<2> : kSharedBytes<1>);
      const cudaError_t result = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      if (result != cudaSuccess) return result;
    }
  return cudaSuccess;
}

cudaError_t launch_aes(const AesJob& job, const KernelLimits& limits, cudaStream_t stream)
{
  Arguments arguments{job.keys, job.counter, static_cast<const uint4*>(job.in), static_cast<uint4*>(job.out), job.blocks};
  const WipedOnExit wipe(&arguments.keys, sizeof arguments.keys);
  const auto multiprocessors = static_cast<std::size_t>(limits.multiprocessors);
  const auto grid = static_cast<unsigned>(std::min((job.blocks + kThreadsPerBlock - 1) / kThreadsPerBlock, multiprocessors));
  if (limits.both_pairs)
    kernel_for<2>(job.mode, job.rounds)<<<grid, kThreadsPerBlock, kSharedBytes<2>, stream>>>(arguments);
  else
    kernel_for<1>(job.mode, job.rounds)<<<grid, kThreadsPerBlock, kSharedBytes<1>, stream>>>(arguments);
  return cudaGetLastError();
}

}  // namespace gpuaes
