// Ranges on a thread's time line for NVIDIA's profilers (NVTX). Without one attached they cost a load and a branch.
#pragma once

#include <cstddef>

namespace gpuaes::ranges {

// `name` is a literal.
void begin(const char* name, std::size_t bytes) noexcept;
void end() noexcept;

}  // namespace gpuaes::ranges
