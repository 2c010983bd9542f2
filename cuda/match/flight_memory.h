// What all flights of a search need, had in one go before the first takes off: while the driver gives out pinned memory, whoever
// else speaks to the device may have to wait, which would look like a device that takes no more.
#pragma once

#include "engine/buffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace gpuaes::match {

// Of one flight, in bytes.
struct FlightSizes {
  std::size_t text = 0;
  std::size_t results = 0;
};

// For one flight: pinned memory, memory of the device, and a stream.
struct FlightSlot {
  std::span<std::uint8_t> text_here;
  std::span<std::uint8_t> results_here;
  std::span<std::uint8_t> text;
  std::span<std::uint8_t> results;
  std::unique_ptr<Stream> stream;
};

class FlightMemory {
 public:
  // For `most` flights, or for as many as there is memory for. Throws DeviceError if there is none even for `fewest`.
  FlightMemory(Device& device, const FlightSizes& sizes, std::size_t fewest, std::size_t most);

  // May be called from any thread. No slots if fewer than `flights` are left.
  std::vector<FlightSlot> take(std::size_t flights);
  // One whose stream has nothing more to do.
  void give_back(FlightSlot slot);

 private:
  Buffer here_;
  Buffer on_device_;
  std::mutex mutex_;
  std::vector<FlightSlot> free_;  // after the memory, so that their streams go first
};

}  // namespace gpuaes::match
