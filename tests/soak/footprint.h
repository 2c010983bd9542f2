// What a process holds while it does nothing, and whether it holds ever more.
#pragma once

#include "support/library.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuaes::test {

struct Footprint {
  std::int64_t resident = 0;  // bytes of memory, after malloc has returned what it can
  std::int64_t descriptors = 0;
  std::int64_t threads = 0;
  std::int64_t pinned = 0;  // bytes that the engine holds
  std::int64_t device = 0;
};

// Of this process and, where there is one, of the engine in `library`.
Footprint measure_footprint(const Library* library);
std::string in_words(const Footprint& footprint);

// Empty, or what grows. The first third of the rounds may: buffers are made when they are first needed, and kept. From the second
// third to the last, the median of each figure may grow by no more than its allowance (footprint.cpp).
std::string what_grows(const std::vector<Footprint>& rounds);

}  // namespace gpuaes::test
