// What the card and its link allow, whatever the cipher: lookups in shared memory, copying and reading device memory, the link.
//
// Times are those of CUDA events. The AES kernels' bound is the lookups' rate over the lookups that a block of 16 bytes takes.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t kBytes = std::size_t{1} << 30;
constexpr int kThreads = 1024;
constexpr int kChains = 8;
constexpr int kRounds = 2048;

void check(cudaError_t result, const char* what)
{
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "bounds: %s: %s\n", what, cudaGetErrorString(result));
  std::exit(2);
}

// Each lane looks up words in its own bank, each next address out of the word before: as an AES round does, without the rest.
__global__ void look_up(std::uint32_t* result)
{
  extern __shared__ std::uint32_t words[];
  for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = (i * 37 % 256 * 32 + i % 32) * 4;
  __syncthreads();
  std::uint32_t at[kChains];
#pragma unroll
  for (int k = 0; k < kChains; ++k) at[k] = ((threadIdx.x / 32 + 7 * k) % 256 * 32 + threadIdx.x % 32) * 4;
  for (int round = 0; round < kRounds; ++round)
#pragma unroll
    for (int k = 0; k < kChains; ++k) at[k] = *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(words) + at[k]);
  std::uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < kChains; ++k) sum ^= at[k];
  if (sum == 1) *result = sum;  // never, but the compiler doesn't know
}

__global__ void read_all(const uint4* from, std::size_t count, std::uint32_t* result)
{
  uint4 sum{};
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 next = __ldcs(from + i);
    sum = {sum.x ^ next.x, sum.y ^ next.y, sum.z ^ next.z, sum.w ^ next.w};
  }
  if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 0x12345678) *result = sum.x;
}

__global__ void copy_all(uint4* to, const uint4* from, std::size_t count)
{
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) __stcs(to + i, __ldcs(from + i));
}

struct Card {
  int multiprocessors = 0;
  std::uint8_t *device_in = nullptr, *device_out = nullptr, *pinned_in = nullptr, *pinned_out = nullptr;
  std::uint32_t* result = nullptr;
  cudaStream_t up = nullptr, down = nullptr;
  cudaEvent_t start = nullptr, end = nullptr, halfway = nullptr;
};

Card open_card()
{
  Card card;
  check(cudaDeviceGetAttribute(&card.multiprocessors, cudaDevAttrMultiProcessorCount, 0), "no device");
  check(cudaMalloc(&card.device_in, kBytes), "cudaMalloc");
  check(cudaMalloc(&card.device_out, kBytes), "cudaMalloc");
  check(cudaMalloc(&card.result, sizeof *card.result), "cudaMalloc");
  check(cudaMallocHost(&card.pinned_in, kBytes), "cudaMallocHost");
  check(cudaMallocHost(&card.pinned_out, kBytes), "cudaMallocHost");
  check(cudaMemset(card.device_in, 0x5a, kBytes), "cudaMemset");
  std::fill_n(card.pinned_in, kBytes, std::uint8_t{0x5a});
  check(cudaStreamCreateWithFlags(&card.up, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaStreamCreateWithFlags(&card.down, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaEventCreate(&card.start), "cudaEventCreate");
  check(cudaEventCreate(&card.end), "cudaEventCreate");
  check(cudaEventCreate(&card.halfway), "cudaEventCreate");
  check(cudaFuncSetAttribute(look_up, cudaFuncAttributeMaxDynamicSharedMemorySize, 32 << 10), "cudaFuncSetAttribute");
  return card;
}

// Adds a case: `work` queues something on the card's streams; what `down` got is waited for too.
template <typename Work>
void add(const char* name, Card& card, double bytes, double lookups, Work work)
{
  benchmark::RegisterBenchmark(name, [=, &card](benchmark::State& state) {
    work();
    check(cudaDeviceSynchronize(), name);
    for (auto _ : state) {
      check(cudaEventRecord(card.start, card.up), name);
      check(cudaStreamWaitEvent(card.down, card.start, 0), name);
      work();
      check(cudaGetLastError(), name);
      check(cudaEventRecord(card.halfway, card.down), name);
      check(cudaStreamWaitEvent(card.up, card.halfway, 0), name);
      check(cudaEventRecord(card.end, card.up), name);
      check(cudaEventSynchronize(card.end), name);
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, card.start, card.end), name);
      state.SetIterationTime(milliseconds / 1e3);
    }
    if (bytes > 0) state.SetBytesProcessed(static_cast<std::int64_t>(bytes * static_cast<double>(state.iterations())));
    if (lookups > 0) state.SetItemsProcessed(static_cast<std::int64_t>(lookups * static_cast<double>(state.iterations())));
  })->UseManualTime();
}

}  // namespace

int main(int argc, char** argv)
{
  static Card card = open_card();
  const std::size_t count = kBytes / sizeof(uint4);
  auto* const in = reinterpret_cast<uint4*>(card.device_in);
  auto* const out = reinterpret_cast<uint4*>(card.device_out);
  const int blocks = card.multiprocessors;
  add("shared-lookups", card, 0, double{kThreads} * blocks * kChains * kRounds,
      [=] { look_up<<<blocks, kThreads, 32 << 10, card.up>>>(card.result); });
  add("device-read", card, kBytes, 0, [=] { read_all<<<blocks * 4, 512, 0, card.up>>>(in, count, card.result); });
  add("device-copy", card, 2.0 * kBytes, 0, [=] { copy_all<<<blocks * 4, 512, 0, card.up>>>(out, in, count); });
  const auto up = [] { check(cudaMemcpyAsync(card.device_in, card.pinned_in, kBytes, cudaMemcpyHostToDevice, card.up), "copy"); };
  const auto down = [] {
    check(cudaMemcpyAsync(card.pinned_out, card.device_out, kBytes, cudaMemcpyDeviceToHost, card.down), "copy");
  };
  add("link-to-device", card, kBytes, 0, up);
  add("link-to-host", card, kBytes, 0, down);
  add("link-each-way", card, kBytes, 0, [=] { up(), down(); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
