// The command line of gpuaes enc: the options of `openssl enc`, and ours.
#pragma once

#include "settings.h"

#include <optional>

namespace gpuaes::enc {

// argv[0] is the command's name. Nothing if help was asked for, which has then been printed. What is secret in argv is overwritten.
// Throws UsageError.
std::optional<Settings> parse_arguments(int argc, char** argv);

}  // namespace gpuaes::enc
