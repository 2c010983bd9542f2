// Where a CTR context stands in keystream that a device makes ahead of it, if it does so much small work in a row that it has a
// ring.
//
// While the ring serves it, the context of the default provider is left behind. Whoever needs that context has it catch up first.
#pragma once

#include "engine/engine.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gpuaes {

class KeystreamAhead {
 public:
  explicit KeystreamAhead(Engine& engine) : engine_(engine), ring_bytes_(engine.ring_after()), ask_at_(ring_bytes_) {}
  KeystreamAhead(const KeystreamAhead&) = delete;
  KeystreamAhead& operator=(const KeystreamAhead&) = delete;
  ~KeystreamAhead() { drop(); }

  bool has_ring() const { return ring_ != nullptr; }

  // Counts bytes that were served without a ring. Whether it is time for start().
  bool note_served(std::size_t bytes)
  {
    if (ask_at_ == 0) return false;
    if (served_ >= ring_bytes_) engine_.note_stream(bytes);
    served_ += bytes;
    return served_ >= ask_at_ && engine_.state() == State::ready;
  }

  // Asks for a ring. `position` is that of the next byte, seen from the block of `origin`: between -15 and 0.
  void start(const AesKey& key, const Counter& origin, std::int64_t position, KeystreamRing::Reference reference)
  {
    ask_at_ = 2 * served_;  // if there is none now
    ring_ = engine_.start_ring(key, origin, std::move(reference));
    origin_ = origin;
    position_ = position;
    missed_ = 0;
  }

  // Combines what there is keystream for and returns its length. Throws DeviceError.
  std::size_t combine(const std::uint8_t* in, std::uint8_t* out, std::size_t bytes, Stores stores)
  {
    const std::size_t done = ring_ == nullptr ? 0 : engine_.combine(*ring_, position_, in, out, bytes, stores);
    position_ += static_cast<std::int64_t>(done);
    if (done > 0) leads_.store(true, std::memory_order_relaxed);
    return done;
  }

  // Bytes that the default provider's context did by itself. A ring that is empty more often than not, as with a device that is
  // busy or slow, isn't worth its keep.
  void skip(std::size_t bytes)
  {
    position_ += static_cast<std::int64_t>(bytes);
    missed_ += bytes;
    if (missed_ <= kRingsOfPatience * ring_bytes_ || 2 * missed_ <= static_cast<std::size_t>(position_)) return;
    served_ += static_cast<std::size_t>(position_);
    ask_at_ = 8 * served_;
    drop();
  }

  bool leads() const { return leads_.load(std::memory_order_acquire); }
  // The block that the default provider's context has to be moved to, and how many bytes into it; after that it is up to date.
  Counter block() const { return origin_.plus(static_cast<std::uint64_t>(position_) / kBlockBytes); }
  std::size_t bytes_into_block() const { return static_cast<std::uint64_t>(position_) % kBlockBytes; }
  void caught_up() { leads_.store(false, std::memory_order_release); }

  // Gives up a ring that has come to its end.
  void drop_if_retired()
  {
    if (ring_ != nullptr && ring_->retired()) drop();
  }
  // For a context that goes on elsewhere in the keystream, or in another. Only when it has caught up, or isn't needed any more.
  void start_anew()
  {
    drop();
    served_ = 0;
    ask_at_ = ring_bytes_;
  }

 private:
  // Until it is furnished and filled, a ring is missed too.
  static constexpr std::size_t kRingsOfPatience = 8;

  void drop()
  {
    if (ring_ != nullptr) engine_.drop_ring(ring_);
    ring_.reset();
  }

  Engine& engine_;
  const std::size_t ring_bytes_;
  std::shared_ptr<KeystreamRing> ring_;
  Counter origin_{};
  std::int64_t position_ = 0;
  std::atomic<bool> leads_{false};
  std::size_t missed_ = 0;  // of the bytes up to the position
  std::size_t served_ = 0;
  std::size_t ask_at_;
};

}  // namespace gpuaes
