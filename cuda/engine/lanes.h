// Lanes: a stream with its staging buffers, through which one chunk at a time goes to the device and back. They are made when first
// needed, within the memory bounds, and kept.
#pragma once

#include "buffer.h"
#include "options.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gpuaes {

class LanePool;

// What a lane must have besides its stream.
struct LaneNeeds {
  bool device = false;  // kLaneBytes on the device
  bool pinned = false;  // kLaneBytes of pinned memory
};

// How long a lane is wanted: for who waits, only those of calls will be returned.
enum class Term : std::uint8_t { call, any_time };

struct Lane {
  Buffer device;
  Buffer pinned;
  std::unique_ptr<Stream> stream;  // after the buffers, so that it has waited for its work before they go
  // The most that was written into each buffer since it was last wiped, in bytes.
  std::size_t device_used = 0;
  std::size_t pinned_used = 0;
  bool being_wiped = false;  // by work on the stream
  LaneNeeds reserved;        // what the pool counts it for
  Term term = Term::call;
};

// What to do when the bounds allow no more lanes.
enum class Wait { never, for_a_lane };

// Returns its lane to the pool, wiped, when it goes. All work of the lane's stream must be done by then.
class LaneLease {
 public:
  LaneLease() = default;
  LaneLease(LanePool& pool, std::unique_ptr<Lane> lane) : pool_(&pool), lane_(std::move(lane)) {}
  LaneLease(LaneLease&&) = default;
  LaneLease& operator=(LaneLease&& other) noexcept
  {
    std::swap(pool_, other.pool_);
    std::swap(lane_, other.lane_);
    return *this;
  }
  ~LaneLease();

  explicit operator bool() const { return lane_ != nullptr; }
  Lane* operator->() const { return lane_.get(); }
  Lane& operator*() const { return *lane_; }

 private:
  LanePool* pool_ = nullptr;
  std::unique_ptr<Lane> lane_;
};

class LanePool {
 public:
  LanePool(const Options& options) : pinned_bytes_(options.pinned_bytes), device_bytes_(options.device_bytes) {}
  ~LanePool();

  // A lane of `device`, or an empty lease if there can be none: when waiting, only if no call will return one. Throws DeviceError
  // if the device can't make one.
  LaneLease acquire(Device& device, LaneNeeds needs, Wait wait = Wait::never, Term term = Term::call);

  // Of pinned and of device memory, in bytes: in use, and kept for use. From any process that has this pool.
  std::size_t pinned_held() const noexcept { return pinned_held_.load(std::memory_order_relaxed); }
  std::size_t device_held() const noexcept { return device_held_.load(std::memory_order_relaxed); }

  // Overwrites the pinned buffers of all idle lanes by the processor, when the device can no longer do it.
  void wipe_idle() noexcept;

 private:
  friend class LaneLease;
  void give_back(std::unique_ptr<Lane> lane) noexcept;
  std::unique_ptr<Lane> take(LaneNeeds needs);
  std::unique_ptr<Lane> find(LaneNeeds needs);
  bool make_an_idle_one_give_way(LaneNeeds needs) noexcept;
  void give_up(const Lane& lane) noexcept;

  const std::size_t pinned_bytes_;
  const std::size_t device_bytes_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Lane>> idle_;  // with room for all lanes that there are
  std::size_t lanes_ = 0;
  std::size_t leased_to_calls_ = 0;
  std::atomic<std::size_t> pinned_held_{0};
  std::atomic<std::size_t> device_held_{0};
};

}  // namespace gpuaes
