#include "demand.h"

#include <algorithm>

namespace gpuaes::match {
namespace {

// Bytes a second of one thread, reading included.
constexpr double kOneAlone = 5e9;     // a sweep for a pattern alone
constexpr double kTogether = 0.8e9;   // a sweep for many
constexpr double kDecrypting = 3e9;   // with AES before it
constexpr double kAllThreads = 40e9;  // what memory gives to all of them

}  // namespace

double cpu_seconds(const MatchPlan& plan, bool encrypted, int threads, std::uint64_t bytes)
{
  double seconds_per_byte = encrypted ? 1 / kDecrypting : 0;
  for (const MatchSweep& sweep : plan.sweeps()) seconds_per_byte += 1 / (sweep.words == 0 ? kOneAlone : kTogether);
  const double rate = std::min(threads / seconds_per_byte, kAllThreads);
  return static_cast<double>(bytes) / rate;
}

}  // namespace gpuaes::match
