// The plain tables, for code that runs on a processor. The stand-in device and the tests use it; production data on the host goes
// through OpenSSL, whose AES takes the same time whatever the data.
#pragma once

#include "aes_block.h"

#include <cstring>

namespace gpuaes {

template <Direction D>
struct HostTables {
  template <int Row>
  static std::uint32_t mix(std::uint32_t column)
  {
    constexpr auto& table = D == Direction::encrypt ? kEncryptTable : kDecryptTable;
    return rotate_left(table[(column >> (8 * Row)) & 0xff], 8 * Row);
  }

  static std::uint32_t substitute_rows(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
  {
    constexpr auto& box = D == Direction::encrypt ? kSbox : kInverseSbox;
    return std::uint32_t{box[a & 0xff]} | std::uint32_t{box[(b >> 8) & 0xff]} << 8 | std::uint32_t{box[(c >> 16) & 0xff]} << 16 |
           std::uint32_t{box[d >> 24]} << 24;
  }
};

inline Block load_block(const void* bytes)
{
  Block block;
  std::memcpy(&block, bytes, sizeof block);
  return block;
}

inline void store_block(const Block& block, void* bytes) { std::memcpy(bytes, &block, sizeof block); }

}  // namespace gpuaes
