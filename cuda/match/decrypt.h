// Decryption on the processor, through OpenSSL: decrypt.cpp is the only file under cuda/ that knows it.
#pragma once

#include "core/secret_bytes.h"
#include "engine/jobs.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gpuaes::match {

// What `openssl enc -K -iv` encrypted, and with what.
struct CipherSettings {
  std::string name{};             // as OpenSSL knows it, such as aes-256-ctr
  AesMode mode = AesMode::ctr;    // ctr or ecb_decrypt
  SecretBytes key{};              // 16, 24 or 32 bytes
  std::uint8_t counter[16] = {};  // CTR's first counter block
};

// The settings for a cipher's name, without key and counter. Throws UsageError.
CipherSettings cipher_named(const std::string& name);
std::size_t key_bytes_of(const CipherSettings& settings);

// May be used by several threads at once.
class Decryptor {
 public:
  explicit Decryptor(CipherSettings settings);

  AesMode mode() const { return settings_.mode; }
  // The same work as a job for a device; the addresses are the caller's to fill in. `offset` is a multiple of 16.
  AesJob job(std::uint64_t offset, std::size_t bytes) const;

  // Decrypts what is `offset` bytes into the stream, a multiple of 16, in place; in ECB mode whole blocks of it. Throws
  // std::runtime_error.
  void decrypt(std::uint64_t offset, std::span<std::uint8_t> data) const;

  // The bytes of padding, 1 to 16, at the end of a stream whose last encrypted block this is. Throws std::runtime_error if there is
  // no proper padding, which a wrong key is known by.
  std::size_t padding_in(std::span<const std::uint8_t, 16> last_block) const;

 private:
  const CipherSettings settings_;
  const AesKey key_;
};

}  // namespace gpuaes::match
