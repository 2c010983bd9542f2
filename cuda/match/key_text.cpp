#include "key_text.h"

#include "usage_error.h"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <istream>
#include <stdexcept>

namespace gpuaes::match {
namespace {

// More than any key's digits with a line's end.
constexpr std::size_t kMostBytes = 256;

}  // namespace

SecretBytes parse_hex(std::string_view text, const std::string& option, std::size_t bytes)
{
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  SecretBytes result;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    std::uint8_t byte = 0;
    const auto parsed = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + i + 2) break;
    result.push_back(byte);
  }
  if (2 * result.size() != text.size() || result.size() != bytes)
    throw UsageError(option + ": what is given isn't " + std::to_string(2 * bytes) + " hexadecimal digits");
  return result;
}

SecretBytes key_in_file(const std::string& path, const std::string& option, std::size_t bytes)
{
  errno = 0;
  std::ifstream file;
  file.rdbuf()->pubsetbuf(nullptr, 0);  // which nobody would wipe
  file.open(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  SecretBytes contents(kMostBytes);
  file.read(reinterpret_cast<char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
  if (!file.is_open() || file.bad()) throw std::runtime_error(option + " " + path + ": " + std::strerror(errno != 0 ? errno : EIO));
  contents.resize(static_cast<std::size_t>(file.gcount()));
  if (contents.size() == bytes) return contents;
  try {
    return parse_hex({reinterpret_cast<const char*>(contents.data()), contents.size()}, option, bytes);
  } catch (const UsageError&) {
    throw std::runtime_error(option + " " + path + ": the file holds neither the key's " + std::to_string(bytes) +
                             " bytes nor their " + std::to_string(2 * bytes) + " hexadecimal digits");
  }
}

}  // namespace gpuaes::match
