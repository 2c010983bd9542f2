// Measures how fast the parts of this machine are, for the policy, while the device is being brought up.
#pragma once

#include "device.h"
#include "helpers.h"
#include "rates.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace gpuaes {

// The default provider's cipher, whole blocks, from any thread.
using ReferenceCipher =
    std::function<void(AesMode mode, int rounds, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes)>;

// When no measurement is begun any more; what is left is as on the reference machine.
inline constexpr std::chrono::milliseconds kCalibrationTime{50};

// What small pieces of work take on this machine, as rates; what there was no time for is as on the reference machine. Each figure
// is the median of several: neither the fastest, which seldom comes again, nor what an interruption made of one. Processors are
// timed by the time that their thread ran, since others may want them. Throws DeviceError.
Rates measure(Device& device, Helpers& helpers, const ReferenceCipher& cipher, std::chrono::nanoseconds longest = kCalibrationTime);

// `rates`, which are those of whole calls on the reference machine, for a machine that was measured.
Rates calibrate(const Rates& measured, const Rates& rates);

// How the engine is told what it can't know by itself.
struct Calibration {
  ReferenceCipher cipher{};  // null: nothing is measured
  // What earlier processes have measured on such a machine, if that is enough; and takes in what this one has measured, and returns
  // what to go by. `machine` names device, driver and processors.
  std::function<std::optional<Rates>(const std::string& machine)> recall{};
  std::function<Rates(const std::string& machine, const Rates& measured)> keep{};
};

}  // namespace gpuaes
