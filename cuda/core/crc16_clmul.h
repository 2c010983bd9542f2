// Constants of the folds that multiply without carry, PCLMULQDQ and VPCLMULQDQ.
#pragma once

#include "crc16_polynomial.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes {

// Moves a lane of 16 bytes over a number of bits: what its halves are multiplied with, so that the sum of both products is a lane
// again.
//
// A lane is first * x^64 + second. The instruction multiplies as if bit 63 were x^0, and its 127 bits end one short of the lane's
// last, so a product read as a lane has one factor x more: first needs x^(64 + bits - 1), second x^(bits - 1), both as remainders
// at the top of a word.
struct Crc16Fold {
  long long first;
  long long second;
};

consteval Crc16Fold crc16_fold_over(std::size_t bits)
{
  return {static_cast<long long>(std::uint64_t{crc16_power_of_x(bits + 63)} << 48),
          static_cast<long long>(std::uint64_t{crc16_power_of_x(bits - 1)} << 48)};
}

}  // namespace gpuaes
