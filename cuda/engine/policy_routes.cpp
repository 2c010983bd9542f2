// The candidates: for each way a call could take, how it would be cut up and when it would be done.
#include "policy.h"

#include <algorithm>
#include <limits>

namespace gpuaes {
namespace {

constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

// Chunks a thread: with fewer, the last to finish holds up the others, and more of the memory that is wiped afterwards was touched.
constexpr std::size_t kChunksPerThread = 8;
// Of the processor: short beside a chunk, long beside the question whether one has arrived.
constexpr std::size_t kPieceBytes = 1_MiB / 8;
// What a thread gets done beside its chunks, of what it could alone.
constexpr double kShareOfPieces = 0.8;
// A sample of data that only the device can reach takes two small copies. On the reference machine a call of 1 GiB, which is
// sampled, takes 21 us more than its kernel, and one of 64 KiB, which isn't, 17 us in all: under 1 % of a kernel's time from this
// size on.
constexpr std::size_t kSampleDeviceDataFrom = 512_MiB;
// Copy engines alone need four lanes to be always busy in both directions; a thread that copies itself keeps up with fewer.
constexpr int kLanesWithoutThreads = 4;
constexpr int kLanesPerThread = 3;

Feed feed_from(const Offer& offer)
{
  switch (offer.in) {
    case MemoryKind::ordinary:
      return Feed::staged;
    case MemoryKind::pinned:
    case MemoryKind::peer:
      return Feed::copied;
    case MemoryKind::managed:
    case MemoryKind::device:
      break;
  }
  return offer.aligned ? Feed::direct : Feed::copied;
}

Drain drain_to(const Offer& offer)
{
  switch (offer.out) {
    case MemoryKind::ordinary:
      return Drain::staged;
    // In place, the input must stay until the output is known to be complete: a copy that fails half way would destroy it.
    case MemoryKind::pinned:
      return offer.in_place ? Drain::staged : Drain::copied;
    case MemoryKind::peer:
      return Drain::copied;
    case MemoryKind::managed:
    case MemoryKind::device:
      break;
  }
  return offer.aligned ? Drain::direct : Drain::copied;
}

// Who does a call, in bytes and nanoseconds.
struct Team {
  double device = 0;        // the device's rate
  double chunk_cost = 0;    // a thread's time for a byte that the device does
  double device_from = 0;   // when the first chunk has come back
  double piece = 0;         // the rate of a thread by itself; 0: it does nothing but wait
  double helpers = 0;       // threads beside the caller's
  double helpers_from = 0;  // when they are at work
  bool helpers_fly = true;  // they see to the device's chunks as the caller's thread does

  double device_rate(double threads) const
  {
    return chunk_cost > 0 ? std::min(device, (helpers_fly ? threads : 1) / chunk_cost) : device;
  }

  double rate_at(double time) const
  {
    const double threads = time < helpers_from ? 1 : 1 + helpers;
    if (time < device_from) return threads * piece;
    return device_rate(threads) + kShareOfPieces * (threads - device_rate(threads) * chunk_cost) * piece;
  }

  double finish(double bytes) const
  {
    double time = 0;
    for (const double change : {std::min(device_from, helpers_from), std::max(device_from, helpers_from)}) {
      const double until_then = rate_at(time) * (change - time);
      if (until_then >= bytes) break;
      bytes -= until_then;
      time = change;
    }
    return time + bytes / rate_at(time);
  }
};

}  // namespace

// In chunks.
Route Policy::device_route(const Offer& offer, const Load& load, int helping) const
{
  Route route{.feed = feed_from(offer), .drain = drain_to(offer)};
  if (offer.mode == AesMode::ctr && options.keystream && route.drain == Drain::staged && host_can_access(offer.in)) {
    route.feed = Feed::none;
    route.drain = Drain::xored;
  }
  const bool whole = route.feed == Feed::direct && route.drain == Drain::direct;
  if (options.mode == Mode::automatic && !whole && offer.is_plain()) route.piece_bytes = kPieceBytes;

  // Calls that share the link need fewer lanes each to keep it busy.
  const auto calls = static_cast<int>(std::clamp<std::size_t>(load.calls, 1, 64));
  route.helpers_fly = route.passes_through_threads();
  if (route.helpers_fly || route.piece_bytes > 0) route.helpers = helping;
  // With one, the link would wait for the piece that a thread does meanwhile.
  const int fewest = route.piece_bytes > 0 ? 2 : 1;
  route.lanes_each = std::max(fewest, (route.helpers_fly ? kLanesPerThread : kLanesWithoutThreads) / calls);
  if (route.drain == Drain::xored && options.keystream_bytes) {
    const int lanes = std::max(1, static_cast<int>(std::min<std::size_t>(*options.keystream_bytes / kLaneBytes, 1 << 20)));
    route.helpers = std::min(route.helpers, lanes - 1);
    route.lanes_each = std::clamp(lanes / (1 + route.helpers), 1, route.lanes_each);
  }

  const std::size_t most = kLaneBytes - check_area(options.verify);
  const std::size_t shares = static_cast<std::size_t>(1 + (route.helpers_fly ? route.helpers : 0)) * kChunksPerThread;
  route.chunk_bytes = std::clamp(offer.bytes / shares / kBlockBytes * kBlockBytes, kSmallestChunk, most);
  if (whole) route.chunk_bytes = options.verify == Verify::all ? most : std::max(offer.bytes, kBlockBytes);
  route.check_bytes = check_bytes(offer, route);

  const auto chunk = static_cast<double>(std::min(route.chunk_bytes, offer.bytes));
  Team team{.device = rates.kernel,
            .device_from = rates.direct_latency_ns,
            .helpers = static_cast<double>(route.helpers),
            .helpers_from = route.helpers > 0 ? rates.helpers_latency_ns : 0,
            .helpers_fly = route.helpers_fly};
  if (!whole) {
    team.device = (offer.on_host() && route.feed != Feed::none ? rates.link_both_ways : rates.link_one_way) / calls;
    team.device_from = rates.copied_latency_ns + chunk / rates.link_one_way;
    team.chunk_cost = rates.chunk_ns / chunk;
  }
  if (route.feed == Feed::staged) team.chunk_cost += 1 / rates.staging_thread;
  double passing_on = 0;  // a chunk that has come back
  if (route.drains_by_thread()) {
    const double rate = route.drain == Drain::xored ? rates.xor_thread : rates.staging_thread;
    team.chunk_cost += 1 / rate;
    passing_on = chunk / rate;
  }
  if (route.piece_bytes > 0) {
    team.piece = cpu_rate(offer.mode, offer.rounds);
    route.left_to_device = static_cast<std::size_t>(kPieceBytes * team.device_rate(1 + team.helpers) / team.piece);
  }
  const auto bytes = static_cast<double>(offer.bytes);
  // The first chunk is begun before anything else, and awaited. Of fewer than two whole ones this thread passes all on itself,
  // before anybody else has come.
  const bool shared_out = !route.passes_through_threads() || offer.bytes >= 2 * route.chunk_bytes;
  const double alone = bytes * std::max(team.chunk_cost, 1 / team.device) + team.device_from;
  route.seconds = (shared_out ? std::max(team.finish(bytes), team.device_from + passing_on) : alone) * 1e-9;
  return route;
}

// By a kernel that reads and writes the caller's pinned memory: slower than the copy engines, but sooner under way.
std::optional<Route> Policy::zero_copy_route(const Offer& offer, const Load& load) const
{
  const bool possible = offer.in == MemoryKind::pinned && offer.out == MemoryKind::pinned && !offer.in_place && offer.aligned;
  if (!possible || options.verify == Verify::all) return {};
  Route route{.chunk_bytes = std::max(offer.bytes, kBlockBytes)};
  route.check_bytes = check_bytes(offer, route);
  const Team team{.device = rates.zero_copy / static_cast<double>(std::max<std::size_t>(load.calls, 1)),
                  .device_from = rates.direct_latency_ns};
  route.seconds = team.finish(static_cast<double>(offer.bytes)) * 1e-9;
  return route;
}

// By the caller's thread and its helpers, without the device.
std::optional<Route> Policy::shared_route(const Offer& offer, const Load& load) const
{
  Route route{.helpers = std::min(helpers, load.idle_helpers), .lanes_each = 0, .piece_bytes = kPieceBytes};
  if (route.helpers == 0) return {};
  const Team team{.device_from = std::numeric_limits<double>::infinity(),
                  .piece = cpu_rate(offer.mode, offer.rounds),
                  .helpers = static_cast<double>(route.helpers),
                  .helpers_from = rates.helpers_latency_ns};
  route.seconds = team.finish(static_cast<double>(offer.bytes)) * 1e-9;
  return route;
}

std::size_t Policy::check_bytes(const Offer& offer, const Route& route) const
{
  const bool checks = options.verify == Verify::all ||
                      (options.verify == Verify::sample && (offer.on_host() || offer.bytes >= kSampleDeviceDataFrom));
  const bool can_check = offer.on_host() || options.pinned_bytes >= kLaneBytes;
  return !checks || !can_check ? 0 : options.verify == Verify::all ? route.chunk_bytes : kBlockBytes;
}

}  // namespace gpuaes
