// out = a xor b, with the widest vectors that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuaes {

// `out` may be `a`, or apart from both. Apart, it is written past the caches: large output is not read again soon, and fetching
// what is to be overwritten costs a third of the memory's bandwidth.
void xor_bytes(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes);

}  // namespace gpuaes
