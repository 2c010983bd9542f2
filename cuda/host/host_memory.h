// The stand-in's memory. What it calls device memory is mapped twice: where callers see it, any access by the processor is a fault,
// as with a real device; the stand-in itself works through the other mapping.
#pragma once

#include "../engine/device.h"

#include <cstddef>

namespace gpuaes::host_memory {

// `kind` is pinned, managed or device. Filled with a pattern. Throws DeviceError.
void* allocate(MemoryKind kind, std::size_t bytes);
void release(void* memory) noexcept;

MemoryPlace place_of(const void* memory) noexcept;

// Where the stand-in may access the byte that callers know as `memory`.
void* reach(const void* memory) noexcept;

// Pieces allocated and not yet released.
std::size_t live_allocations() noexcept;

}  // namespace gpuaes::host_memory
