// Memory of every kind an application may hand over, on the device that is tested.
#pragma once

#include "bytes.h"
#include "engine/device.h"

#include <cstddef>

namespace gpuaes::test {

class TestMemory {
 public:
  TestMemory(MemoryKind kind, std::size_t bytes);
  explicit TestMemory(MemoryKind kind, const Bytes& contents) : TestMemory(kind, contents.size()) { upload(contents); }
  ~TestMemory();
  TestMemory(const TestMemory&) = delete;
  TestMemory& operator=(const TestMemory&) = delete;

  // As the application knows it: what is on the device can't be read through this.
  std::uint8_t* data() const { return data_; }
  void upload(const Bytes& contents, std::size_t at = 0);
  Bytes download(std::size_t at, std::size_t bytes) const;

 private:
  void copy(void* to, const void* from, std::size_t bytes) const;

  const MemoryKind kind_;
  std::uint8_t* data_;
};

}  // namespace gpuaes::test
