// bfmatch's command line.
#pragma once

#include "search.h"

#include <optional>

namespace gpuaes::match {

// What the arguments ask for; nothing if that is only --help or --version, which have been answered then. Throws UsageError.
std::optional<Settings> parse_arguments(int argc, char** argv);

}  // namespace gpuaes::match
