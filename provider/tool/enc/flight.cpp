#include "flight.h"

#include "transfer.h"

#include <string.h>

namespace gpuaes::enc {

Flights::Flights(Device& device, std::size_t bytes) : bytes_(bytes)
{
  const std::size_t room = bytes + Transfer::kMostPadding;
  for (Flight& flight : flights_) {
    flight.in = Buffer(device, MemoryKind::pinned, room);
    flight.out = Buffer(device, MemoryKind::pinned, room);
    flight.device = Buffer(device, MemoryKind::device, room);
    flight.stream = device.make_stream();
  }
}

void Flights::wipe() noexcept
{
  for (Flight& flight : flights_) {
    if (flight.stream == nullptr) continue;
    try {
      flight.stream->clear(flight.device.data(), flight.device.size());
      flight.stream->wait();
    } catch (const DeviceError&) {
      // A device that is lost has lost its memory too.
    }
    explicit_bzero(flight.in.data(), flight.in.size());
    explicit_bzero(flight.out.data(), flight.out.size());
  }
}

}  // namespace gpuaes::enc
