#include "lanes.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace gpuaes {

LaneLease::~LaneLease()
{
  if (lane_ != nullptr) pool_->give_back(std::move(lane_));
}

LaneLease LanePool::acquire(Device& device, LaneNeeds needs)
{
  std::unique_ptr<Lane> lane = take_idle(needs);
  if (lane == nullptr) lane = std::make_unique<Lane>();
  // From here on the lease returns whatever the lane has, also when one of the steps throws.
  LaneLease lease(*this, std::move(lane));
  if (lease->stream == nullptr) {
    lease->stream = device.make_stream();
  } else {
    lease->stream->wait();  // for the last user's wipe
  }
  const auto provide = [&](Buffer& buffer, MemoryKind kind, std::size_t& held, std::size_t bound) {
    if (buffer.data() != nullptr) return true;
    if (!reserve(held, bound)) return false;
    try {
      buffer = Buffer(device, kind, kLaneBytes);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      held -= kLaneBytes;
      throw;
    }
    return true;
  };
  if (needs.device && !provide(lease->device, MemoryKind::device, device_held_, device_bytes_)) return {};
  if (needs.pinned && !provide(lease->pinned, MemoryKind::pinned, pinned_held_, pinned_bytes_)) return {};
  return lease;
}

// The idle lane that has most of what is needed and, among those, least of what isn't.
std::unique_ptr<Lane> LanePool::take_idle(LaneNeeds needs)
{
  const auto misfit = [&](const std::unique_ptr<Lane>& lane) {
    const auto cost = [](bool needed, const Buffer& buffer) {
      const bool has = buffer.data() != nullptr;
      return needed == has ? 0 : needed ? 2 : 1;
    };
    return cost(needs.device, lane->device) + cost(needs.pinned, lane->pinned);
  };
  const std::lock_guard lock(mutex_);
  const auto best =
      std::min_element(idle_.begin(), idle_.end(), [&](const auto& a, const auto& b) { return misfit(a) < misfit(b); });
  if (best == idle_.end()) return nullptr;
  std::unique_ptr<Lane> lane = std::move(*best);
  idle_.erase(best);
  return lane;
}

bool LanePool::reserve(std::size_t& held, std::size_t bound)
{
  const std::lock_guard lock(mutex_);
  if (held + kLaneBytes > bound) return false;
  held += kLaneBytes;
  return true;
}

void LanePool::give_back(std::unique_ptr<Lane> lane) noexcept
{
  if (lane->stream == nullptr) return;
  try {
    // The device wipes both, in stream order: the next user waits for it.
    if (lane->device_used > 0) lane->stream->clear(lane->device.data(), lane->device_used);
    if (lane->pinned_used > 0) lane->stream->clear(lane->pinned.data(), lane->pinned_used);
  } catch (const DeviceError&) {
    if (lane->pinned_used > 0) explicit_bzero(lane->pinned.data(), lane->pinned_used);
  }
  lane->device_used = 0;
  lane->pinned_used = 0;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(lane));
}

void LanePool::wipe_idle() noexcept
{
  const std::lock_guard lock(mutex_);
  for (const auto& lane : idle_)
    if (lane->pinned.data() != nullptr) explicit_bzero(lane->pinned.data(), lane->pinned.size());
}

void LanePool::clear() noexcept
{
  const std::lock_guard lock(mutex_);
  idle_.clear();
  pinned_held_ = 0;
  device_held_ = 0;
}

}  // namespace gpuaes
