// The ways that a call can take.
#pragma once

#include "counters.h"
#include "device.h"

#include <cstddef>
#include <string>

namespace gpuaes {

// Of a call that is cut up: less isn't worth a turn of the device.
inline constexpr std::size_t kSmallestChunk = std::size_t{512} << 10;

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

// One way to do a call that isn't the default provider's alone.
struct Route {
  Feed feed = Feed::direct;
  Drain drain = Drain::direct;
  std::size_t chunk_bytes = 0;
  std::size_t check_bytes = 0;  // of each chunk, compared with the default provider's result
  int helpers = 0;              // threads beside the caller's
  bool helpers_fly = false;     // helpers have lanes of their own; if not, all they do is pieces
  int lanes_each = 1;           // at most, for each thread that has any; 0: the device takes no part
  // What each thread does by itself at a time, by the request's reference function, while the device is at its chunks; 0: nothing.
  std::size_t piece_bytes = 0;
  std::size_t left_to_device = 0;  // so many bytes at the end, which a piece would hold up
  double seconds = 0;

  Carrier carrier() const
  {
    return lanes_each == 0 ? Carrier::fallback : drain == Drain::xored ? Carrier::keystream : Carrier::device;
  }
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

  bool on_host() const { return host_can_access(in) && host_can_access(out); }
  // In memory that the processor reaches at full speed, whatever else reaches it.
  bool is_plain() const { return in <= MemoryKind::pinned && out <= MemoryKind::pinned; }
};

}  // namespace gpuaes
