#include "route.h"

#include <algorithm>
#include <limits>

namespace gpuaes {
namespace {

constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

// Zero copy saves the copies' latency; from here on the copy engines' higher rate wins.
constexpr std::size_t kZeroCopyLimit = 2_MiB;
constexpr std::size_t kSmallestChunk = std::size_t{256} << 10;
// A sample of data that only the device can reach takes two small copies. On the reference machine a call of 1 GiB, which is
// sampled, takes 21 us more than its kernel, and one of 64 KiB, which isn't, 17 us in all: under 1 % of a kernel's time from this
// size on.
constexpr std::size_t kSampleDeviceDataFrom = 512_MiB;
// Chunks a thread: with fewer, the last to finish holds up the others, and more of the memory that is wiped afterwards was touched.
constexpr std::size_t kChunksPerThread = 12;

Feed feed_from(const Offer& offer, bool zero_copy)
{
  switch (offer.in) {
    case MemoryKind::ordinary:
      return Feed::staged;
    case MemoryKind::pinned:
      return zero_copy ? Feed::direct : Feed::copied;
    case MemoryKind::peer:
      return Feed::copied;
    case MemoryKind::managed:
    case MemoryKind::device:
      break;
  }
  return offer.aligned ? Feed::direct : Feed::copied;
}

Drain drain_to(const Offer& offer, bool zero_copy)
{
  switch (offer.out) {
    case MemoryKind::ordinary:
      return Drain::staged;
    // In place, the input must stay until the output is known to be complete: a copy that fails half way would destroy it.
    case MemoryKind::pinned:
      return offer.in_place ? Drain::staged : zero_copy ? Drain::direct : Drain::copied;
    case MemoryKind::peer:
      return Drain::copied;
    case MemoryKind::managed:
    case MemoryKind::device:
      break;
  }
  return offer.aligned ? Drain::direct : Drain::copied;
}

// Copy engines alone need four lanes to be always busy in both directions; a thread that copies itself keeps up with fewer.
constexpr int kLanesWithoutThreads = 4;
constexpr int kLanesPerThread = 3;

// The size and the slots that measured best; see bench/README.md.
constexpr std::size_t kRingBytes = 16_MiB;
constexpr std::size_t kRingSlots = 4;
constexpr double kRingGain = 1.5;

int key_index(int rounds) { return (rounds - 10) / 2; }

}  // namespace

const Rates kBuiltInRates = {
    .cpu = {{8.6, 6.8, 5.7}, {8.6, 6.8, 5.7}, {6.0, 5.3, 4.6}},
    .kernel = 500,
    .zero_copy = 41,
    .link_one_way = 52,
    .link_both_ways = 45,
    .staging_thread = 6.2,
    .xor_thread = 5.5,
    .ring_thread = 14,
    .direct_latency_ns = 25'000,
    .copied_latency_ns = 30'000,
    .staged_latency_ns = 120'000,
};

bool Policy::device_route(const Offer& offer, Route& route, int idle_helpers) const
{
  const bool pinned_apart = offer.in == MemoryKind::pinned && offer.out == MemoryKind::pinned && !offer.in_place;
  const bool zero_copy = pinned_apart && offer.aligned && offer.bytes <= kZeroCopyLimit;
  route.feed = feed_from(offer, zero_copy);
  route.drain = drain_to(offer, zero_copy);
  if (offer.mode == AesMode::ctr && options.keystream && route.drain == Drain::staged && host_can_access(offer.in)) {
    route.feed = Feed::none;
    route.drain = Drain::xored;
  }

  route.helpers = route.passes_through_threads() ? std::min(helpers, idle_helpers) : 0;
  route.lanes_each = route.passes_through_threads() ? kLanesPerThread : kLanesWithoutThreads;
  if (route.drain == Drain::xored && options.keystream_bytes) {
    const int lanes = std::max(1, static_cast<int>(std::min<std::size_t>(*options.keystream_bytes / kLaneBytes, 1 << 20)));
    route.helpers = std::min(route.helpers, lanes - 1);
    route.lanes_each = std::clamp(lanes / (1 + route.helpers), 1, kLanesPerThread);
  }
  const int threads = 1 + route.helpers;

  const bool on_host = host_can_access(offer.in) && host_can_access(offer.out);
  const bool checks =
      options.verify == Verify::all || (options.verify == Verify::sample && (on_host || offer.bytes >= kSampleDeviceDataFrom));
  const bool can_check = on_host || options.pinned_bytes >= kLaneBytes;

  std::size_t most = kLaneBytes - check_area(options.verify);
  const std::size_t shares = static_cast<std::size_t>(threads) * kChunksPerThread;
  const bool whole = route.feed == Feed::direct && route.drain == Drain::direct;
  if (whole)
    route.chunk_bytes = options.verify == Verify::all ? most : std::max(offer.bytes, kBlockBytes);
  else
    route.chunk_bytes = std::clamp(offer.bytes / shares / kBlockBytes * kBlockBytes, kSmallestChunk, most);
  route.check_bytes = !checks || !can_check ? 0 : options.verify == Verify::all ? route.chunk_bytes : kBlockBytes;

  double rate = rates.kernel;
  double latency = rates.direct_latency_ns;
  if (whole) {
    if (zero_copy) rate = rates.zero_copy;
  } else {
    rate = on_host && route.feed != Feed::none ? rates.link_both_ways : rates.link_one_way;
    latency = rates.copied_latency_ns;
    // The first chunk is on its way while nothing else can happen.
    latency += static_cast<double>(std::min(route.chunk_bytes, offer.bytes)) / rates.link_one_way;
  }
  double thread_ns = 0;
  if (route.feed == Feed::staged) thread_ns += 1 / rates.staging_thread;
  if (route.drains_by_thread()) thread_ns += 1 / (route.drain == Drain::xored ? rates.xor_thread : rates.staging_thread);
  if (thread_ns > 0) {
    rate = std::min(rate, threads / thread_ns);
    latency += rates.staged_latency_ns;
  }
  route.seconds = (latency + static_cast<double>(offer.bytes) / rate) * 1e-9;

  return (!route.uses_device_buffer() || options.device_bytes >= kLaneBytes) &&
         (!route.passes_through_threads() || options.pinned_bytes >= kLaneBytes);
}

double Policy::fallback_seconds(const Offer& offer) const
{
  const double rate = offer.has_ring ? rates.ring_thread : rates.cpu[static_cast<std::size_t>(offer.mode)][key_index(offer.rounds)];
  return static_cast<double>(offer.bytes) / rate * 1e-9;
}

// Lanes that all rings together may hold. The rest is for calls that can't do without.
std::size_t Policy::ring_lanes() const { return std::min(options.pinned_bytes, options.device_bytes) / kLaneBytes / 2; }

RingShape Policy::ring_shape() const
{
  if (!options.keystream || options.mode != Mode::automatic) return {};
  const std::size_t bytes = options.keystream_bytes.value_or(kRingBytes);
  const std::size_t slots = std::min(std::max(kRingSlots, bytes / kLaneBytes), ring_lanes());
  const std::size_t slot_bytes =
      std::clamp(bytes / std::max(slots, kRingSlots) / kBlockBytes * kBlockBytes, kBlockBytes, kLaneBytes);
  return slots < 2 ? RingShape{} : RingShape{slots, slot_bytes};
}

// As many as the memory is for, but not so many that the link gives each of them little more than what its processor can do alone.
std::size_t Policy::most_rings(int rounds) const
{
  const RingShape shape = ring_shape();
  if (shape.slots == 0) return 0;
  const double worthwhile = kRingGain * rates.cpu[static_cast<std::size_t>(AesMode::ctr)][key_index(rounds)];
  return std::min(ring_lanes() / shape.slots, static_cast<std::size_t>(rates.link_one_way / worthwhile));
}

bool Policy::prefers_device(const Offer& offer, const Route& route, std::size_t queued_bytes) const
{
  if (options.mode == Mode::never) return false;
  if (options.mode == Mode::always) return true;
  if (!host_can_access(offer.in) || !host_can_access(offer.out)) return true;
  const auto& least = offer.mode == AesMode::ctr ? options.min_bytes_ctr : options.min_bytes_ecb;
  if (least) return offer.bytes >= *least;
  // What others have under way goes over the same link first.
  const double wait = static_cast<double>(queued_bytes) / rates.link_both_ways * 1e-9;
  return wait + route.seconds < fallback_seconds(offer);
}

std::size_t Policy::smallest_offer(AesMode mode, int rounds, MemoryKind kind) const
{
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  if (options.mode == Mode::always) return 1;
  if (options.mode == Mode::never) return kNever;
  if (const auto& least = mode == AesMode::ctr ? options.min_bytes_ctr : options.min_bytes_ecb) return *least;
  for (std::size_t bytes = 2 * kBlockBytes; bytes < std::size_t{1} << 32; bytes *= 2) {
    const Offer offer{.mode = mode, .rounds = rounds, .bytes = bytes, .in = kind, .out = kind};
    Route route;
    // This power of two is the first to win, so nothing up to the one before it does; between them the exact question decides.
    if (device_route(offer, route) && prefers_device(offer, route)) return bytes / 2;
  }
  return kNever;
}

}  // namespace gpuaes
