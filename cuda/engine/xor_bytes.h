// out = a xor b, with the widest vectors that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes {

// `out` may be `a` or `b`, or apart from both.
void xor_bytes(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes);

}  // namespace gpuaes
