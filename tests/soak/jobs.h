// What a soak's threads do: one job after the other, each with contexts and memory of its own, every byte compared.
#pragma once

#include "support/bytes.h"
#include "support/library.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace gpuaes::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
  bool one_in(std::size_t times) { return below(times) == 0; }
  // From 0 to `largest`, which is a power of two: small ones as often as large ones, odd ones as often as even ones.
  std::size_t size(std::size_t largest);
  template <typename List>
  const auto& pick(const List& list)
  {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 engine_;
};

struct JobLimits {
  std::size_t largest = 0;    // bytes of a call, a power of two
  bool device_memory = true;  // what a failing device was working on there may be lost
  bool pinned_memory = true;  // a process forked from one that uses CUDA can allocate none
};

struct JobsDone {
  std::uint64_t jobs = 0;
  std::uint64_t calls = 0;  // that were compared
  std::uint64_t bytes = 0;  // of their input
  std::uint64_t loads = 0;  // of a provider in a library context of its own

  JobsDone& operator+=(const JobsDone& more);
};

// A stream with a cipher, a digest, or a library context of the job's own that comes and goes. Throws Difference.
JobsDone do_any_job(const Library& library, Random& random, const JobLimits& limits);
// The first of these.
JobsDone do_stream(const Library& library, Random& random, const JobLimits& limits);

}  // namespace gpuaes::test
