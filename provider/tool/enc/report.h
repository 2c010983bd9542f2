// What is told of a file that is done: checksums, and who did how much in what time.
#pragma once

#include "settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuaes::enc {

struct Done {
  std::string input{}, output{};
  std::uint64_t bytes_in = 0, bytes_out = 0;  // with the header
  std::uint64_t bytes_by_device = 0;
  double seconds = 0;
  std::optional<std::uint16_t> crc16_in{}, crc16_out{};
  bool verified = false;
  std::string device{};  // its name, if there is one
  std::string reason{};  // why there is none, if one was wanted
};

// One line without its end.
std::string json_of(const Done& done, bool decrypts);
std::string stats_of(const Done& done);
// "plaintext crc16:6f91", one a line.
std::string checksums_of(const Done& done, bool decrypts);

}  // namespace gpuaes::enc
