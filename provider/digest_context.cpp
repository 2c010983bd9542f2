#include "digest_context.h"

#include "engine/uncancelled.h"

namespace gpuaes {

void DigestContext::add_by_engine(const std::uint8_t* data, std::size_t bytes)
{
  const Uncancelled uncancelled;
  MemoryKind kind = MemoryKind::ordinary;
  if (device_pointers() != DevicePointers::impossible) {
    kind = engine_.kind_of(data, bytes);
    if (host_can_access(kind)) host_.remember(data, data);
  }
  // What only had to be looked at.
  if (host_can_access(kind) && bytes < engine_.smallest_crc16_offers().of(kind != MemoryKind::ordinary))
    return add_by_processor(data, bytes);
  state_ = engine_.crc16(state_, data, bytes, kind);
}

void DigestContext::flush_counts() noexcept
{
  if (pending_calls_ == 0) return;
  engine_.counters().add(Carrier::fallback, pending_calls_, pending_bytes_);
  engine_.counters().add(engine_.why_small_calls_stay(engine_.smallest_crc16_offers().of(false)), pending_calls_);
  pending_calls_ = 0;
  pending_bytes_ = 0;
}

}  // namespace gpuaes
