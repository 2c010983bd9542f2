#include "reason.h"

#include "policy.h"

namespace gpuaes {
const char* name_of(Reason reason)
{
  constexpr const char* kNames[] = {"too_small",     "never",     "no_device",   "not_ready",  "unsuitable",    "no_room",
                                    "cpu_faster",    "shared",    "device_busy", "ring_empty", "device_failed", "ring",
                                    "device_faster", "min_bytes", "required",    "forced"};
  static_assert(sizeof kNames / sizeof *kNames == kReasons);
  return kNames[static_cast<std::size_t>(reason)];
}

Reason why_device(const Policy& policy, const Offer& offer, const Route& route)
{
  if (route.lanes_each == 0) return Reason::shared;
  if (policy.options.mode == Mode::always) return Reason::forced;
  if (!offer.on_host()) return Reason::required;
  return policy.least_bytes(offer.mode) ? Reason::min_bytes : Reason::device_faster;
}

Reason why_not_device(const Policy& policy, const Offer& offer, int idle_helpers)
{
  Route route;
  if (!policy.find_route(offer, route, {.idle_helpers = idle_helpers})) return Reason::no_room;
  if (policy.least_bytes(offer.mode)) return Reason::too_small;
  if (offer.has_ring) return Reason::ring;
  // It would, with nothing else to do.
  return policy.prefers(offer, route) ? Reason::device_busy : Reason::cpu_faster;
}

}  // namespace gpuaes
