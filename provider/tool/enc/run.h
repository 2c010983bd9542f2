// One run of gpuaes enc, from settings to exit code.
#pragma once

#include "settings.h"

#include <cstdio>
#include <memory>

namespace gpuaes::enc {

class Accelerator;

struct Outcome {
  int status = 0;  // 0, or 2 if anything went wrong
  // The device, if it is up or being brought up. To destroy it takes longer than many a run, and so does exit(): a process that has
  // nothing else to do ends without destructors and exit handlers.
  std::shared_ptr<Accelerator> device;
};

// Prints what was asked for, such as checksums, to `print`, and gives errors and warnings to `tell`. Throws UsageError for what no
// run can do.
Outcome run(const Settings& settings, const Library& library, std::FILE* print, const Tell& tell);

}  // namespace gpuaes::enc
