// The settings table: provider section of openssl.cnf, overridden by GPUAES_<KEY> in the environment.
#pragma once

#include "engine/options.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuaes {

enum class DeviceChoice { cuda, host };

struct SettingInForce {
  const char* name;
  std::string value;   // as one would write it
  std::string origin;  // "default", "configuration", "environment GPUAES_MODE", the name of a more general setting, or an error
};

struct Settings {
  Options options;
  DeviceChoice device = DeviceChoice::cuda;
  std::string stats;                 // where the counters go at the end; empty = nowhere
  std::string calibration = "auto";  // or off, or a file
  bool strict = false;
  // What is wrong with them: key, value and what is allowed. Empty = nothing.
  std::string error;
  std::vector<SettingInForce> in_force;  // every key
};

// `configured` looks a key up in the configuration. A bad setting is reported in `error` and leaves the default in force; with any
// error the mode is `never`.
Settings read_settings(const std::function<std::optional<std::string>(const char* key)>& configured);

// A number of bytes: decimal digits and, if wanted, k, m or g for a power of 1024. Nothing else.
std::optional<std::size_t> parse_bytes(std::string_view text);

}  // namespace gpuaes
