// The energy that the GPU uses, by NVIDIA's management library where it is installed and lets itself be asked.
#pragma once

#include <optional>
#include <string>

namespace gpuaes::bench {

// Joules since some moment, of the first GPU that the library lists; nothing where they can't be known.
std::optional<double> gpu_joules();

// How they are known, or why not.
std::string how_energy_is_known();

}  // namespace gpuaes::bench
