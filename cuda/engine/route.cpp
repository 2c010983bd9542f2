#include "route.h"

#include <algorithm>
#include <limits>

namespace gpuaes {
namespace {

constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

// Zero copy saves the copies' latency; from here on the copy engines' higher rate wins.
constexpr std::size_t kZeroCopyLimit = 2_MiB;
constexpr std::size_t kSmallestChunk = std::size_t{256} << 10;
// Of calls that share the link: as long as chunks of this size keep it busy.
constexpr std::size_t kSmallestSharedChunk = 1_MiB;
// Of the processor: short beside a chunk, long beside the question whether one has arrived.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
// What a thread that has chunks in the air gets done beside them, of what it could alone.
constexpr double kShareOfPieces = 0.8;
// With less of a difference the device is preferred: it leaves processors to others.
constexpr double kClearlyFaster = 0.9;
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

// What the processor reaches at full speed, whatever else reaches it.
bool is_plain(MemoryKind kind) { return kind == MemoryKind::ordinary || kind == MemoryKind::pinned; }

int key_index(int rounds) { return (rounds - 10) / 2; }

}  // namespace

std::optional<std::size_t> Policy::least_bytes(AesMode mode) const
{
  return mode == AesMode::ctr ? options.min_bytes_ctr : options.min_bytes_ecb;
}

double Policy::cpu_rate(const Offer& offer) const
{
  return rates.cpu[static_cast<std::size_t>(offer.mode)][key_index(offer.rounds)];
}

double Policy::fallback_seconds(const Offer& offer) const
{
  return static_cast<double>(offer.bytes) / (offer.has_ring ? rates.ring_thread : cpu_rate(offer)) * 1e-9;
}

Route Policy::device_route(const Offer& offer, const Load& load) const
{
  Route route;
  const bool pinned_apart = offer.in == MemoryKind::pinned && offer.out == MemoryKind::pinned && !offer.in_place;
  const bool zero_copy = pinned_apart && offer.aligned && offer.bytes <= kZeroCopyLimit;
  route.feed = feed_from(offer, zero_copy);
  route.drain = drain_to(offer, zero_copy);
  if (offer.mode == AesMode::ctr && options.keystream && route.drain == Drain::staged && host_can_access(offer.in)) {
    route.feed = Feed::none;
    route.drain = Drain::xored;
  }

  // Calls that share the link need fewer lanes each to keep it busy, and wait less for each other's chunks if those are smaller.
  const auto calls = static_cast<int>(std::clamp<std::size_t>(load.calls, 1, 64));
  route.helpers = route.passes_through_threads() ? std::min(helpers, load.idle_helpers) : 0;
  route.lanes_each = std::max(1, (route.passes_through_threads() ? kLanesPerThread : kLanesWithoutThreads) / calls);
  if (route.drain == Drain::xored && options.keystream_bytes) {
    const int lanes = std::max(1, static_cast<int>(std::min<std::size_t>(*options.keystream_bytes / kLaneBytes, 1 << 20)));
    route.helpers = std::min(route.helpers, lanes - 1);
    route.lanes_each = std::clamp(lanes / (1 + route.helpers), 1, route.lanes_each);
  }

  const bool on_host = host_can_access(offer.in) && host_can_access(offer.out);
  const bool checks =
      options.verify == Verify::all || (options.verify == Verify::sample && (on_host || offer.bytes >= kSampleDeviceDataFrom));
  const bool can_check = on_host || options.pinned_bytes >= kLaneBytes;

  const std::size_t most = kLaneBytes - check_area(options.verify);
  const std::size_t shares = static_cast<std::size_t>(1 + route.helpers) * kChunksPerThread;
  const bool whole = route.feed == Feed::direct && route.drain == Drain::direct;
  if (whole)
    route.chunk_bytes = options.verify == Verify::all ? most : std::max(offer.bytes, kBlockBytes);
  else
    route.chunk_bytes =
        std::clamp(offer.bytes / shares / kBlockBytes * kBlockBytes, kSmallestChunk,
                   std::max(most / static_cast<std::size_t>(calls) / kBlockBytes * kBlockBytes, kSmallestSharedChunk));
  route.check_bytes = !checks || !can_check ? 0 : options.verify == Verify::all ? route.chunk_bytes : kBlockBytes;
  if (options.mode == Mode::automatic && !whole && is_plain(offer.in) && is_plain(offer.out)) route.piece_bytes = kPieceBytes;
  estimate(offer, route, load);
  return route;
}

// The caller's thread and its helpers, without the device.
Route Policy::shared_route(const Offer& offer, const Load& load) const
{
  Route route{.helpers = std::min(helpers, load.idle_helpers), .lanes_each = 0, .piece_bytes = kPieceBytes};
  const double alone = cpu_rate(offer) * rates.helpers_latency_ns;
  const double rest = std::max(0.0, static_cast<double>(offer.bytes) - alone);
  route.seconds = (rates.helpers_latency_ns + rest / (cpu_rate(offer) * (1 + route.helpers))) * 1e-9;
  return route;
}

// Fills in when the call would be done, and what is better left to the device: until the first chunk is there the caller's thread
// does pieces by itself, then all go on side by side.
void Policy::estimate(const Offer& offer, Route& route, const Load& load) const
{
  const auto bytes = static_cast<double>(offer.bytes);
  const bool on_host = host_can_access(offer.in) && host_can_access(offer.out);
  const bool whole = route.feed == Feed::direct && route.drain == Drain::direct;
  const double threads = 1 + route.helpers;
  double device = rates.kernel;
  double latency = rates.direct_latency_ns;
  if (whole) {
    if (on_host) device = rates.zero_copy;
  } else {
    device = on_host && route.feed != Feed::none ? rates.link_both_ways : rates.link_one_way;
    latency = rates.copied_latency_ns + static_cast<double>(std::min(route.chunk_bytes, offer.bytes)) / rates.link_one_way;
  }
  if (on_host || !whole) device /= static_cast<double>(std::max<std::size_t>(load.calls, 1));

  double thread_ns = 0;  // that a thread spends on a byte that the device does
  if (route.feed == Feed::staged) thread_ns += 1 / rates.staging_thread;
  if (route.drains_by_thread()) thread_ns += 1 / (route.drain == Drain::xored ? rates.xor_thread : rates.staging_thread);
  if (thread_ns > 0) device = std::min(device, threads / thread_ns);
  if (route.helpers > 0) latency += rates.helpers_latency_ns;

  double beside = 0;
  double meanwhile = 0;
  if (route.piece_bytes > 0) {
    route.left_to_device = static_cast<std::size_t>(kPieceBytes * device / cpu_rate(offer));
    beside = kShareOfPieces * (threads - device * thread_ns) * cpu_rate(offer);
    meanwhile = std::min(bytes, cpu_rate(offer) * latency);
  }
  route.seconds = (latency + (bytes - meanwhile) / (device + beside)) * 1e-9;
}

bool Policy::find_route(const Offer& offer, Route& route, const Load& load) const
{
  route = device_route(offer, load);
  const bool possible = (!route.uses_device_buffer() || options.device_bytes >= kLaneBytes) &&
                        (!route.passes_through_threads() || options.pinned_bytes >= kLaneBytes);
  if (route.piece_bytes == 0 || !route.passes_through_threads() || least_bytes(offer.mode)) return possible;
  const Route shared = shared_route(offer, load);
  if (shared.helpers == 0) return possible;
  if (!possible || shared.seconds < kClearlyFaster * route.seconds) route = shared;
  return true;
}

bool Policy::prefers(const Offer& offer, const Route& route) const
{
  if (options.mode == Mode::never) return false;
  if (options.mode == Mode::always) return true;
  if (!host_can_access(offer.in) || !host_can_access(offer.out)) return true;
  const auto least = least_bytes(offer.mode);
  return least ? offer.bytes >= *least : route.seconds < fallback_seconds(offer);
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

std::size_t Policy::smallest_offer(AesMode mode, int rounds, MemoryKind kind) const
{
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  if (options.mode == Mode::always) return 1;
  if (options.mode == Mode::never) return kNever;
  if (const auto least = least_bytes(mode)) return *least;
  for (std::size_t bytes = 2 * kBlockBytes; bytes < std::size_t{1} << 32; bytes *= 2) {
    const Offer offer{.mode = mode, .rounds = rounds, .bytes = bytes, .in = kind, .out = kind};
    Route route;
    // This power of two is the first to win, so nothing up to the one before it does; between them the exact question decides.
    if (find_route(offer, route) && prefers(offer, route)) return bytes / 2;
  }
  return kNever;
}

}  // namespace gpuaes
