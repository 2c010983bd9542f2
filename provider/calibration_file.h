// The rates that earlier processes have measured, in a small file. It decides about speed alone: what is wrong with it, or can't be
// written, costs a measurement and nothing else.
#pragma once

#include "engine/rates.h"

#include <optional>
#include <string>

namespace gpuaes {

// Where it is if no setting says otherwise: gpuaes/rates.json in $XDG_CACHE_HOME or ~/.cache. Empty if the environment names no
// such place or, as in setuid programs, isn't to be trusted.
std::string default_calibration_file();

class CalibrationFile {
 public:
  explicit CalibrationFile(std::string file) : file_(std::move(file)) {}

  bool has_name() const { return !file_.empty(); }

  // The medians of what was measured on this machine, if that was often enough.
  std::optional<Rates> recall(const std::string& machine) const;
  // Takes a measurement in and returns the medians of all there are.
  Rates keep(const std::string& machine, const Rates& measured) const;

 private:
  const std::string file_;
};

}  // namespace gpuaes
