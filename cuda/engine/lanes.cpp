#include "lanes.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace gpuaes {

namespace {

// The device wipes what was used, in stream order and while the caller goes on; but not less than this of pinned memory, for which
// the processor is faster.
constexpr std::size_t kWipedHere = std::size_t{64} << 10;

// By the processor, once the device is done with it, well or not.
void wipe_pinned(Lane& lane) noexcept
{
  if (lane.pinned_used == 0) return;
  try {
    if (lane.stream != nullptr) lane.stream->wait();
  } catch (const std::exception&) {
  }
  explicit_bzero(lane.pinned.data(), lane.pinned_used);
  lane.pinned_used = 0;
}

}  // namespace

// A lane whose wipe failed, as when the device is lost, hasn't told anybody.
LanePool::~LanePool()
{
  for (const auto& lane : idle_) wipe_pinned(*lane);
}

LaneLease::~LaneLease()
{
  if (lane_ != nullptr) pool_->give_back(std::move(lane_));
}

LaneLease LanePool::acquire(Device& device, LaneNeeds needs, Wait wait, Term term)
{
  std::unique_ptr<Lane> lane;
  {
    std::unique_lock lock(mutex_);
    lane = take(needs);
    if (lane == nullptr && wait == Wait::for_a_lane)
      returned_.wait(lock, [&] { return (lane = take(needs)) != nullptr || leased_to_calls_ == 0; });
    if (lane == nullptr) return {};
    lane->term = term;
    if (term == Term::call) ++leased_to_calls_;
  }
  // From here on the lease returns whatever the lane has, also when one of the steps throws.
  LaneLease lease(*this, std::move(lane));
  if (lease->stream == nullptr) lease->stream = device.make_stream();
  if (lease->being_wiped) {
    lease->stream->wait();
    lease->being_wiped = false;
    lease->device_used = 0;
    lease->pinned_used = 0;
  }
  if (needs.device && lease->device.data() == nullptr) lease->device = Buffer(device, MemoryKind::device, kLaneBytes);
  if (needs.pinned && lease->pinned.data() == nullptr) lease->pinned = Buffer(device, MemoryKind::pinned, kLaneBytes);
  return lease;
}

// Null if there is no room. The pool must be locked.
std::unique_ptr<Lane> LanePool::take(LaneNeeds needs)
{
  std::unique_ptr<Lane> lane;
  while ((lane = find(needs)) == nullptr && make_an_idle_one_give_way(needs)) continue;
  return lane;
}

// Idle lanes that each lack something may hold all the room between them: one that has what is short goes. False if what is short
// is all in use.
bool LanePool::make_an_idle_one_give_way(LaneNeeds needs) noexcept
{
  const auto holder_of = [this](bool LaneNeeds::*kind) {
    return std::find_if(idle_.begin(), idle_.end(), [kind](const auto& lane) { return lane->reserved.*kind; });
  };
  const bool short_of_device = needs.device && device_held_ + kLaneBytes > device_bytes_;
  const bool short_of_pinned = needs.pinned && pinned_held_ + kLaneBytes > pinned_bytes_;
  if (short_of_device && holder_of(&LaneNeeds::device) == idle_.end()) return false;
  if (short_of_pinned && holder_of(&LaneNeeds::pinned) == idle_.end()) return false;
  const auto lane = holder_of(short_of_device ? &LaneNeeds::device : &LaneNeeds::pinned);
  if (lane == idle_.end()) return false;
  give_up(**lane);
  wipe_pinned(**lane);
  idle_.erase(lane);
  return true;
}

// The idle lane that has most of what is needed and, among those, least of what isn't, or a new one; with room reserved for what it
// lacks. Null if there is no room.
std::unique_ptr<Lane> LanePool::find(LaneNeeds needs)
{
  const auto lacks_device = [&](const Lane* lane) { return needs.device && (lane == nullptr || lane->device.data() == nullptr); };
  const auto lacks_pinned = [&](const Lane* lane) { return needs.pinned && (lane == nullptr || lane->pinned.data() == nullptr); };
  const auto fits = [&](const Lane* lane) {
    return (!lacks_device(lane) || device_held_ + kLaneBytes <= device_bytes_) &&
           (!lacks_pinned(lane) || pinned_held_ + kLaneBytes <= pinned_bytes_);
  };
  const auto misfit = [&](const Lane* lane) {
    const int unneeded = (!needs.device && lane->device.data() != nullptr) + (!needs.pinned && lane->pinned.data() != nullptr);
    return 4 * (lacks_device(lane) + lacks_pinned(lane)) + unneeded;
  };
  auto best = idle_.end();
  for (auto lane = idle_.begin(); lane != idle_.end(); ++lane)
    if (fits(lane->get()) && (best == idle_.end() || misfit(lane->get()) < misfit(best->get()))) best = lane;
  const bool found = best != idle_.end();
  if (!found && !fits(nullptr)) return nullptr;
  std::unique_ptr<Lane> lane;
  if (found) {
    lane = std::move(*best);
    idle_.erase(best);
  } else {
    lane = std::make_unique<Lane>();
    idle_.reserve(lanes_ + 1);  // giving back can't fail
    ++lanes_;
  }
  if (lacks_device(lane.get())) device_held_ += kLaneBytes;
  if (lacks_pinned(lane.get())) pinned_held_ += kLaneBytes;
  lane->reserved = {.device = needs.device || lane->device.data() != nullptr,
                    .pinned = needs.pinned || lane->pinned.data() != nullptr};
  return lane;
}

// Frees the room of a lane that is about to go.
void LanePool::give_up(const Lane& lane) noexcept
{
  --lanes_;
  if (lane.reserved.device) device_held_ -= kLaneBytes;
  if (lane.reserved.pinned) pinned_held_ -= kLaneBytes;
}

void LanePool::give_back(std::unique_ptr<Lane> lane) noexcept
{
  // Still being wiped means that its last wipe has failed, as the one below may: such a lane isn't used again.
  bool good = lane->stream != nullptr && !lane->being_wiped;
  if (lane->pinned_used > 0 && (!good || lane->pinned_used <= kWipedHere)) {
    explicit_bzero(lane->pinned.data(), lane->pinned_used);
    lane->pinned_used = 0;
  }
  try {
    if (good && lane->device_used > 0) lane->stream->clear(lane->device.data(), lane->device_used);
    if (good && lane->pinned_used > 0) lane->stream->clear(lane->pinned.data(), lane->pinned_used);
    lane->being_wiped = lane->device_used > 0 || lane->pinned_used > 0;
  } catch (const std::exception&) {
    good = false;
    if (lane->pinned_used > 0) explicit_bzero(lane->pinned.data(), lane->pinned_used);
  }
  const std::lock_guard lock(mutex_);
  if (lane->term == Term::call) --leased_to_calls_;
  if (good) {
    // Room that was reserved for a buffer which then couldn't be had is free again.
    const LaneNeeds has{.device = lane->device.data() != nullptr, .pinned = lane->pinned.data() != nullptr};
    if (lane->reserved.device && !has.device) device_held_ -= kLaneBytes;
    if (lane->reserved.pinned && !has.pinned) pinned_held_ -= kLaneBytes;
    lane->reserved = has;
    idle_.push_back(std::move(lane));
  } else {
    give_up(*lane);
  }
  returned_.notify_all();
}

void LanePool::wipe_idle() noexcept
{
  const std::lock_guard lock(mutex_);
  for (const auto& lane : idle_)
    if (lane->pinned.data() != nullptr) explicit_bzero(lane->pinned.data(), lane->pinned.size());
}

}  // namespace gpuaes
