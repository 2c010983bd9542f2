// How much a test may do: sanitizers make everything several times slower.
#pragma once

#include <cstddef>

namespace gpuaes::test {

#ifdef GPUAES_TEST_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

constexpr std::size_t scaled(std::size_t plain, std::size_t sanitized) { return kSanitized ? sanitized : plain; }

}  // namespace gpuaes::test
