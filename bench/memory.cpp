#include "memory.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#ifdef GPUAES_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace gpuaes::bench {
namespace {

void* allocate(Memory kind, std::size_t bytes)
{
  if (kind == Memory::ordinary) return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  void* memory = nullptr;
#ifdef GPUAES_WITH_CUDA
  const cudaError_t result = kind == Memory::pinned ? cudaMallocHost(&memory, bytes) : cudaMalloc(&memory, bytes);
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
  if (kind == Memory::device) cudaMemset(memory, 0x5a, bytes);
#endif
  return memory;
}

}  // namespace

const char* name_of(Memory kind)
{
  constexpr const char* kNames[] = {"ordinary", "pinned", "device"};
  return kNames[static_cast<std::size_t>(kind)];
}

Block::Block(Memory kind, std::size_t bytes) : kind_(kind), data_(static_cast<std::uint8_t*>(allocate(kind, bytes)))
{
  if (data_ == nullptr) throw std::runtime_error(std::string("no ") + name_of(kind) + " memory");
  if (kind != Memory::device) std::memset(data_, 0x5a, bytes);
}

Block::~Block()
{
#ifdef GPUAES_WITH_CUDA
  if (kind_ == Memory::pinned) cudaFreeHost(data_);
  if (kind_ == Memory::device) cudaFree(data_);
#endif
  if (kind_ == Memory::ordinary) std::free(data_);
}

}  // namespace gpuaes::bench
