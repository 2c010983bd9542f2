// CRC-16/MCRF4XX by the definition alone, for messages of any length that consist of one byte over and over.
//
// What a byte does to the register is linear but for a constant: a matrix over GF(2), kept as the images of the 16 bits and of
// zero. Doing it n times is squaring n's bits; nothing here is gpuaes's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuaes::bench {

class RegisterMap {
 public:
  static RegisterMap of_byte(std::uint8_t byte)
  {
    RegisterMap map;
    const auto after_byte = [byte](unsigned reg) {
      reg ^= byte;
      for (int bit = 0; bit < 8; ++bit) reg = (reg & 1) != 0 ? (reg >> 1) ^ 0x8408u : reg >> 1;
      return static_cast<std::uint16_t>(reg);
    };
    map.of_zero_ = after_byte(0);
    for (unsigned bit = 0; bit < 16; ++bit) map.of_bit_[bit] = after_byte(1u << bit) ^ map.of_zero_;
    return map;
  }

  std::uint16_t operator()(std::uint16_t reg) const
  {
    std::uint16_t result = of_zero_;
    for (unsigned bit = 0; bit < 16; ++bit)
      if ((reg >> bit & 1) != 0) result ^= of_bit_[bit];
    return result;
  }

  // This one, then the same again.
  RegisterMap twice() const
  {
    RegisterMap map;
    map.of_zero_ = (*this)(of_zero_);
    for (unsigned bit = 0; bit < 16; ++bit) map.of_bit_[bit] = (*this)(of_bit_[bit]) ^ of_zero_;
    return map;
  }

 private:
  std::array<std::uint16_t, 16> of_bit_{};
  std::uint16_t of_zero_ = 0;
};

inline std::uint16_t crc16_of_equal_bytes(std::uint8_t byte, std::size_t bytes)
{
  std::uint16_t reg = 0xffff;
  RegisterMap map = RegisterMap::of_byte(byte);
  for (; bytes != 0; bytes /= 2, map = map.twice())
    if (bytes % 2 != 0) reg = map(reg);
  return reg;
}

}  // namespace gpuaes::bench
