// The fold without multiplications: words of any width go in, and the last 16 of them stand for the whole message.
//
// P(x)^D = x^16D + x^12D + x^5D + 1 for D a power of two, so a word of D bits may be taken away if it is added 4, 11 and 16 words
// later instead. Done for one word after the other, that is
//
//     f[t] = word[t] ^ f[t - 4] ^ f[t - 11] ^ f[t - 16]
//
// where only the last 16 of f are ever needed: slot t % 16 of a ring. At the end those 16 stay, so what was added of them to one
// another comes off again. The bits of a word stay where they are, so a word may be a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpuaes {

// A word of 16 bytes, which every 64-bit processor has an instruction for.
typedef std::uint64_t Crc16Vector __attribute__((vector_size(16)));

inline constexpr std::size_t kCrc16WindowWords = 16;

// Word is an unsigned integer, or a vector of them, that has ^.
template <typename Word>
class Crc16Window {
 public:
  static constexpr std::size_t kBytes = kCrc16WindowWords * sizeof(Word);

  // `state` is the register that the message continues from.
  explicit Crc16Window(std::uint16_t state) { std::memcpy(&folded_[0], &state, sizeof state); }

  // Takes as many times kBytes as there are; moves `data` on and returns how many bytes are left.
  std::size_t append_all(const std::uint8_t*& data, std::size_t bytes)
  {
    for (; bytes >= kBytes; data += kBytes, bytes -= kBytes) {
#pragma GCC unroll 16
      for (std::size_t t = 0; t < kCrc16WindowWords; ++t) {
        Word word;
        std::memcpy(&word, data + t * sizeof word, sizeof word);
        folded_[t] ^= word ^ folded_[(t + 12) % 16] ^ folded_[(t + 5) % 16];
      }
    }
    return bytes;
  }

  // kBytes bytes that the message may be replaced with, continued from a register of zero. Once, at the end.
  const std::uint8_t* residue()
  {
    for (std::size_t t = kCrc16WindowWords; t-- > 4;) folded_[t] ^= t < 11 ? folded_[t - 4] : folded_[t - 4] ^ folded_[t - 11];
    return reinterpret_cast<const std::uint8_t*>(folded_);
  }

 private:
  Word folded_[kCrc16WindowWords] = {};
};

}  // namespace gpuaes
