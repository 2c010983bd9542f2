// The policy: which way a call should take, as a pure function of the call and of the rates of the machine.
#pragma once

#include "counters.h"
#include "device.h"
#include "options.h"

#include <cstddef>
#include <string>

namespace gpuaes {

// How a chunk's input reaches the kernel.
enum class Feed : std::uint8_t {
  direct,  // the kernel reads the caller's memory
  copied,  // the copy engine reads the caller's memory
  staged,  // the processor copies into pinned memory, the copy engine goes on from there
  none,    // the kernel makes keystream
};

// How a chunk's output reaches the caller.
enum class Drain : std::uint8_t {
  direct,  // the kernel writes the caller's memory
  copied,  // the copy engine writes the caller's memory
  staged,  // the copy engine writes pinned memory, the processor copies from there
  xored,   // the same, and the processor combines it with the caller's input
};

// One way to do a call on the device.
struct Route {
  Feed feed = Feed::direct;
  Drain drain = Drain::direct;
  std::size_t chunk_bytes = 0;
  std::size_t check_bytes = 0;  // of each chunk, compared with the default provider's result
  int helpers = 0;              // threads beside the caller's
  int lanes_each = 1;           // at most, for each of these threads
  double seconds = 0;

  Carrier carrier() const { return drain == Drain::xored ? Carrier::keystream : Carrier::device; }
  bool uses_device_buffer() const { return feed != Feed::direct || drain != Drain::direct; }
  bool drains_by_thread() const { return drain == Drain::staged || drain == Drain::xored; }
  bool passes_through_threads() const { return feed == Feed::staged || drains_by_thread(); }
};

// A call as the policy sees it.
struct Offer {
  AesMode mode = AesMode::ctr;
  int rounds = 10;
  std::size_t bytes = 0;
  MemoryKind in = MemoryKind::ordinary;
  MemoryKind out = MemoryKind::ordinary;
  bool aligned = true;  // both addresses are multiples of 16
  bool in_place = false;
  bool has_ring = false;  // if the device doesn't do it, keystream that is already there will
};

// The slots of a keystream ring.
struct RingShape {
  std::size_t slots = 0;       // 0: there can be no ring
  std::size_t slot_bytes = 0;  // a multiple of 16

  std::size_t bytes() const { return slots * slot_bytes; }
};

// Rates are in bytes per nanosecond, which is GB/s.
struct Rates {
  double cpu[kAesModes][3];  // the default provider on one thread, by AesMode and key size
  double kernel;             // on data in device memory; the slowest of them is far from any bound that matters here
  double zero_copy;          // a kernel on pinned memory
  double link_one_way;       // copy engines, one direction busy
  double link_both_ways;     // each direction, both busy
  double staging_thread;     // a thread that copies one side through pinned memory
  double xor_thread;         // a thread that combines keystream
  double ring_thread;        // the same where the keystream is there already
  double direct_latency_ns;  // launch and wait
  double copied_latency_ns;  // two copies, launch and wait
  double staged_latency_ns;  // waking helpers on top
};

// What the reference machine measured; bench/README.md says how.
extern const Rates kBuiltInRates;

struct Policy {
  Rates rates = kBuiltInRates;
  std::string rates_from = "built-in";
  Options options;
  int helpers = 0;

  // The way a call takes if it goes to the device, when so many helpers have nothing to do. False if this way isn't allowed by the
  // options.
  bool device_route(const Offer& offer, Route& route, int idle_helpers) const;
  bool device_route(const Offer& offer, Route& route) const { return device_route(offer, route, helpers); }
  // Whether the device should do this call, given the route and what it already has to do.
  bool prefers_device(const Offer& offer, const Route& route, std::size_t queued_bytes = 0) const;
  // No call of fewer bytes on memory of this kind, ordinary or pinned, is ever preferred: what is compared before anything else is
  // asked.
  std::size_t smallest_offer(AesMode mode, int rounds, MemoryKind kind) const;
  double fallback_seconds(const Offer& offer) const;

  RingShape ring_shape() const;
  // How many contexts may have a ring at a time.
  std::size_t most_rings(int rounds) const;

 private:
  std::size_t ring_lanes() const;
};

}  // namespace gpuaes
