// Whether a search is large enough to bring a device up for it.
#pragma once

#include "engine/match_plan.h"

#include <cstdint>

namespace gpuaes::match {

// What the processor would need for `bytes`, in seconds, with so many threads: by rates measured on the reference machine.
double cpu_seconds(const MatchPlan& plan, bool encrypted, int threads, std::uint64_t bytes);

// Bringing a device up takes about 0.4 s, during which the processor searches on; below this many seconds of work it isn't begun.
inline constexpr double kWorthStarting = 0.25;

}  // namespace gpuaes::match
