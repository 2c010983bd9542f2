// Rounds of work by many threads. Between them all stand still: then the process forks, faults are planned, and what it holds is
// measured.
#pragma once

#include "footprint.h"
#include "jobs.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuaes::test {

struct SoakOptions {
  double minutes = 0;  // if `rounds` is 0
  std::size_t rounds = 0;
  std::size_t threads = 4;
  std::uint64_t seed = 1;
  std::size_t largest = std::size_t{64} << 20;  // bytes of a call, a power of two
  bool faults = false;
  // The bounds that the settings have.
  std::int64_t pinned_bytes = std::int64_t{256} << 20;
  std::int64_t device_bytes = std::int64_t{1} << 30;
};

class Soak {
 public:
  // The settings of all that is loaded are those of the environment.
  explicit Soak(const SoakOptions& options);

  // Prints a line a minute and one at the end. Empty, or what was wrong.
  std::string run();

 private:
  std::string one_round();
  void plan_faults();
  void renew_library();
  std::string fork_and_go_on();
  void add_counters();
  void print(const Footprint& footprint) const;
  std::string what_is_left(const Footprint& at_start, std::size_t allocations_at_start);

  const SoakOptions options_;
  Random random_;  // of the thread that calls run()
  std::unique_ptr<Library> library_;
  JobsDone done_;
  std::size_t rounds_done_ = 0;
  std::uint64_t forks_ = 0;
  std::uint64_t libraries_lost_ = 0;
  std::vector<std::uint64_t> counters_;  // of libraries that are gone
  bool faulty_ = false;
};

}  // namespace gpuaes::test
