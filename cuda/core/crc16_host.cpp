#include "crc16_host.h"

#include "crc16_lanes.h"
#include "crc16_units.h"
#include "crc16_window.h"

namespace gpuaes {
namespace {

// From here on the window makes up for its residue.
constexpr std::size_t kWindowFrom = 1024;

constexpr Crc16Unit kUnits[] = {
#ifdef __x86_64__
    {"avx512", has_avx512, crc16_avx512},
    {"pclmul", has_pclmul, crc16_pclmul},
#endif
    {"portable", [] { return true; }, crc16_portable},
};

}  // namespace

std::uint16_t crc16_portable(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  if (bytes >= kWindowFrom) {
    Crc16Window<Crc16Vector> window(state);
    bytes = window.append_all(data, bytes);
    state = crc16_lanes(0, window.residue(), window.kBytes);
  }
  return crc16_lanes(state, data, bytes);
}

std::span<const Crc16Unit> crc16_units() { return kUnits; }

const Crc16Unit& crc16_unit()
{
  static const Crc16Unit* const chosen = [] {
    const Crc16Unit* unit = kUnits;
    while (!unit->available()) ++unit;
    return unit;
  }();
  return *chosen;
}

std::uint16_t crc16_update(std::uint16_t state, const void* data, std::size_t bytes)
{
  return crc16_unit().update(state, static_cast<const std::uint8_t*>(data), bytes);
}

}  // namespace gpuaes
