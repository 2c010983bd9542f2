// A thread's buffer, which begins a page, as direct writes need it, and is wiped before it goes.
#pragma once

#include "core/secret_bytes.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes::match {

class AlignedSecret {
 public:
  explicit AlignedSecret(std::size_t bytes) : bytes_(bytes + kAlignment) {}
  std::uint8_t* data()
  {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (kAlignment - address % kAlignment) % kAlignment;
  }

 private:
  static constexpr std::size_t kAlignment = 4096;
  SecretBytes bytes_;
};

}  // namespace gpuaes::match
