// Why a call went where it went. Each call has one reason, counted when it is done; provider/README.md says where.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes {

struct Offer;
struct Policy;
struct Route;

enum class Reason : std::uint8_t {
  // By the processor.
  too_small,      // fewer bytes than any device is worth, or than min_bytes says
  never,          // mode = never, or a setting is wrong
  no_device,      // absent, lost, or the parent process's
  not_ready,      // not started, or not yet up
  unsuitable,     // a cipher context whose work can't be taken away: TLS mode, no key, input and output that overlap
  no_room,        // pinned_bytes or device_bytes leaves none, or others have it all
  cpu_faster,     // as the rates have it
  shared,         // among the caller's thread and its helpers, which is faster than the device, as the rates have it
  device_busy,    // the device would be faster, did it or the memory not have other work
  ring_empty,     // keystream ahead of a stream that was not there in time, or was of no use in a crowd
  device_failed,  // it was the device's, and was done again
  // With keystream that was there already.
  ring,
  // By the device, or with its keystream.
  device_faster,  // as the rates have it
  min_bytes,      // as that setting says
  required,       // data that only a device can reach
  forced,         // mode = always
};
inline constexpr std::size_t kReasons = static_cast<std::size_t>(Reason::forced) + 1;

const char* name_of(Reason reason);

// For a device that is ready. Why a call takes the route that the policy gives it, and why it doesn't do one that it doesn't get
// when so many helpers have nothing to do.
Reason why_device(const Policy& policy, const Offer& offer, const Route& route);
Reason why_not_device(const Policy& policy, const Offer& offer, int idle_helpers);

}  // namespace gpuaes
