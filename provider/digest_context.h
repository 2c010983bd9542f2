// One digest context of an application: a CRC-16's register, and what is known of the memory that its messages come from.
#pragma once

#include "host_regions.h"
#include "provider_context.h"

#include "core/crc16.h"
#include "core/crc16_host.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gpuaes {

class DigestContext {
 public:
  DigestContext(ProviderContext& provider, const Crc16Variant& variant)
      : provider_(provider), engine_(provider.engine()), variant_(variant), state_(variant.init), host_(provider.program_heap())
  {
  }
  DigestContext(const DigestContext& other)
      : provider_(other.provider_),
        engine_(other.engine_),
        variant_(other.variant_),
        state_(other.state_),
        device_pointers_(other.device_pointers_),
        host_(provider_.program_heap())
  {
  }
  DigestContext& operator=(const DigestContext&) = delete;
  ~DigestContext() { flush_counts(); }

  const Core& core() const { return provider_.core(); }
  const Crc16Variant& variant() const { return variant_; }

  void begin()
  {
    state_ = variant_.init;
    host_.forget();
    device_pointers_.reset();
  }
  // Throws DeviceError, and has changed nothing then.
  void update(const std::uint8_t* data, std::size_t bytes)
  {
    if (is_small(data, bytes))
      add_by_processor(data, bytes);
    else
      add_by_engine(data, bytes);
  }
  std::uint16_t value() const { return variant_.value(state_); }

  // Where the message stands.
  std::uint16_t state() const { return state_; }
  // Goes on from there; from another context's place, of the same variant, with what that knows of device memory.
  void resume(std::uint16_t state) { state_ = state; }
  void resume(const DigestContext& other)
  {
    state_ = other.state_;
    device_pointers_ = other.device_pointers_;
    host_.forget();
  }

 private:
  static constexpr unsigned kFlushAfterCalls = 64;
  // A piece is small if no device can be better off with it. While a pointer may be the device's, that of a small piece is looked
  // at too; but most are into the heap or the stack, and for them nothing need be asked.
  bool is_small(const std::uint8_t* data, std::size_t bytes)
  {
    const bool small_if_pinned = bytes < engine_.smallest_crc16_offers().of(true);
    if (bytes == 0 || (small_if_pinned && host_.certain(data))) return true;
    if (device_pointers() == DevicePointers::impossible) return bytes < engine_.smallest_crc16_offers().of(false);
    return small_if_pinned && host_.remembered(data, data, device_pointers() == DevicePointers::unlikely);
  }
  // Asked at most once a message.
  DevicePointers device_pointers()
  {
    if (!device_pointers_) device_pointers_ = engine_.device_pointers();
    return *device_pointers_;
  }

  void add_by_processor(const std::uint8_t* data, std::size_t bytes)
  {
    state_ = crc16_update(state_, data, bytes);
    pending_bytes_ += bytes;
    if (++pending_calls_ == kFlushAfterCalls) flush_counts();
  }
  void add_by_engine(const std::uint8_t* data, std::size_t bytes);
  // Adds what was counted here to the engine's counters, which all threads share.
  void flush_counts() noexcept;

  ProviderContext& provider_;
  Engine& engine_;
  const Crc16Variant& variant_;
  std::uint16_t state_;
  std::optional<DevicePointers> device_pointers_;  // nothing until asked
  unsigned pending_calls_ = 0;
  std::size_t pending_bytes_ = 0;
  HostRegions host_;
};

}  // namespace gpuaes
