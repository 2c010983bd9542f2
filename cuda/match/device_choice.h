// What --device says, in every command that has it.
#pragma once

#include "engine/device.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpuaes::match {

struct DeviceChoice {
  enum class How {
    automatic,  // the processor, and a device as well once it is up, where there is enough to do
    cpu,        // the processor alone
    device,     // a device alone, or an error
  };
  How how = How::automatic;
  std::vector<int> ordinals{};  // empty = any
  std::function<std::unique_ptr<Platform>()> make_platform = make_cuda_platform;
};

// auto, cpu or the number of a GPU; host is the stand-in, for tests. Throws UsageError.
DeviceChoice device_named(const std::string& name);

}  // namespace gpuaes::match
