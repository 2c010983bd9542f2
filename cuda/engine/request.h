// One call of the cipher, as the engine is given it.
#pragma once

#include "jobs.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace gpuaes {

struct AesRequest {
  AesMode mode = AesMode::ctr;
  const AesKey* key = nullptr;
  Counter counter{};
  const std::uint8_t* in = nullptr;
  std::uint8_t* out = nullptr;
  std::size_t bytes = 0;  // a multiple of 16

  // The same cipher on the processor: does bytes [offset, offset + count) of the request, both multiples of 16, from `from` to
  // `to`, which may be the same. Must be safe to call from several threads at once.
  std::function<void(std::size_t offset, const std::uint8_t* from, std::uint8_t* to, std::size_t count)> reference{};
};

}  // namespace gpuaes
