#include "crc16_policy.h"

#include <limits>

namespace gpuaes {
namespace {

// A device can't win on ordinary memory: it would take a copy to it, which takes longer than the digest.
double device_ns(const Crc16Offer& offer)
{
  if (offer.kind == MemoryKind::ordinary) return std::numeric_limits<double>::infinity();
  const Crc16Rates& rates = kBuiltInCrc16Rates;
  const double rate = offer.kind == MemoryKind::pinned ? rates.zero_copy : rates.kernel;
  return rates.latency_ns + static_cast<double>(offer.bytes) / rate;
}

double cpu_ns(const Crc16Offer& offer)
{
  const Crc16Rates& rates = kBuiltInCrc16Rates;
  return static_cast<double>(offer.bytes) / (offer.bytes <= rates.cached ? rates.cpu_cached : rates.cpu);
}

}  // namespace

const Crc16Rates kBuiltInCrc16Rates = {
    .cpu_cached = 60,
    .cpu = 20,
    .cached = std::size_t{2} << 20,
    .kernel = 3500,
    .zero_copy = 45,
    .latency_ns = 15'000,
    .sample_ns = 25'000,
};

double crc16_device_seconds(const Crc16Offer& offer) { return offer.kind == MemoryKind::ordinary ? 0 : device_ns(offer) * 1e-9; }

double crc16_cpu_seconds(const Crc16Offer& offer) { return cpu_ns(offer) * 1e-9; }

bool crc16_prefers_device(const Options& options, const Crc16Offer& offer, std::size_t queued_bytes)
{
  if (options.mode == Mode::never) return false;
  if (options.mode == Mode::always || !host_can_access(offer.kind)) return true;
  if (options.min_bytes_crc16) return offer.bytes >= *options.min_bytes_crc16;
  // What others have under way goes over the same link first.
  const double wait = static_cast<double>(queued_bytes) / kBuiltInCrc16Rates.zero_copy;
  return wait + device_ns(offer) < cpu_ns(offer);
}

Reason crc16_why_device(const Options& options, const Crc16Offer& offer)
{
  if (options.mode == Mode::always) return Reason::forced;
  if (!host_can_access(offer.kind)) return Reason::required;
  return options.min_bytes_crc16 ? Reason::min_bytes : Reason::device_faster;
}

Reason crc16_why_not_device(const Options& options, const Crc16Offer& offer)
{
  if (options.mode == Mode::never) return Reason::never;
  if (options.min_bytes_crc16) return Reason::too_small;
  return crc16_prefers_device(options, offer) ? Reason::device_busy : Reason::cpu_faster;
}

std::size_t crc16_smallest_offer(const Options& options, MemoryKind kind)
{
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  if (options.mode == Mode::always) return 1;
  if (options.mode == Mode::never) return kNever;
  if (options.min_bytes_crc16) return *options.min_bytes_crc16;
  // The first power of two to win; nothing up to the one before does.
  for (std::size_t bytes = 2; bytes < std::size_t{1} << 32; bytes *= 2)
    if (crc16_prefers_device(options, {bytes, kind})) return bytes / 2;
  return kNever;
}

std::size_t crc16_check_bytes(const Options& options, const Crc16Offer& offer)
{
  if (options.verify == Verify::off || options.pinned_bytes < kLaneBytes) return 0;
  if (options.verify == Verify::all) return offer.bytes;
  const bool costs_little = device_ns(offer) > 100 * kBuiltInCrc16Rates.sample_ns && offer.bytes >= kCrc16SampleBytes;
  return crc16_reads_directly(offer.kind) && costs_little ? kCrc16SampleBytes : 0;
}

}  // namespace gpuaes
