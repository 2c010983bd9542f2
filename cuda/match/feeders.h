// How many of the threads feed a device.
#pragma once

#include <algorithm>

namespace gpuaes::match {

// Eight threads read from the page cache as fast as the link takes it.
inline constexpr int kMostFeeders = 8;

// Where the processor searches too.
constexpr int feeders_among(int threads) { return std::min(std::max(threads / 2, 1), kMostFeeders); }

}  // namespace gpuaes::match
