#include "demand.h"

namespace gpuaes::match {
namespace {

constexpr std::uint64_t kEnoughToTell = std::uint64_t{8} << 20;

// Measured on the reference machine.
constexpr double kStarting = 0.4;  // seconds until a device is up
constexpr double kEnding = 0.1;    // that the end of a process takes longer when it has used one

}  // namespace

double Pace::of_one_thread() const
{
  const std::uint64_t bytes = bytes_.load(std::memory_order_relaxed), nanoseconds = nanoseconds_.load(std::memory_order_relaxed);
  return bytes < kEnoughToTell || nanoseconds == 0 ? 0 : static_cast<double>(bytes) * 1e9 / static_cast<double>(nanoseconds);
}

double seconds_won(double pace_of_one_thread, int threads, std::uint64_t bytes, const FeedingRates& feeding)
{
  if (pace_of_one_thread <= 0) return 0;
  const double by_processor = pace_of_one_thread * threads;
  FeedingRates rates = feeding;
  rates.searching = pace_of_one_thread;
  const double with_device = bytes_a_second(rates, best_feeders(rates, threads), threads);
  const double left = static_cast<double>(bytes) - by_processor * kStarting;  // when it is up
  return left <= 0 ? -kEnding : left / by_processor - left / with_device - kEnding;
}

}  // namespace gpuaes::match
