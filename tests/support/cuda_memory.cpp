#include "cuda_memory.h"

#include <cuda_runtime.h>

#include <stdexcept>

namespace gpuaes::test {
namespace {

void check(cudaError_t code)
{
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

}  // namespace

std::string why_no_cuda()
{
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  return code == cudaSuccess ? "" : cudaGetErrorString(code);
}

void* cuda_allocate(MemoryKind kind, std::size_t bytes)
{
  void* memory = nullptr;
  switch (kind) {
    case MemoryKind::pinned:
      check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable));
      break;
    case MemoryKind::managed:
      check(cudaMallocManaged(&memory, bytes));
      break;
    default:
      check(cudaMalloc(&memory, bytes));
      break;
  }
  return memory;
}

void cuda_release(MemoryKind kind, void* memory) noexcept
{
  if (kind == MemoryKind::pinned)
    cudaFreeHost(memory);
  else
    cudaFree(memory);
}

void cuda_copy(void* to, const void* from, std::size_t bytes)
{
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
  check(cudaDeviceSynchronize());
}

}  // namespace gpuaes::test
