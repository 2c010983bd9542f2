#include "flight_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpuaes::match {
namespace {

// That of memory which the driver gives out.
constexpr std::size_t kAlignment = 256;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

FlightMemory::FlightMemory(Device& device, const FlightSizes& sizes, std::size_t fewest, std::size_t most)
{
  const std::size_t text = aligned(sizes.text), each = text + aligned(sizes.results);
  std::size_t flights = most;
  for (;; flights = std::max(fewest, flights / 2)) {
    try {
      here_ = Buffer(device, MemoryKind::pinned, flights * each);
      on_device_ = Buffer(device, MemoryKind::device, flights * each);
      break;
    } catch (const DeviceError& error) {
      here_ = {};
      if (error.kind() != DeviceError::Kind::out_of_memory || flights <= fewest) throw;
    }
  }
  for (std::size_t i = 0; i < flights; ++i) {
    std::uint8_t* const here = here_.data() + i * each;
    std::uint8_t* const there = on_device_.data() + i * each;
    free_.push_back({.text_here = {here, sizes.text},
                     .results_here = {here + text, sizes.results},
                     .text = {there, sizes.text},
                     .results = {there + text, sizes.results},
                     .stream = device.make_stream()});
  }
}

std::vector<FlightSlot> FlightMemory::take(std::size_t flights)
{
  const std::lock_guard lock(mutex_);
  if (free_.size() < flights) return {};
  const auto first = free_.end() - static_cast<std::ptrdiff_t>(flights);
  std::vector<FlightSlot> taken(std::make_move_iterator(first), std::make_move_iterator(free_.end()));
  free_.erase(first, free_.end());
  return taken;
}

void FlightMemory::give_back(FlightSlot slot)
{
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(slot));
}

}  // namespace gpuaes::match
