// The few functions of NVIDIA's driver library that must be called without the CUDA runtime. But for start(), the library is looked
// up, never loaded: a process that doesn't use CUDA has none, and then there is nothing to ask.
#pragma once

#include "../engine/device.h"

#include <functional>
#include <string>

namespace gpuaes::driver {

// Loads and initialises the library step by step, as the CUDA runtime does in one: each step registers handlers for exit(), which
// may begin at any time. What goes wrong the runtime will find too, and say.
void start(const std::function<void()>& between_stages);

// Of the kernel's module, such as 580.95.05; empty where none is loaded. Asks the kernel, not the library.
std::string version();

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
