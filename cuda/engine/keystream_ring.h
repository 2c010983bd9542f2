// Keystream of one CTR context that the device makes before it is asked for, in a ring of slots of pinned memory: what is left for
// the processor is an exclusive-or. A slot that was used up is overwritten with the next keystream.
//
// Two threads share it. The context's own claims it for each call and uses the slots that are ready; it never speaks to the device.
// The engine's thread for rings (rings.h) fills the others. Between calls the ring may be retired: then the claim fails, and
// nothing is lost but speed.
#pragma once

#include "lanes.h"
#include "policy.h"
#include "xor_bytes.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

namespace gpuaes {

class KeystreamRing {
 public:
  // The same keystream from the processor: `bytes` bytes, a multiple of 16, from the block of `counter` on. Is called by the thread
  // that fills the ring.
  using Reference = std::function<void(const Counter& counter, std::uint8_t* keystream, std::size_t bytes)>;

  // Position 0 is the first byte of the block of `origin`.
  KeystreamRing(const AesKey& key, const Counter& origin, const RingShape& shape, Verify verify, Reference reference);

  // For the thread that fills it. furnish() gets the memory and opens the ring; false if there is too little for one, or if it was
  // retired meanwhile. Throws DeviceError.
  bool furnish(Device& device, LanePool& lanes);
  // Sees which slots are done and sets the device to work on those that are empty; whether some are still coming. What fails,
  // combine() throws.
  bool fill() noexcept;
  // Whether the stream may soon need what the device is at work on.
  bool runs_low() const noexcept;
  // Returns the memory if the device is done with it, or has failed; false if it is still at work. Only after the ring was retired.
  bool dismantle_if_done() noexcept;
  // The same, but waits.
  void dismantle() noexcept;

  // Whether the ring is the caller's until release(). It isn't while it is being furnished, and after it was retired.
  bool claim() noexcept
  {
    Phase expected = Phase::open;
    if (!phase_.compare_exchange_strong(expected, Phase::claimed, std::memory_order_acquire)) return false;
    claims_.store(claims_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return true;
  }
  void release() noexcept { phase_.store(Phase::open, std::memory_order_release); }

  // Ends it: nobody can claim it again, and it has to be dismantled. For the context itself, also instead of release().
  void retire() noexcept { phase_.store(Phase::retired, std::memory_order_release); }
  // The same for others: false if it isn't open, or claimed.
  bool retire_if_open() noexcept { return retire_from(Phase::open); }
  // False unless it is being furnished.
  bool cancel() noexcept { return retire_from(Phase::furnishing); }
  bool retired() const noexcept { return phase_.load(std::memory_order_acquire) == Phase::retired; }
  void forget_key() { key_ = AesKey(); }
  // Changes with every use.
  std::uint64_t claims() const noexcept { return claims_.load(std::memory_order_relaxed); }

  // For who has claimed it: combines `in` with the keystream from `position` on, as far as that is here, and adds the number of
  // bytes to `done`, also when it throws DeviceError: whatever has gone wrong with the ring. Never waits.
  void combine(std::int64_t position, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes, Stores stores,
               std::size_t& done)
  {
    const auto offset = static_cast<std::uint64_t>(position - ready_begin_);
    if (offset < ready_bytes_ && bytes <= ready_bytes_ - offset) {
      xor_bytes(out, in, ready_ + offset, bytes, stores);
      done += bytes;
    } else {
      combine_across(position, in, out, bytes, stores, done);
    }
  }
  bool found_wrong_result() const { return wrong_result_; }
  // Whether slots were used up since it was last asked: then fill() is due.
  bool take_call_for_fill() { return std::exchange(call_for_fill_, false); }

 private:
  enum class Phase : std::uint8_t { furnishing, open, claimed, retired };
  enum class Content : std::uint8_t { used_up, coming, ready };

  struct Slot {
    explicit Slot(LaneLease leased) : lane(std::move(leased)) {}
    LaneLease lane;
    std::int64_t begin = 0;  // position of its first byte
    std::atomic<Content> content{Content::used_up};
  };

  void combine_across(std::int64_t position, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes, Stores stores,
                      std::size_t& done);
  bool retire_from(Phase from) noexcept { return phase_.compare_exchange_strong(from, Phase::retired, std::memory_order_acquire); }
  bool make_ready(std::int64_t position);
  void check(const Slot& slot);
  void refill(Slot& slot, std::int64_t begin);
  std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

  AesKey key_;
  const Counter origin_;
  const RingShape shape_;
  const Verify verify_;
  const Reference reference_;
  std::deque<Slot> slots_;
  std::atomic<std::uint64_t> claims_{0};
  std::atomic<Phase> phase_{Phase::furnishing};

  // The context's side.
  std::size_t front_ = 0;  // the slot in use
  std::int64_t ready_begin_ = 0;
  std::size_t ready_bytes_ = 0;  // 0: none is in use
  const std::uint8_t* ready_ = nullptr;
  bool call_for_fill_ = false;

  std::atomic<std::int64_t> wanted_{0};  // keystream before this position won't be needed any more

  // The filling side.
  std::size_t next_ = 0;    // the slot to be filled next
  std::size_t oldest_ = 0;  // the first that is coming
  std::int64_t next_begin_ = 0;
  std::optional<DeviceError> error_;  // to be read when failed_ is set, like the next
  bool wrong_result_ = false;
  std::atomic<bool> failed_{false};
};

}  // namespace gpuaes
