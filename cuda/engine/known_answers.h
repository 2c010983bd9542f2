// What a device must get right before it is trusted with data.
#pragma once

#include "device.h"

namespace gpuaes {

// Runs published vectors for every mode and key size, each beside a few thousand blocks that are checked against the processor, so
// that every multiprocessor takes part. Throws DeviceError if a result is wrong or the device fails.
void run_known_answer_tests(Device& device);

}  // namespace gpuaes
