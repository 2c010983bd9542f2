// What a device must find before it is trusted with a search.
#pragma once

#include "engine/buffer.h"

#include <cstdint>
#include <span>

namespace gpuaes::match {

// A copy of host memory on the device.
Buffer upload(Device& device, std::span<const std::uint8_t> bytes);

// Searches a small text for patterns of every kind, counting and listing. Throws DeviceError if the result isn't the processor's.
void check_matching(Device& device);

}  // namespace gpuaes::match
