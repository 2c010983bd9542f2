// Numbers of bytes as they are written on command lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuaes::match {

// A number that may end in k, m or g; nothing if it isn't one, or is too large.
std::optional<std::uint64_t> byte_size(std::string_view text);

}  // namespace gpuaes::match
