// How many threads can run side by side.
#pragma once

#include <sched.h>

#include <algorithm>
#include <thread>

namespace gpuaes {

// Those processors that the calling thread may use: all of them, or the part that taskset or a container leaves it. One system
// call; the C++ library's question reads a file of the kernel's, which takes as long as starting a quarter of this module.
inline int usable_processors()
{
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);  // of more than a cpu_set_t holds
}

}  // namespace gpuaes
