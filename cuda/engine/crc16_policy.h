// Who digests a piece of a message: a pure function of the piece and of the options.
#pragma once

#include "device.h"
#include "options.h"
#include "reason.h"

#include <cstddef>

namespace gpuaes {

// A piece as the policy sees it.
struct Crc16Offer {
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::ordinary;
};

// Rates are in bytes per nanosecond, which is GB/s.
struct Crc16Rates {
  double cpu_cached;   // one thread, data in its caches
  double cpu;          // one thread, data in memory
  std::size_t cached;  // up to here data may be in the caches
  double kernel;       // on data in device memory
  double zero_copy;    // on pinned memory
  double latency_ns;   // launch and wait
  double sample_ns;    // digesting a sample again, and comparing
};

// From what the reference machine measured, see bench/README.md; the sample's is an estimate.
extern const Crc16Rates kBuiltInCrc16Rates;

// How much of a piece is digested once more, to be compared with the processor's result: a sample, alone.
inline constexpr std::size_t kCrc16SampleBytes = std::size_t{64} << 10;

// Whether the kernel can read such memory where it is. If not, pieces of it are copied to the device first.
constexpr bool crc16_reads_directly(MemoryKind kind) { return kind != MemoryKind::ordinary && kind != MemoryKind::peer; }

// How long the device takes for it, with nothing else to do, 0 where that is no way; and how long the processor.
double crc16_device_seconds(const Crc16Offer& offer);
double crc16_cpu_seconds(const Crc16Offer& offer);

// Whether a device that is ready should do it. Always, where only a device can. `queued_bytes` is what others have under way.
bool crc16_prefers_device(const Options& options, const Crc16Offer& offer, std::size_t queued_bytes = 0);

// Why it does, and why it doesn't, as in reason.h.
Reason crc16_why_device(const Options& options, const Crc16Offer& offer);
Reason crc16_why_not_device(const Options& options, const Crc16Offer& offer);

// No piece of fewer bytes in memory of this kind, ordinary or pinned, is ever preferred.
std::size_t crc16_smallest_offer(const Options& options, MemoryKind kind);

// How much of what the device did is checked: nothing, kCrc16SampleBytes, or all.
std::size_t crc16_check_bytes(const Options& options, const Crc16Offer& offer);

}  // namespace gpuaes
