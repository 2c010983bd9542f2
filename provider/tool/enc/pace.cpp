#include "pace.h"

#include "match/demand.h"

#include <algorithm>

namespace gpuaes::enc {
namespace {

constexpr std::uint64_t kEnoughToTell = std::uint64_t{8} << 20;

// What crosses the link there and back, read by eight threads from the page cache, on the reference machine; one thread did 5.9e9
// with nothing written.
constexpr double kMostFeeding = 34e9;
constexpr double kFeeding = 5.9e9;

}  // namespace

double Pace::seconds_won(int threads, std::uint64_t bytes) const
{
  const auto done = static_cast<double>(bytes_.load(std::memory_order_relaxed));
  const auto all = static_cast<double>(all_.load(std::memory_order_relaxed)) / 1e9;
  const double moving = all - static_cast<double>(cipher_.load(std::memory_order_relaxed)) / 1e9;
  if (done < static_cast<double>(kEnoughToTell) || all <= 0) return 0;
  const double feeding = moving > 0 ? std::min(done / moving, kFeeding) : kFeeding;
  return match::seconds_won(done / all, threads, bytes, {.feeding = feeding, .device = kMostFeeding});
}

}  // namespace gpuaes::enc
