#include "byte_size.h"

#include <charconv>
#include <limits>

namespace gpuaes::match {

std::optional<std::uint64_t> byte_size(std::string_view text)
{
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::size_t unit = rest.empty() ? 0 : std::string_view(" kmg").find(static_cast<char>(rest[0] | 0x20));
  const bool good = error == std::errc() && rest.size() <= 1 && unit != std::string_view::npos &&
                    (rest.empty() || rest[0] != ' ') && value <= std::numeric_limits<std::uint64_t>::max() >> (10 * unit);
  if (!good) return std::nullopt;
  return value << (10 * unit);
}

}  // namespace gpuaes::match
