// How much longer than the default provider's, or shorter, does one thread's EVP update take, at every size?
//
// Both providers' updates are timed in turns, for some 50 us or one call each: what slows the machine down for longer than that
// falls on both, so differences of a percent show on a machine whose rates scatter by ten. Names are cipher/memory/bytes/gpuaes.
// The time is gpuaes's median; `default_bytes_per_second` the default provider's rate, and `more_ns` the median of the differences,
// in ns a call. The label is the way that most calls of gpuaes went.
#include "session.h"
#include "update_case.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace gpuaes::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kSmallest = 16;
constexpr double kTurnSeconds = 50e-6;
// For all turns of a case, of which there is always one.
constexpr std::chrono::milliseconds kTime{10};
// In which a stream of CTR updates gets its ring.
constexpr std::chrono::milliseconds kWarmUp{10};

constexpr Layout kLayouts[] = {{Memory::ordinary, Memory::ordinary, true, false, kWhole, "ordinary-in-place"},
                               {Memory::ordinary, Memory::ordinary, false, false, kWhole, "ordinary"},
                               {Memory::pinned, Memory::pinned, false, false, kWhole, "pinned"},
                               {Memory::pinned, Memory::pinned, true, false, kWhole, "pinned-in-place"}};

// One provider's part.
class Side {
 public:
  Side(const Operation& operation, const char* properties, Buffers buffers, std::size_t bytes)
      : contexts_(contexts_at_random(operation, properties)), buffers_(buffers), bytes_(static_cast<int>(bytes))
  {
  }

  // Seconds a call.
  double time(std::int64_t calls)
  {
    EVP_CIPHER_CTX* const context = contexts_.back().get();
    int written = 0;
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i)
      good_ = EVP_CipherUpdate(context, buffers_.out.data(), &written, buffers_.in.data(), bytes_) == 1 && good_;
    return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(calls);
  }
  bool good() const { return good_; }

 private:
  std::vector<Context> contexts_;
  const Buffers buffers_;
  const int bytes_;
  bool good_ = true;
};

double median(std::vector<double>& values)
{
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void run(benchmark::State& state, const std::string& name, const Operation& operation, const Layout& layout, std::size_t bytes)
{
  if (!gives_right_output(name, [&] { return is_right(operation, layout, bytes, "provider=gpuaes"); }))
    return fail(state, name + ": wrong output");
  bool good = true;
  const Ways before = ways_so_far();
  for (auto _ : state) {
    const Buffers buffers = buffers_for(layout, bytes);
    Side ours(operation, "provider=gpuaes", buffers, bytes);
    Side theirs(operation, "provider=default", buffers, bytes);
    std::int64_t calls = 1;  // the first ones also make buffers
    while (std::max(ours.time(calls), theirs.time(calls)) * static_cast<double>(calls) < kTurnSeconds / 2) calls *= 2;
    for (const auto end = Clock::now() + kWarmUp; Clock::now() < end;) ours.time(calls);

    std::vector<double> our_times, their_times, more;
    const auto end = Clock::now() + kTime;
    do {
      const bool ours_first = more.size() % 2 == 0;
      const double first = (ours_first ? ours : theirs).time(calls);
      const double second = (ours_first ? theirs : ours).time(calls);
      our_times.push_back(ours_first ? first : second);
      their_times.push_back(ours_first ? second : first);
      more.push_back(our_times.back() - their_times.back());
    } while (Clock::now() < end);
    state.SetIterationTime(median(our_times));
    state.counters["default_bytes_per_second"] = static_cast<double>(bytes) / median(their_times);
    state.counters["more_ns"] = median(more) * 1e9;
    good = good && ours.good() && theirs.good();
  }
  state.SetLabel(most_frequent_way_since(before));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  if (!good) fail(state, name + ": an update failed");
}

void add(const Operation& operation, const Layout& layout, std::size_t bytes)
{
  const std::string name = std::string(operation.label) + "/" + layout.label + "/" + std::to_string(bytes) + "/gpuaes";
  benchmark::RegisterBenchmark(name.c_str(),
                               [=, &operation, &layout](benchmark::State& state) { run(state, name, operation, layout, bytes); })
      ->UseManualTime()
      ->Iterations(1);
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes::bench;
  if (!start_session()) return 1;
  add_all(kLayouts, kSmallest, add);
  return run_session(argc, argv);
}
