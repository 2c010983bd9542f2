// Bytes that are wiped before their memory is freed or left.
#pragma once

#include <string.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gpuaes {

template <typename T>
struct WipingAllocator {
  using value_type = T;

  WipingAllocator() = default;
  template <typename U>
  WipingAllocator(const WipingAllocator<U>&)
  {
  }

  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* memory, std::size_t count)
  {
    explicit_bzero(memory, count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }
  bool operator==(const WipingAllocator&) const { return true; }
};

// Wipes an object that it doesn't own when the scope is left, however that happens.
class WipedOnExit {
 public:
  WipedOnExit(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
  ~WipedOnExit() { explicit_bzero(memory_, bytes_); }
  WipedOnExit(const WipedOnExit&) = delete;
  WipedOnExit& operator=(const WipedOnExit&) = delete;

 private:
  void* memory_;
  std::size_t bytes_;
};

using SecretBytes = std::vector<std::uint8_t, WipingAllocator<std::uint8_t>>;

}  // namespace gpuaes
