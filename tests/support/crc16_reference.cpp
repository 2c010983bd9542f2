#include "crc16_reference.h"

#ifdef GPUAES_TEST_BOOST
#include <boost/crc.hpp>
#endif

#include <random>

namespace gpuaes::test {

std::uint16_t crc16_by_bits(std::uint16_t state, std::span<const std::uint8_t> bytes)
{
  unsigned reg = state;
  for (const std::uint8_t byte : bytes) {
    reg ^= byte;
    for (int bit = 0; bit < 8; ++bit) reg = (reg & 1) != 0 ? (reg >> 1) ^ 0x8408u : reg >> 1;
  }
  return static_cast<std::uint16_t>(reg);
}

std::optional<std::uint16_t> crc16_by_boost([[maybe_unused]] std::span<const std::uint8_t> bytes)
{
#ifdef GPUAES_TEST_BOOST
  boost::crc_optimal<16, 0x1021, 0xffff, 0, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return static_cast<std::uint16_t>(crc.checksum());
#else
  return std::nullopt;
#endif
}

Bytes random_bytes(std::size_t bytes, unsigned seed)
{
  std::minstd_rand random(seed);
  Bytes result(bytes);
  for (std::uint8_t& byte : result) byte = static_cast<std::uint8_t>(random() >> 8);
  return result;
}

}  // namespace gpuaes::test
