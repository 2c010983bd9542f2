#include "host_match.h"

#include <algorithm>

namespace gpuaes {
namespace {

void report(const MatchJob& job, std::size_t start, std::uint32_t pattern)
{
  if (job.counts != nullptr) {
    ++job.counts[pattern];
    return;
  }
  const std::uint64_t number = (*job.found)++;
  if (number < job.capacity) job.hits[number] = {.at = start, .pattern = pattern};
}

void sweep_alone(const MatchJob& job, const MatchSweep& sweep)
{
  const MatchPattern& pattern = job.tables.pattern(sweep.pattern);
  if (job.text.size < pattern.length) return;
  const std::size_t end = std::min(job.text.to, job.text.size - pattern.length + 1);
  for (std::size_t start = job.text.from; start < end; ++start)
    if (matches_at(job.tables, pattern, job.text.bytes + start)) report(job, start, sweep.pattern);
}

template <int Words>
void sweep_together(const MatchJob& job, const MatchSweep& sweep)
{
  const auto* const filter = job.tables.at<std::uint32_t>(sweep.filter);
  const std::size_t end = std::min(job.text.to + sweep.anchor, job.text.size);
  for (std::size_t at = job.text.from; at < end; ++at) {
    const std::uint32_t hash = hash_at<Words>(job.text.bytes + at, sweep.fold);
    if (!passes_filter(filter, hash, sweep.filter_bits)) continue;
    check_window(job.tables, sweep, hash, job.text, at,
                 [&](std::size_t start, std::uint32_t pattern) { report(job, start, pattern); });
  }
}

}  // namespace

void match_on_host(const MatchJob& job)
{
  for (const MatchSweep& sweep : job.sweeps) {
    switch (sweep.words) {
      case 0:
        sweep_alone(job, sweep);
        break;
      case 1:
        sweep_together<1>(job, sweep);
        break;
      case 2:
        sweep_together<2>(job, sweep);
        break;
      default:
        sweep_together<3>(job, sweep);
        break;
    }
  }
}

}  // namespace gpuaes
