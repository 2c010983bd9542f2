#include "bytes.h"

#include <algorithm>
#include <stdexcept>

namespace gpuaes::test {

Bytes from_hex(std::string_view text)
{
  Bytes bytes;
  int digits = 0;
  unsigned value = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    const std::string_view all = "0123456789abcdef";
    const auto digit = all.find(static_cast<char>(c | 0x20));
    if (digit == std::string_view::npos) throw std::invalid_argument("not hexadecimal: " + std::string(text));
    value = (value << 4) | static_cast<unsigned>(digit);
    if (++digits % 2 == 0) bytes.push_back(static_cast<std::uint8_t>(value));
  }
  if (digits % 2 != 0) throw std::invalid_argument("half a byte: " + std::string(text));
  return bytes;
}

std::string to_hex(const Bytes& bytes)
{
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

Bytes pattern(std::size_t bytes, std::size_t first)
{
  Bytes result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::uint8_t>((first + i) % 251);
  return result;
}

Bytes test_key(std::size_t bytes, std::uint8_t salt)
{
  Bytes key(bytes);
  for (std::size_t i = 0; i < bytes; ++i) key[i] = static_cast<std::uint8_t>(0x9d * (i + 1) + bytes + salt);
  return key;
}

std::string first_difference(const Bytes& got, const Bytes& expected)
{
  if (got == expected) return "";
  if (got.size() != expected.size()) return "sizes " + std::to_string(got.size()) + " and " + std::to_string(expected.size());
  const auto at = std::mismatch(got.begin(), got.end(), expected.begin()).first - got.begin();
  return "byte " + std::to_string(at) + " of " + std::to_string(got.size());
}

Bytes counter_plus(Bytes counter, std::uint64_t blocks)
{
  unsigned carry = 0;
  for (std::size_t i = counter.size(); i-- > 0;) {
    const unsigned sum = counter[i] + static_cast<unsigned>(blocks & 0xff) + carry;
    counter[i] = static_cast<std::uint8_t>(sum);
    carry = sum >> 8;
    blocks >>= 8;
  }
  return counter;
}

}  // namespace gpuaes::test
