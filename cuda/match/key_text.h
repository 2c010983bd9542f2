// Keys as users write them down.
#pragma once

#include "core/secret_bytes.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuaes::match {

// Of so many bytes, from two hexadecimal digits each; whitespace behind them is ignored. Throws UsageError that names the option.
SecretBytes parse_hex(std::string_view text, const std::string& option, std::size_t bytes);

// The contents of a file that holds the bytes themselves, or their digits; "-" is standard input. Throws std::runtime_error that
// names the file.
SecretBytes key_in_file(const std::string& path, const std::string& option, std::size_t bytes);

}  // namespace gpuaes::match
