#include "crossover.h"

#include "names.h"

#include <algorithm>
#include <functional>

namespace gpuaes {
namespace {

constexpr std::size_t kLongestCall = std::size_t{1} << 31;

struct Memory {
  MemoryKind in;
  MemoryKind out;
  bool in_place;
};

constexpr Memory kMemory[] = {
    {MemoryKind::ordinary, MemoryKind::ordinary, false}, {MemoryKind::pinned, MemoryKind::pinned, false},
    {MemoryKind::pinned, MemoryKind::pinned, true},      {MemoryKind::ordinary, MemoryKind::device, false},
    {MemoryKind::device, MemoryKind::ordinary, false},   {MemoryKind::device, MemoryKind::device, false}};

using StepAt = std::function<CrossoverStep(std::size_t bytes)>;

// A way that ends where it began, between two sizes a factor of two apart, is overlooked; where others change, a search by halves
// finds.
std::vector<CrossoverStep> steps_of(const StepAt& at)
{
  std::vector<CrossoverStep> steps = {at(kBlockBytes)};
  for (std::size_t size = 2 * kBlockBytes; size <= kLongestCall; size *= 2)
    while (at(size).route != steps.back().route) {
      std::size_t before = std::max(size / 2, steps.back().bytes), after = size;
      while (after - before > kBlockBytes) {
        const std::size_t middle = (before + after) / 2 / kBlockBytes * kBlockBytes;
        (at(middle).route == steps.back().route ? before : after) = middle;
      }
      steps.push_back(at(after));
    }
  return steps;
}

CrossoverRow aes_row(const Policy& policy, AesMode mode, int rounds, const Memory& memory)
{
  const auto at = [&](std::size_t bytes) {
    const Offer offer{
        .mode = mode, .rounds = rounds, .bytes = bytes, .in = memory.in, .out = memory.out, .in_place = memory.in_place};
    Route route;
    const bool possible = policy.find_route(offer, route);
    return CrossoverStep{.bytes = bytes,
                         .route = possible && policy.prefers(offer, route) ? name_of(route) : "",
                         .device_seconds = possible ? route.seconds : 0,
                         .cpu_seconds = policy.fallback_seconds(offer)};
  };
  return {name_of(mode, rounds), memory.in, memory.out, memory.in_place, steps_of(at)};
}

CrossoverRow crc16_row(const Options& options, MemoryKind kind)
{
  const auto at = [&](std::size_t bytes) {
    const Crc16Offer offer{bytes, kind};
    const char* const route = !crc16_prefers_device(options, offer) ? "" : crc16_reads_directly(kind) ? "direct" : "copied";
    return CrossoverStep{bytes, route, crc16_device_seconds(offer), crc16_cpu_seconds(offer)};
  };
  return {"CRC-16", kind, kind, false, steps_of(at)};
}

}  // namespace

std::vector<CrossoverRow> crossover_table(const Policy& policy)
{
  std::vector<CrossoverRow> rows;
  for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt, AesMode::ecb_decrypt})
    for (const int rounds : {10, 12, 14})
      for (const Memory& memory : kMemory) rows.push_back(aes_row(policy, mode, rounds, memory));
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::device})
    rows.push_back(crc16_row(policy.options, kind));
  return rows;
}

std::vector<NamedRate> named_rates(Rates rates)
{
  std::vector<NamedRate> all;
  for (const auto& [name, rate] : rates_by_name(rates)) all.push_back({name, *rate});
  return all;
}

std::vector<NamedRate> named_rates(const Crc16Rates& rates)
{
  return {{"cpu_cached", rates.cpu_cached},
          {"cpu", rates.cpu},
          {"cached_bytes", static_cast<double>(rates.cached)},
          {"kernel", rates.kernel},
          {"zero_copy", rates.zero_copy},
          {"latency_ns", rates.latency_ns},
          {"sample_ns", rates.sample_ns}};
}

}  // namespace gpuaes
