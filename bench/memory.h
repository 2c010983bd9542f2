// Memory of each kind that a caller may hand to the cipher.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes::bench {

enum class Memory { ordinary, pinned, device };

const char* name_of(Memory kind);

// Owns `bytes` bytes of memory of a kind. Throws std::runtime_error where there is none.
class Block {
 public:
  Block(Memory kind, std::size_t bytes);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  std::uint8_t* data() const { return data_; }

 private:
  Memory kind_;
  std::uint8_t* data_ = nullptr;
};

}  // namespace gpuaes::bench
