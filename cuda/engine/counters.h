// What the engine did, counted. Every value only grows; readers may see one call's values a moment apart.
#pragma once

#include "reason.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpuaes {

// Who carried a piece of work.
enum class Carrier : std::uint8_t { device, keystream, fallback };
inline constexpr std::size_t kCarriers = 3;

struct alignas(64) Counters {
  std::array<std::atomic<std::uint64_t>, kCarriers> calls{};
  std::array<std::atomic<std::uint64_t>, kCarriers> bytes{};
  std::array<std::atomic<std::uint64_t>, kReasons> reasons{};  // of calls; together they are as many
  std::atomic<std::uint64_t> device_errors{0};
  std::atomic<std::uint64_t> redone_on_cpu{0};
  std::atomic<std::uint64_t> verify_failures{0};
  std::atomic<std::uint64_t> rings_started{0};

  void add(Carrier carrier, std::uint64_t more_calls, std::uint64_t more_bytes)
  {
    const auto index = static_cast<std::size_t>(carrier);
    calls[index].fetch_add(more_calls, std::memory_order_relaxed);
    bytes[index].fetch_add(more_bytes, std::memory_order_relaxed);
  }

  void add(Reason reason, std::uint64_t more_calls = 1)
  {
    if (more_calls > 0) reasons[static_cast<std::size_t>(reason)].fetch_add(more_calls, std::memory_order_relaxed);
  }
};

}  // namespace gpuaes
