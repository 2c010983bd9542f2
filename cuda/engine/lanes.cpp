#include "lanes.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace gpuaes {

namespace {

// The device wipes what was used, in stream order and while the caller goes on; but not less than this of pinned memory, for which
// the processor is faster.
constexpr std::size_t kWipedHere = std::size_t{64} << 10;

}  // namespace

LaneLease::~LaneLease()
{
  if (lane_ != nullptr) pool_->give_back(std::move(lane_));
}

LaneLease LanePool::acquire(Device& device, LaneNeeds needs, Wait wait)
{
  std::unique_ptr<Lane> lane;
  {
    std::unique_lock lock(mutex_);
    lane = take(needs);
    if (lane == nullptr && wait == Wait::for_a_lane)
      returned_.wait(lock, [&] { return (lane = take(needs)) != nullptr || leased_ == 0; });
    if (lane == nullptr) return {};
    ++leased_;
  }
  // From here on the lease returns whatever the lane has, also when one of the steps throws.
  LaneLease lease(*this, std::move(lane));
  if (lease->stream == nullptr) lease->stream = device.make_stream();
  if (std::exchange(lease->being_wiped, false)) lease->stream->wait();
  if (needs.device && lease->device.data() == nullptr) lease->device = Buffer(device, MemoryKind::device, kLaneBytes);
  if (needs.pinned && lease->pinned.data() == nullptr) lease->pinned = Buffer(device, MemoryKind::pinned, kLaneBytes);
  return lease;
}

// The idle lane that has most of what is needed and, among those, least of what isn't, or a new one; with room reserved for what it
// lacks. Null if there is no room. The pool must be locked.
std::unique_ptr<Lane> LanePool::take(LaneNeeds needs)
{
  const auto misfit = [&](const std::unique_ptr<Lane>& lane) {
    const auto cost = [](bool needed, bool has) { return needed == has ? 0 : needed ? 2 : 1; };
    return cost(needs.device, lane->device.data() != nullptr) + cost(needs.pinned, lane->pinned.data() != nullptr);
  };
  const auto best =
      std::min_element(idle_.begin(), idle_.end(), [&](const auto& a, const auto& b) { return misfit(a) < misfit(b); });
  const bool found = best != idle_.end();
  const bool lacks_device = needs.device && !(found && (*best)->device.data() != nullptr);
  const bool lacks_pinned = needs.pinned && !(found && (*best)->pinned.data() != nullptr);
  if (lacks_device && device_held_ + kLaneBytes > device_bytes_) return nullptr;
  if (lacks_pinned && pinned_held_ + kLaneBytes > pinned_bytes_) return nullptr;
  std::unique_ptr<Lane> lane = found ? std::move(*best) : std::make_unique<Lane>();
  if (found) idle_.erase(best);
  if (lacks_device) device_held_ += kLaneBytes;
  if (lacks_pinned) pinned_held_ += kLaneBytes;
  lane->reserved = {.device = needs.device || lane->device.data() != nullptr,
                    .pinned = needs.pinned || lane->pinned.data() != nullptr};
  return lane;
}

void LanePool::give_back(std::unique_ptr<Lane> lane) noexcept
{
  try {
    if (lane->pinned_used > 0 && lane->pinned_used <= kWipedHere) {
      explicit_bzero(lane->pinned.data(), lane->pinned_used);
      lane->pinned_used = 0;
    }
    lane->being_wiped = lane->device_used > 0 || lane->pinned_used > 0;
    if (lane->device_used > 0) lane->stream->clear(lane->device.data(), lane->device_used);
    if (lane->pinned_used > 0) lane->stream->clear(lane->pinned.data(), lane->pinned_used);
  } catch (const DeviceError&) {
    if (lane->pinned_used > 0) explicit_bzero(lane->pinned.data(), lane->pinned_used);
  }
  lane->device_used = 0;
  lane->pinned_used = 0;
  const std::lock_guard lock(mutex_);
  --leased_;
  // Room that was reserved for a buffer which then couldn't be had is free again.
  if (lane->reserved.device && lane->device.data() == nullptr) device_held_ -= kLaneBytes;
  if (lane->reserved.pinned && lane->pinned.data() == nullptr) pinned_held_ -= kLaneBytes;
  if (lane->stream != nullptr) idle_.push_back(std::move(lane));
  returned_.notify_all();
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
