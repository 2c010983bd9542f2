// Which device the suites run on: GPUAES_TEST_DEVICE = host (the stand-in) or cuda.
#pragma once

#include "engine/device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace gpuaes::test {

// The variable GPUAES_TEST_<name> as it was when the test program started.
std::string test_variable(const std::string& name, const std::string& otherwise);

// For tests with random input: GPUAES_TEST_SEED, or always the same. Prints it, so that a failure can be had again.
unsigned test_seed();

bool on_cuda();
// For programs that take it as an argument, before they use any: the same as GPUAES_TEST_DEVICE.
void choose_test_device(const std::string& name);
// "host" or "cuda", as the setting `device` takes it.
const char* test_device_name();
std::unique_ptr<Platform> make_test_platform();
// Empty, or why the tests that need the chosen device must be skipped.
std::string why_skip();

// Base of all tests that use a device. Skips them where there is none.
template <typename Base = ::testing::Test>
class OnDevice : public Base {
 protected:
  void SetUp() override
  {
    const std::string reason = why_skip();
    if (!reason.empty()) GTEST_SKIP() << "no CUDA device: " << reason;
  }
};

// Base of the tests that need the stand-in, because they make it fail.
class OnStandIn : public ::testing::Test {
 protected:
  void SetUp() override
  {
    if (on_cuda()) GTEST_SKIP() << "faults can only be put into the stand-in";
  }
};

}  // namespace gpuaes::test
