#include "cuda_memory.h"

#include <stdexcept>

namespace gpuaes::test {

std::string why_no_cuda() { return "built without CUDA"; }

void* cuda_allocate(MemoryKind, std::size_t) { throw std::logic_error(why_no_cuda()); }
void cuda_release(MemoryKind, void*) noexcept {}
void cuda_copy(void*, const void*, std::size_t) { throw std::logic_error(why_no_cuda()); }

}  // namespace gpuaes::test
