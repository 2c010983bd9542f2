// What tests need of CUDA itself, to play the application that has data on the device. Kept apart so that all else builds without.
#pragma once

#include "engine/device.h"

#include <cstddef>
#include <string>

namespace gpuaes::test {

// Empty if CUDA can be used, else why not.
std::string why_no_cuda();

void* cuda_allocate(MemoryKind kind, std::size_t bytes);
void cuda_release(MemoryKind kind, void* memory) noexcept;
void cuda_copy(void* to, const void* from, std::size_t bytes);

}  // namespace gpuaes::test
