// A stretch of a file's data, as it passes through a buffer whose first byte begins a block of the cipher.
#pragma once

#include "core/aes_key.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes::enc {

struct Piece {
  std::uint64_t number = 0;    // in the order of the data
  std::uint64_t position = 0;  // of its first byte in all of the file's data, the header left out
  std::size_t skew = 0;        // where in the buffer that byte is: `position` modulo the bytes of a block
  std::size_t bytes = 0;       // with padding
  bool last = false;

  std::uint64_t first_block() const { return position / kBlockBytes; }
  // Blocks that it has a part in; in a stretch of CTR data, the first and the last may not be whole.
  std::size_t blocks() const { return (skew + bytes + kBlockBytes - 1) / kBlockBytes; }
};

}  // namespace gpuaes::enc
