// What things of the engine are called where people and programs read it: in the trace, in the provider's parameters.
#pragma once

#include "device.h"
#include "route.h"

#include <string>

namespace gpuaes {

// "AES-256-CTR", "AES-128-ECB-decrypt": CTR is the same in both directions.
std::string name_of(AesMode mode, int rounds);
const char* name_of(MemoryKind kind);
// Feed and drain, "copied-staged", or "shared" where the device takes no part.
std::string name_of(const Route& route);

}  // namespace gpuaes
