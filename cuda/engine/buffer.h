// Memory of a device, pinned or on board, that goes back by itself.
#pragma once

#include "device.h"

#include <utility>

namespace gpuaes {

class Buffer {
 public:
  Buffer() = default;
  Buffer(Device& device, MemoryKind kind, std::size_t bytes)
      : device_(&device), memory_(static_cast<std::uint8_t*>(device.allocate(kind, bytes))), bytes_(bytes), kind_(kind)
  {
  }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept
  {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer()
  {
    if (memory_ != nullptr) device_->release(kind_, memory_);
  }

  std::uint8_t* data() const { return memory_; }
  std::size_t size() const { return bytes_; }

 private:
  void swap(Buffer& other) noexcept
  {
    std::swap(device_, other.device_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    std::swap(kind_, other.kind_);
  }

  Device* device_ = nullptr;
  std::uint8_t* memory_ = nullptr;
  std::size_t bytes_ = 0;
  MemoryKind kind_ = MemoryKind::pinned;
};

}  // namespace gpuaes
