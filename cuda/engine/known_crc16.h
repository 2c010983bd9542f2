// The known-answer test of a device's CRC-16, part of run_known_answer_tests().
#pragma once

#include "device.h"

namespace gpuaes {

// Throws DeviceError if the device fails.
bool passes_crc16_known_answers(Device& device);

}  // namespace gpuaes
