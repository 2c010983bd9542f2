// How googletest shows our types in messages and test names.
#pragma once

#include "engine/device.h"
#include "engine/jobs.h"

#include <ostream>

namespace gpuaes {

inline const char* text_of(MemoryKind kind)
{
  constexpr const char* kNames[] = {"ordinary", "pinned", "managed", "device", "peer"};
  return kNames[static_cast<std::size_t>(kind)];
}

inline const char* text_of(AesMode mode)
{
  constexpr const char* kNames[] = {"EcbEncrypt", "EcbDecrypt", "Ctr"};
  return kNames[static_cast<std::size_t>(mode)];
}

inline void PrintTo(MemoryKind kind, std::ostream* out) { *out << text_of(kind); }
inline void PrintTo(AesMode mode, std::ostream* out) { *out << text_of(mode); }

}  // namespace gpuaes
