#include "policy.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace gpuaes {
namespace {

// With less of a difference a way that takes fewer processors is preferred, and the default provider to any: these are predictions.
constexpr double kClearlyFaster = 0.9;
// A call that shares the link slows those that it joins, and its thread does less by itself: it must win that much.
constexpr double kWorthJoining = 2;
constexpr std::size_t kLargestCompared = std::size_t{1} << 31;

}  // namespace

std::optional<std::size_t> Policy::least_bytes(AesMode mode) const
{
  return mode == AesMode::ctr ? options.min_bytes_ctr : options.min_bytes_ecb;
}

double Policy::cpu_rate(AesMode mode, int rounds) const
{
  return rates.cpu[static_cast<std::size_t>(mode)][static_cast<std::size_t>(rounds - 10) / 2];
}

double Policy::fallback_seconds(const Offer& offer) const
{
  return static_cast<double>(offer.bytes) / (offer.has_ring ? rates.ring_thread : cpu_rate(offer.mode, offer.rounds)) * 1e-9;
}

bool Policy::allows(const Route& route) const
{
  return (!route.uses_device_buffer() || options.device_bytes >= kLaneBytes) &&
         (!route.passes_through_threads() || options.pinned_bytes >= kLaneBytes);
}

bool Policy::may_join(const Offer& offer, const Load& load) const
{
  return load.calls <= 1 ||
         rates.link_both_ways / static_cast<double>(load.calls) > kWorthJoining * cpu_rate(offer.mode, offer.rounds);
}

bool Policy::find_route(const Offer& offer, Route& route, const Load& load) const
{
  const int idle = std::min(helpers, load.idle_helpers);
  route = device_route(offer, load, idle);
  // To wake helpers, and to wait for the last of them, must be worth it.
  if (idle > 0)
    if (const Route alone = device_route(offer, load, 0); alone.seconds * kClearlyFaster < route.seconds) route = alone;
  bool found = allows(route);
  if (const auto direct = zero_copy_route(offer, load); direct && (!found || direct->seconds < route.seconds)) {
    route = *direct;
    found = true;
  }
  // Whether the device should do it at all is a question only where nobody has answered it.
  if (options.mode != Mode::automatic || least_bytes(offer.mode) || !offer.is_plain()) return found;
  found = found && may_join(offer, load) && !(load.crowded && route.passes_through_threads());
  const auto shared = shared_route(offer, load);
  if (!shared || (found && shared->seconds >= kClearlyFaster * route.seconds)) return found;
  route = *shared;
  return true;
}

bool Policy::prefers(const Offer& offer, const Route& route) const
{
  if (options.mode == Mode::never) return false;
  if (options.mode == Mode::always) return true;
  if (!offer.on_host()) return true;
  const auto least = least_bytes(offer.mode);
  return least ? offer.bytes >= *least : route.seconds < kClearlyFaster * fallback_seconds(offer);
}

std::size_t Policy::smallest_offer(AesMode mode, int rounds, MemoryKind kind) const
{
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  if (options.mode == Mode::always) return 1;
  if (options.mode == Mode::never) return kNever;
  if (const auto least = least_bytes(mode)) return *least;
  const auto wins = [&](std::size_t bytes) {
    const Offer offer{.mode = mode, .rounds = rounds, .bytes = bytes, .in = kind, .out = kind};
    Route route;
    return find_route(offer, route) && prefers(offer, route);
  };
  // This much the caller's thread has done before a device has so much as answered, or a helper is awake.
  const double first_help_ns = std::min({rates.direct_latency_ns, rates.copied_latency_ns, rates.helpers_latency_ns});
  const double done_by_then = std::min(cpu_rate(mode, rounds) * first_help_ns, static_cast<double>(kLargestCompared));
  std::size_t bytes = std::max<std::size_t>(2 * kBlockBytes, std::bit_floor(static_cast<std::size_t>(done_by_then)));
  while (!wins(bytes)) {
    if (bytes >= kLargestCompared) return kNever;
    bytes *= 2;
  }
  // Nothing up to half of it wins. Of what lies between, the exact question is to decide as little as possible: it costs time.
  std::size_t loses = bytes / 2;
  for (const std::size_t step : {bytes / 4, bytes / 8, bytes / 16})
    if (!wins(loses + step)) loses += step;
  return loses;
}

}  // namespace gpuaes
