// What stands for CUDA in a build without its toolkit: no device, but device pointers are still recognised, so that handing one
// over is an error and not a crash.
#include "../engine/device.h"
#include "../engine/why_unusable.h"
#include "driver.h"

namespace gpuaes {
namespace {

class NoCudaPlatform final : public Platform {
 public:
  DevicePointers device_pointers() const noexcept override
  {
    return driver::has_active_context() ? DevicePointers::likely : DevicePointers::impossible;
  }
  MemoryPlace place_of(const void* memory) const noexcept override { return driver::place_of(memory); }
  Software software() const override { return {.driver = driver::version()}; }
  std::unique_ptr<Device> open(std::span<const int>, const std::function<void()>&) override
  {
    throw DeviceError(DeviceError::Kind::absent, why::kWithoutCuda);
  }
};

}  // namespace

std::unique_ptr<Platform> make_cuda_platform() { return std::make_unique<NoCudaPlatform>(); }

}  // namespace gpuaes
