// What a device must get right before it is trusted with data.
#pragma once

#include "device.h"

#include <string>
#include <vector>

namespace gpuaes {

struct TestResult {
  std::string test;
  bool passed;
};

// Runs published vectors for every mode and key size, each beside a few thousand blocks that are checked against the processor, so
// that every multiprocessor takes part. Throws DeviceError if a result is wrong or the device fails.
void run_known_answer_tests(Device& device);
// The same; `results` gets one for each test that came to its end.
void note_known_answer_tests(Device& device, std::vector<TestResult>& results);

}  // namespace gpuaes
