// The work a device can be given, as plain data.
#pragma once

#include "../core/aes_key.h"
#include "../core/counter.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuaes {

enum class AesMode : std::uint8_t { ecb_encrypt, ecb_decrypt, ctr };
inline constexpr std::size_t kAesModes = 3;

// Both schedules of one AES key. The bytes are wiped when the object goes.
class AesKey {
 public:
  AesKey() = default;
  // `key` has 16, 24 or 32 bytes.
  explicit AesKey(std::span<const std::uint8_t> key);
  AesKey(const AesKey&) = default;
  AesKey& operator=(const AesKey&) = default;
  ~AesKey();

  int rounds() const { return rounds_; }
  const RoundKeys& schedule(AesMode mode) const { return mode == AesMode::ecb_decrypt ? decrypt_ : encrypt_; }

 private:
  RoundKeys encrypt_{};
  RoundKeys decrypt_{};
  int rounds_ = 0;
};

// Encrypts or decrypts `blocks` blocks of 16 bytes from `in` to `out`: the same address, or ranges that don't overlap.
// In CTR mode block i is combined with the keystream of `counter` + i, and a null `in` stands for zeros: `out` gets the keystream.
struct AesJob {
  AesMode mode = AesMode::ctr;
  int rounds = 0;
  RoundKeys keys{};
  Counter counter{};
  const void* in = nullptr;
  void* out = nullptr;
  std::size_t blocks = 0;
};

}  // namespace gpuaes
