// How fast are threads that each encrypt a stream of updates, by kind of memory, size of the update and number of threads, beside
// the default provider in the same run? Small updates of ordinary memory get keystream ahead, large ones are done by the call.
//
// Names are cipher/memory/threads/bytes/provider. Each thread has a context and a message of its own, which it encrypts over and
// over for BENCH_SECONDS (0.15), the largest for 0.4 at least: in place, as `openssl speed` does, or from one buffer of pinned
// memory to another. Beside the rate stands what it costs: seconds of processor for each gigabyte, all threads of the process
// counted, and the GPU's joules if that was long enough to tell.
#include "energy.h"
#include "memory.h"
#include "reference.h"
#include "session.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gpuaes::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Layout {
  Memory memory;
  bool in_place;
  const char* name;
};

constexpr Layout kOrdinary{Memory::ordinary, true, "ordinary"};
constexpr Layout kPinned{Memory::pinned, false, "pinned"};
constexpr Layout kPinnedInPlace{Memory::pinned, true, "pinned-in-place"};
constexpr Layout kDevice{Memory::device, true, "device"};

struct Case {
  const char* cipher;
  Layout layout;
  int threads;
  std::size_t bytes;
  std::string provider;

  std::string name() const
  {
    return std::string(cipher) + "/" + layout.name + "/" + std::to_string(threads) + "/" + std::to_string(bytes) + "/" + provider;
  }
};

constexpr const char* kCiphers[] = {"aes-128-ctr", "aes-256-ctr"};
constexpr int kThreads[] = {1, 4, 16};
constexpr std::size_t kLargest = 64 << 20;
constexpr std::size_t kOrdinarySizes[] = {64, 1 << 10, 8 << 10, 64 << 10, 1 << 20, kLargest};
constexpr std::size_t kOtherSizes[] = {64 << 10, 1 << 20, kLargest};
// Enough for a ring to be there.
constexpr std::size_t kWarmUp = std::size_t{48} << 20;
// What a thread does between looks at the clock.
constexpr std::size_t kHelping = std::size_t{256} << 10;
// One of many threads does no more than three or four of the largest in 0.1 s: the last of them would count for too much.
constexpr double kLeastSecondsOfLargest = 0.4;
// NVML tells energy a few times a second.
constexpr double kLongEnough = 1;

double seconds_wanted(std::size_t bytes)
{
  const char* const text = std::getenv("BENCH_SECONDS");
  const double seconds = text != nullptr ? std::strtod(text, nullptr) : 0.15;
  return bytes == kLargest ? std::max(seconds, kLeastSecondsOfLargest) : seconds;
}

double processor_seconds()
{
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class UpdateStream {
 public:
  UpdateStream(const Case& is, std::span<const std::uint8_t> message)
      : in_(is.layout.memory, is.bytes), context_(make_context(is.cipher, ("provider=" + is.provider).c_str(), true))
  {
    in_.write(message.data(), message.size());
    if (!is.layout.in_place) apart_.emplace(is.layout.memory, is.bytes);
  }

  void update()
  {
    int written = 0;
    good_ = EVP_CipherUpdate(context_.get(), out().data(), &written, in_.data(), static_cast<int>(in_.size())) == 1 && good_;
  }
  void warm_up()
  {
    for (std::size_t done = 0; done < kWarmUp; done += in_.size()) update();
  }
  bool good() const { return good_; }
  std::vector<std::uint8_t> contents()
  {
    std::vector<std::uint8_t> bytes(in_.size());
    out().read(bytes.data(), bytes.size());
    return bytes;
  }

 private:
  Block& out() { return apart_ ? *apart_ : in_; }

  Block in_;
  std::optional<Block> apart_;
  Context context_;
  bool good_ = true;
};

// Whether as many updates by the default provider give the same.
bool is_right(const Case& is)
{
  Case other = is;
  other.provider = "default";
  other.layout.memory = Memory::ordinary;
  UpdateStream stream(is, input(is.bytes));
  UpdateStream reference(other, input(is.bytes));
  stream.warm_up();
  reference.warm_up();
  return stream.good() && reference.good() && stream.contents() == reference.contents();
}

struct Outcome {
  std::int64_t updates = 0;
  double seconds = 0;
  double processor_seconds = 0;
  std::optional<double> joules;
  bool good = true;
};

Outcome run_streams(const Case& is)
{
  const auto helping = static_cast<std::int64_t>(std::max<std::size_t>(kHelping / is.bytes, 1));
  const std::chrono::duration<double> wanted(seconds_wanted(is.bytes));
  std::atomic<std::int64_t> updates{0};
  std::atomic<bool> good{true};
  std::atomic<Clock::time_point> end{Clock::time_point()};
  std::barrier turn(is.threads + 1);
  const auto message = input(is.bytes);  // which isn't to be made by several threads at once
  const auto work = [&] {
    UpdateStream stream(is, message);
    stream.warm_up();
    turn.arrive_and_wait();
    turn.arrive_and_wait();
    std::int64_t done = 0;
    for (const Clock::time_point until = end.load(); Clock::now() < until; done += helping)
      for (std::int64_t i = 0; i < helping; ++i) stream.update();
    updates.fetch_add(done);
    turn.arrive_and_wait();
    if (!stream.good()) good.store(false);
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < is.threads; ++i) workers.emplace_back(work);

  Outcome outcome;
  turn.arrive_and_wait();
  const auto joules = gpu_joules();
  const double processor = processor_seconds();
  const auto start = Clock::now();
  end.store(start + std::chrono::duration_cast<Clock::duration>(wanted));
  turn.arrive_and_wait();
  turn.arrive_and_wait();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.processor_seconds = processor_seconds() - processor;
  if (joules && outcome.seconds >= kLongEnough) outcome.joules = gpu_joules().value_or(*joules) - *joules;
  for (std::thread& worker : workers) worker.join();
  outcome.updates = updates.load();
  outcome.good = good.load();
  return outcome;
}

void run(benchmark::State& state, const Case& is)
{
  if (is.provider != "default" && !gives_right_output(is.name(), [&] { return is_right(is); }))
    return fail(state, is.name() + ": wrong output");
  Outcome outcome;
  for (auto _ : state) {
    outcome = run_streams(is);
    state.SetIterationTime(outcome.seconds);
  }
  if (!outcome.good) return fail(state, is.name() + ": an update failed");
  const double gigabytes = static_cast<double>(outcome.updates) * static_cast<double>(is.bytes) / 1e9;
  state.SetBytesProcessed(outcome.updates * static_cast<std::int64_t>(is.bytes));
  state.counters["cpu_seconds_per_gb"] = outcome.processor_seconds / gigabytes;
  if (outcome.joules) state.counters["gpu_joules_per_gb"] = *outcome.joules / gigabytes;
}

void add(Case is)
{
  for (const char* provider : {"gpuaes", "default"}) {
    if (is.layout.memory == Memory::device && std::string(provider) == "default") continue;
    is.provider = provider;
    benchmark::RegisterBenchmark(is.name().c_str(), [is](benchmark::State& state) { run(state, is); })
        ->UseManualTime()
        ->Iterations(1);
  }
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes::bench;
  if (!start_session()) return 1;
  for (const char* cipher : kCiphers)
    for (const int threads : kThreads) {
      for (const std::size_t bytes : kOrdinarySizes) add({cipher, kOrdinary, threads, bytes, {}});
      if (!has_device()) continue;
      if (std::string(cipher) != kCiphers[1]) continue;  // one is enough to see what the link does
      for (const std::size_t bytes : kOtherSizes) {
        add({cipher, kPinned, threads, bytes, {}});
        add({cipher, kDevice, threads, bytes, {}});
      }
      add({cipher, kPinnedInPlace, threads, kLargest, {}});
    }
  return run_session(argc, argv);
}
