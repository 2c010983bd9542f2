// How many contexts may have keystream made ahead of them, and how much.
#include "policy.h"

#include <algorithm>

namespace gpuaes {
namespace {

// The size and the slots that measured best; see bench/README.md.
constexpr std::size_t kRingBytes = std::size_t{12} << 20;
constexpr std::size_t kRingSlots = 3;
constexpr double kRingGain = 1.5;

}  // namespace

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
  const double worthwhile = kRingGain * cpu_rate(AesMode::ctr, rounds);
  return std::min(ring_lanes() / shape.slots, static_cast<std::size_t>(rates.link_one_way / worthwhile));
}

}  // namespace gpuaes
