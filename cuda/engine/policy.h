// The policy: which way a call should take, as a pure function of the call, of what else is going on and of the rates of the
// machine.
#pragma once

#include "options.h"
#include "rates.h"
#include "route.h"

#include <cstddef>
#include <optional>
#include <string>

namespace gpuaes {

// What else is going on.
struct Load {
  int idle_helpers = 0;   // threads that would help
  std::size_t calls = 1;  // that share the link, this one counted
  bool crowded = false;   // more than half of the processors have large calls of their own
};

// The slots of a keystream ring.
struct RingShape {
  std::size_t slots = 0;       // 0: there can be no ring
  std::size_t slot_bytes = 0;  // a multiple of 16

  std::size_t bytes() const { return slots * slot_bytes; }
};

struct Policy {
  Rates rates = kBuiltInRates;
  std::string rates_from = "built-in";
  Options options;
  int helpers = 0;

  // The fastest way for a call that isn't the default provider's alone. False if the options allow none.
  bool find_route(const Offer& offer, Route& route, const Load& load) const;
  bool find_route(const Offer& offer, Route& route) const { return find_route(offer, route, {.idle_helpers = helpers}); }
  // Whether this way is better than leaving the call to the default provider, or the only one.
  bool prefers(const Offer& offer, const Route& route) const;
  // No call of fewer bytes on memory of this kind, ordinary or pinned, is ever preferred: what is compared before anything else is
  // asked.
  std::size_t smallest_offer(AesMode mode, int rounds, MemoryKind kind) const;
  double fallback_seconds(const Offer& offer) const;
  // The smallest call for the device, if the options name one.
  std::optional<std::size_t> least_bytes(AesMode mode) const;

  RingShape ring_shape() const;
  // How many contexts may have a ring at a time.
  std::size_t most_rings(int rounds) const;

 private:
  Route device_route(const Offer& offer, const Load& load, int helping) const;
  std::optional<Route> zero_copy_route(const Offer& offer, const Load& load) const;
  std::optional<Route> shared_route(const Offer& offer, const Load& load) const;
  std::size_t check_bytes(const Offer& offer, const Route& route) const;
  bool allows(const Route& route) const;
  bool may_join(const Offer& offer, const Load& load) const;
  double cpu_rate(AesMode mode, int rounds) const;
  std::size_t ring_lanes() const;
};

}  // namespace gpuaes
