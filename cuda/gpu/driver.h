// The few functions of NVIDIA's driver library that must be called without starting the CUDA runtime. The library is looked up,
// never loaded: a process that doesn't use CUDA has none, and then there is nothing to ask.
#pragma once

#include "../engine/device.h"

namespace gpuaes::driver {

// Whether any device of this process has an active primary context, which is what the CUDA runtime and most programs use.
bool has_active_context() noexcept;

MemoryPlace place_of(const void* memory) noexcept;

// The context that is current for this thread; null if there is none.
void* current_context() noexcept;

// Makes a context current for this thread while it lives, and then again what was current before, which is the application's
// business.
class CurrentContext {
 public:
  // Throws DeviceError.
  explicit CurrentContext(void* context);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
};

}  // namespace gpuaes::driver
