// What a user may decide about the engine; provider/settings.cpp reads it from openssl.cnf and the environment.
#pragma once

#include "jobs.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gpuaes {

enum class Mode { automatic, always, never };
enum class Verify { off, sample, all };

struct Startup {
  enum class When { on_load, automatic, after_bytes };
  When when = When::automatic;
  std::size_t bytes = 0;
};

// The size of each of a lane's buffers, and so the least that pinned_bytes and device_bytes can usefully be.
inline constexpr std::size_t kLaneBytes = std::size_t{4} << 20;

// How much of a lane's pinned buffer, at its start, is kept for the input that a result is checked against.
constexpr std::size_t check_area(Verify verify)
{
  return verify == Verify::off ? 0 : verify == Verify::sample ? std::size_t{4} << 10 : kLaneBytes / 2;
}

struct Options {
  Mode mode = Mode::automatic;
  std::vector<int> devices;  // ordinals to try in order; empty = all
  std::optional<std::size_t> min_bytes_ecb;
  std::optional<std::size_t> min_bytes_ctr;
  std::optional<std::size_t> min_bytes_crc16;
  bool keystream = true;
  std::optional<std::size_t> keystream_bytes;  // of a ring; also the most pinned memory for the keystream of one call
  std::optional<int> helper_threads;
  Startup startup;
  Verify verify = Verify::sample;
  std::size_t pinned_bytes = std::size_t{256} << 20;
  std::size_t device_bytes = std::size_t{1} << 30;
  bool fail_on_error = false;
  std::string trace;  // the file that gets a line for each decision; empty = none
};

}  // namespace gpuaes
