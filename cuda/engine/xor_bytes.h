// Combines data with keystream, with the widest vectors that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes {

enum class Stores {
  cached,     // the output will be read soon
  streaming,  // it won't, unless it is the input: it goes past the caches
};

// out[i] = data[i] ^ keystream[i]. `out` may be `data` or `keystream`, but must not overlap either otherwise.
void xor_bytes(std::uint8_t* out, const std::uint8_t* data, const std::uint8_t* keystream, std::size_t bytes, Stores stores);

}  // namespace gpuaes
