#include "periodic_sweep.h"

#include <vector>

namespace gpuaes::match {
namespace {

// Between two breaks in one row are 62 places at most.
constexpr std::size_t kLeastStretch = 64;

}  // namespace

// As Knuth, Morris and Pratt compute it: `border` is the length of what begins the bytes so far and also ends them.
std::size_t period_of(std::span<const std::uint8_t> bytes)
{
  std::vector<std::size_t> borders(bytes.size());
  for (std::size_t i = 1, border = 0; i < bytes.size(); ++i) {
    while (border > 0 && bytes[i] != bytes[border]) border = borders[border - 1];
    if (bytes[i] == bytes[border]) ++border;
    borders[i] = border;
  }
  return bytes.empty() ? 0 : bytes.size() - borders.back();
}

std::size_t usable_period(std::span<const std::uint8_t> value, std::span<const std::uint8_t> mask)
{
  if (value.size() <= kLeastStretch || std::any_of(mask.begin(), mask.end(), [](std::uint8_t m) { return m != 0xff; })) return 0;
  const std::size_t period = period_of(value);
  return 2 * period <= value.size() && value.size() - period >= kLeastStretch ? period : 0;
}

}  // namespace gpuaes::match
