// Memory of each kind that a caller may hand to the cipher.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes::bench {

enum class Memory { ordinary, pinned, device };

const char* name_of(Memory kind);
// Whether this program was built to allocate it. Asks no driver: a process that does is one that uses CUDA.
bool can_allocate(Memory kind);

inline constexpr std::uint8_t kFill = 0x5a;

// Owns `bytes` bytes of memory of a kind, each kFill. Throws std::runtime_error where there is none.
class Block {
 public:
  Block(Memory kind, std::size_t bytes);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  // Copy between its beginning and ordinary memory. Throw std::runtime_error.
  void write(const void* from, std::size_t bytes);
  void read(void* to, std::size_t bytes) const;

 private:
  Memory kind_;
  std::size_t bytes_;
  std::uint8_t* data_ = nullptr;
};

}  // namespace gpuaes::bench
