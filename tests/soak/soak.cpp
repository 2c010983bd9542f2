#include "soak.h"

#include "host/host_faults.h"
#include "host/host_memory.h"
#include "support/both.h"
#include "support/child.h"
#include "support/test_device.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

namespace gpuaes::test {
namespace {

using std::chrono::steady_clock;

// Of each thread in a round.
constexpr std::size_t kJobs = 12;
// With faults, this part of the rounds has none.
constexpr std::size_t kRoundsWithoutFault = 3;

constexpr const char* kCounters[] = {"gpuaes.bytes.device",  "gpuaes.bytes.keystream", "gpuaes.bytes.default",
                                     "gpuaes.device_errors", "gpuaes.redone_on_cpu",   "gpuaes.verify_failures",
                                     "gpuaes.rings_started"};

// How a difference came about, the last calls of it.
std::string with_steps(const std::string& what)
{
  constexpr std::size_t kMost = 60;
  const std::vector<std::string>& steps = steps_so_far();
  std::string text;
  for (std::size_t i = steps.size() - std::min(steps.size(), kMost); i < steps.size(); ++i) text += steps[i] + "\n";
  return text + what;
}

}  // namespace

Soak::Soak(const SoakOptions& options) : options_(options), random_(options.seed), counters_(std::size(kCounters)) {}

std::string Soak::run()
{
  std::thread([] {}).join();  // with the first, ThreadSanitizer begins one of its own
  const Footprint at_start = measure_footprint(nullptr);
  const std::size_t allocations_at_start = host_memory::live_allocations();
  const auto started = steady_clock::now();
  auto next_line = started + std::chrono::minutes(1);
  std::vector<Footprint> footprints;
  const auto is_over = [&] {
    if (options_.rounds > 0) return rounds_done_ >= options_.rounds;
    return steady_clock::now() - started >= std::chrono::duration<double>(60 * options_.minutes);
  };
  while (!is_over()) {
    renew_library();
    plan_faults();
    std::string wrong = one_round();
    host_faults::set({});
    if (wrong.empty()) wrong = fork_and_go_on();
    if (!wrong.empty()) return wrong;
    rounds_done_ += 1;
    footprints.push_back(measure_footprint(library_.get()));
    if (footprints.back().pinned > options_.pinned_bytes || footprints.back().device > options_.device_bytes)
      return "more pinned or device memory than the settings allow: " + in_words(footprints.back());
    if (steady_clock::now() < next_line) continue;
    next_line += std::chrono::minutes(1);
    print(footprints.back());
  }
  print(footprints.back());
  std::string growth = what_grows(footprints);
  return growth.empty() ? what_is_left(at_start, allocations_at_start) : growth;
}

// Without a device there is little to soak.
void Soak::renew_library()
{
  if (library_ != nullptr && library_->text("gpuaes.state") == "ready") return;
  if (library_ != nullptr) {
    libraries_lost_ += 1;
    add_counters();
    library_.reset();
  }
  library_ = std::make_unique<Library>(Library::with_environment());
  if (library_->settled_state() != "ready") throw std::runtime_error(library_->text("gpuaes.reason"));
}

void Soak::add_counters()
{
  for (std::size_t i = 0; i < counters_.size(); ++i) counters_[i] += library_->number(kCounters[i]);
}

void Soak::plan_faults()
{
  faulty_ = options_.faults && !random_.one_in(kRoundsWithoutFault);
  if (!faulty_) return;
  constexpr DeviceError::Kind kKinds[] = {DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost};
  host_faults::Plan plan{.kind = random_.pick(kKinds), .when_executed = random_.one_in(2)};
  (random_.one_in(4) ? plan.corrupt_job : plan.fail_at) = 1 + random_.below(500);
  host_faults::set(plan);
}

// Each thread's jobs follow from the seed, the round and its number.
std::string Soak::one_round()
{
  const JobLimits limits{.largest = options_.largest, .device_memory = !faulty_};
  std::mutex mutex;
  std::string wrong;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < options_.threads; ++number)
    threads.emplace_back([&, number] {
      Random random((options_.seed * 1'000'003 + rounds_done_) * 1'009 + number);
      JobsDone done;
      std::string message;
      try {
        for (std::size_t job = 0; job < kJobs && !stop.load(); ++job) done += do_any_job(*library_, random, limits);
      } catch (const std::exception& error) {
        message = with_steps(error.what());
        stop.store(true);
      }
      const std::lock_guard lock(mutex);
      done_ += done;
      if (wrong.empty() && !message.empty()) wrong = "round " + std::to_string(rounds_done_) + ": " + message;
    });
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

// A child that has inherited a stream in the middle goes on with it, begins others, and exits as programs do.
std::string Soak::fork_and_go_on()
{
  steps_so_far().clear();
  forks_ += 1;
  const JobLimits limits{.largest = std::size_t{1} << 16, .device_memory = false, .pinned_memory = !on_cuda()};
  const Bytes key = test_key(32);
  const Bytes in = pattern(4096);
  try {
    Both both(*library_, "AES-256-CTR");
    both.init(nullptr, &key, &key, 1, nullptr);
    const auto go_on = [&] {
      for (int i = 0; i < 200; ++i) both.update(in, {});
      both.compare_position();
      return true;
    };
    go_on();
    const std::uint64_t seed = options_.seed + rounds_done_;
    const Ending ending = run_in_child([&] {
      Random random(seed);
      go_on();
      do_stream(*library_, random, limits);
      return library_->text("gpuaes.state") == "forked" ? 0 : 1;
    });
    if (!(ending == Ending{true, 0}))
      return std::string("a forked child ended with ") + (ending.exited ? "status " : "signal ") + std::to_string(ending.code);
    go_on();
  } catch (const Difference& difference) {
    return with_steps(difference.what());
  }
  return "";
}

void Soak::print(const Footprint& footprint) const
{
  constexpr double kGB = 1e9;
  std::vector<std::uint64_t> counters = counters_;
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] += library_->number(kCounters[i]);
  const auto gigabytes = [&](std::size_t counter) { return static_cast<double>(counters[counter]) / kGB; };
  std::printf(
      "%zu rounds, %llu jobs, %llu calls, %.1f GB compared; by the main library: device %.1f GB, keystream %.1f GB, default %.1f "
      "GB, "
      "%llu errors, %llu redone, %llu wrong results, %llu rings, %llu devices lost; %llu forks, %llu libraries; %s\n",
      rounds_done_, static_cast<unsigned long long>(done_.jobs), static_cast<unsigned long long>(done_.calls),
      static_cast<double>(done_.bytes) / kGB, gigabytes(0), gigabytes(1), gigabytes(2),
      static_cast<unsigned long long>(counters[3]), static_cast<unsigned long long>(counters[4]),
      static_cast<unsigned long long>(counters[5]), static_cast<unsigned long long>(counters[6]),
      static_cast<unsigned long long>(libraries_lost_), static_cast<unsigned long long>(forks_),
      static_cast<unsigned long long>(done_.loads), in_words(footprint).c_str());
  std::fflush(stdout);
}

// With the last library gone, nothing of the stand-in is. CUDA keeps threads and descriptors until the process ends.
std::string Soak::what_is_left(const Footprint& at_start, std::size_t allocations_at_start)
{
  library_.reset();
  const Footprint now = measure_footprint(nullptr);
  if (host_memory::live_allocations() != allocations_at_start)
    return std::to_string(host_memory::live_allocations() - allocations_at_start) + " pieces of the stand-in's memory are left";
  if (on_cuda()) return "";
  if (now.threads != at_start.threads)
    return "threads: " + std::to_string(at_start.threads) + " at first, " + std::to_string(now.threads) + " at last";
  if (now.descriptors != at_start.descriptors)
    return "descriptors: " + std::to_string(at_start.descriptors) + " at first, " + std::to_string(now.descriptors) + " at last";
  return "";
}

}  // namespace gpuaes::test
