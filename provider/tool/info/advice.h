// What to do about a device that can't be used.
#pragma once

#include <string>

namespace gpuaes::tool {

// One sentence; empty where nothing need be done. `state` is gpuaes.state, "not loaded" or "bad setting".
std::string advice_for(const std::string& state, const std::string& reason);

}  // namespace gpuaes::tool
