#include "keystream_ring.h"

#include "../core/secret_bytes.h"
#include "why_unusable.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gpuaes {
namespace {

// A ring of one slot would be empty while it is refilled.
constexpr std::size_t kFewestSlots = 2;
// The slot in use, of which little may be left, and the next: the stream calls when it goes on to that, and what is coming then has
// as long to come as it takes for that one.
constexpr std::ptrdiff_t kEnoughReady = 2;
constexpr auto kBlock = static_cast<std::int64_t>(kBlockBytes);

}  // namespace

KeystreamRing::KeystreamRing(const AesKey& key, const Counter& origin, const RingShape& shape, Verify verify, Reference reference)
    : key_(key), origin_(origin), shape_(shape), verify_(verify), reference_(std::move(reference))
{
}

bool KeystreamRing::furnish(Device& device, LanePool& lanes)
{
  for (std::size_t i = 0; i < shape_.slots && !retired(); ++i) {
    LaneLease lane = lanes.acquire(device, {.device = true, .pinned = true}, Wait::never, Term::any_time);
    if (!lane) break;
    slots_.emplace_back(std::move(lane));
  }
  Phase expected = Phase::furnishing;
  return slots_.size() >= kFewestSlots && phase_.compare_exchange_strong(expected, Phase::open, std::memory_order_release);
}

bool KeystreamRing::dismantle_if_done() noexcept
{
  for (const Slot& slot : slots_) {
    try {
      if (!slot.lane->stream->done()) return false;
    } catch (const std::exception&) {
      // The lane finds that out when it is wiped.
    }
  }
  slots_.clear();
  return true;
}

void KeystreamRing::dismantle() noexcept
{
  for (const Slot& slot : slots_) {
    try {
      slot.lane->stream->wait();
    } catch (const std::exception&) {
    }
  }
  slots_.clear();
}

void KeystreamRing::combine_across(std::int64_t position, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes,
                                   Stores stores, std::size_t& done)
{
  while (bytes > 0 && make_ready(position)) {
    const auto offset = static_cast<std::size_t>(position - ready_begin_);
    const std::size_t piece = std::min(bytes, ready_bytes_ - offset);
    xor_bytes(out, in, ready_ + offset, piece, stores);
    done += piece;
    position += static_cast<std::int64_t>(piece);
    in += piece;
    out += piece;
    bytes -= piece;
  }
}

// Whether the keystream at `position` can be used. Slots that end before it are given up.
bool KeystreamRing::make_ready(std::int64_t position)
{
  if (failed_.load(std::memory_order_acquire)) throw *error_;
  wanted_.store(position, std::memory_order_relaxed);
  for (std::size_t looked_at = 0; looked_at < slots_.size(); ++looked_at) {
    Slot& slot = slots_[front_];
    if (slot.content.load(std::memory_order_acquire) != Content::ready) return false;
    const std::int64_t offset = position - slot.begin;
    if (offset < 0) return false;
    if (offset < static_cast<std::int64_t>(shape_.slot_bytes)) {
      if (ready_bytes_ > 0) return true;
      ready_begin_ = slot.begin;
      ready_bytes_ = shape_.slot_bytes;
      ready_ = slot.lane->pinned.data();
      return true;
    }
    ready_bytes_ = 0;
    front_ = after(front_);
    call_for_fill_ = true;
    slot.content.store(Content::used_up, std::memory_order_release);
  }
  return false;
}

bool KeystreamRing::fill() noexcept
{
  if (failed_.load(std::memory_order_relaxed)) return false;
  try {
    // First, since a stream may be waiting for it, and to give the device work takes a while.
    for (Slot* slot = &slots_[oldest_];
         slot->content.load(std::memory_order_relaxed) == Content::coming && slot->lane->stream->done(); slot = &slots_[oldest_]) {
      check(*slot);
      slot->content.store(Content::ready, std::memory_order_release);
      oldest_ = after(oldest_);
    }
    for (Slot* slot = &slots_[next_]; slot->content.load(std::memory_order_acquire) == Content::used_up; slot = &slots_[next_]) {
      const std::int64_t wanted = wanted_.load(std::memory_order_relaxed) / kBlock * kBlock;
      next_begin_ = std::max(next_begin_, wanted);
      refill(*slot, next_begin_);
      next_begin_ += static_cast<std::int64_t>(shape_.slot_bytes);
      next_ = after(next_);
    }
    return slots_[oldest_].content.load(std::memory_order_relaxed) == Content::coming;
  } catch (const DeviceError& error) {
    error_.emplace(error);
  } catch (const std::exception& error) {
    error_.emplace(DeviceError::Kind::out_of_memory, error.what());  // the check's
  }
  failed_.store(true, std::memory_order_release);
  return false;
}

bool KeystreamRing::runs_low() const noexcept
{
  const auto is_ready = [](const Slot& slot) { return slot.content.load(std::memory_order_relaxed) == Content::ready; };
  return std::count_if(slots_.begin(), slots_.end(), is_ready) < kEnoughReady;
}

void KeystreamRing::refill(Slot& slot, std::int64_t begin)
{
  Lane& lane = *slot.lane;
  AesJob job{.mode = AesMode::ctr,
             .rounds = key_.rounds(),
             .keys = key_.schedule(AesMode::ctr),
             .counter = origin_.plus(static_cast<std::uint64_t>(begin) / kBlockBytes),
             .in = nullptr,
             .out = lane.device.data(),
             .blocks = shape_.slot_bytes / kBlockBytes};
  const WipedOnExit wipe(&job.keys, sizeof job.keys);
  lane.device_used = lane.pinned_used = shape_.slot_bytes;
  lane.stream->run(job);
  lane.stream->copy(lane.pinned.data(), lane.device.data(), shape_.slot_bytes);
  slot.begin = begin;
  slot.content.store(Content::coming, std::memory_order_relaxed);
}

// Compares a block of the slot, another one each time, or all of it with the processor's result.
void KeystreamRing::check(const Slot& slot)
{
  if (verify_ == Verify::off) return;
  const bool all = verify_ == Verify::all;
  const std::uint64_t block = static_cast<std::uint64_t>(slot.begin) / kBlockBytes;
  const std::uint64_t mixed = (block + 1) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  const std::size_t offset = all ? 0 : (mixed >> 32) % (shape_.slot_bytes / kBlockBytes) * kBlockBytes;
  SecretBytes expected(all ? shape_.slot_bytes : kBlockBytes);
  reference_(origin_.plus(block + offset / kBlockBytes), expected.data(), expected.size());
  if (std::memcmp(expected.data(), slot.lane->pinned.data() + offset, expected.size()) == 0) return;
  wrong_result_ = true;
  throw DeviceError(DeviceError::Kind::lost, why::kWrongResult);
}

}  // namespace gpuaes
