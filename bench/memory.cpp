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
  if (kind == Memory::device) cudaMemset(memory, kFill, bytes);
#endif
  return memory;
}

// A process that hands over nothing but ordinary memory is one that doesn't use CUDA, and is measured as that.
void copy(void* to, const void* from, std::size_t bytes, Memory kind)
{
  if (kind != Memory::device) {
    std::memcpy(to, from, bytes);
    return;
  }
#ifdef GPUAES_WITH_CUDA
  const cudaError_t result = cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
#endif
}

}  // namespace

const char* name_of(Memory kind)
{
  constexpr const char* kNames[] = {"ordinary", "pinned", "device"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool can_allocate(Memory kind)
{
#ifdef GPUAES_WITH_CUDA
  static_cast<void>(kind);
  return true;
#else
  return kind == Memory::ordinary;
#endif
}

Block::Block(Memory kind, std::size_t bytes) : kind_(kind), bytes_(bytes), data_(static_cast<std::uint8_t*>(allocate(kind, bytes)))
{
  if (data_ == nullptr) throw std::runtime_error(std::string("no ") + name_of(kind) + " memory");
  if (kind != Memory::device) std::memset(data_, kFill, bytes);
}

Block::~Block()
{
#ifdef GPUAES_WITH_CUDA
  if (kind_ == Memory::pinned) cudaFreeHost(data_);
  if (kind_ == Memory::device) cudaFree(data_);
#endif
  if (kind_ == Memory::ordinary) std::free(data_);
}

void Block::write(const void* from, std::size_t bytes) { copy(data_, from, bytes, kind_); }

void Block::read(void* to, std::size_t bytes) const { copy(to, data_, bytes, kind_); }

}  // namespace gpuaes::bench
