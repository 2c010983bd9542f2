// The cipher of one file: as work for the processor, through OpenSSL, and as jobs for a device.
#pragma once

#include "core/secret_bytes.h"
#include "engine/jobs.h"
#include "library.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes::enc {

struct CipherKind {
  const char* name;   // for OpenSSL, and as an option
  const char* title;  // in prompts
  bool counts;        // CTR, else ECB
  std::size_t key_bytes;

  std::size_t iv_bytes() const { return counts ? kBlockBytes : 0; }
};

inline constexpr CipherKind kCiphers[] = {
    {"aes-128-ctr", "AES-128-CTR", true, 16},  {"aes-192-ctr", "AES-192-CTR", true, 24},  {"aes-256-ctr", "AES-256-CTR", true, 32},
    {"aes-128-ecb", "AES-128-ECB", false, 16}, {"aes-192-ecb", "AES-192-ECB", false, 24}, {"aes-256-ecb", "AES-256-ECB", false, 32},
};

struct KeyAndIv {
  SecretBytes key{};
  std::uint8_t iv[kBlockBytes] = {};
};

// May be used by several threads at once, each with a context of its own. Functions throw std::runtime_error.
class Cipher {
 public:
  using Context = OpenSslPtr<EVP_CIPHER_CTX>;

  Cipher(const Library& library, const CipherKind& kind, bool decrypts, const KeyAndIv& key);

  bool counts() const { return kind_.counts; }
  bool decrypts() const { return decrypts_; }

  Context make_context() const;
  // Whole blocks, of which the first is the stream's block `first`; `in` and `out` may be the same.
  void run(EVP_CIPHER_CTX* context, std::uint64_t first, const std::uint8_t* in, std::uint8_t* out, std::size_t blocks) const;
  // The same for a device; the addresses are the caller's to fill in.
  AesJob job(std::uint64_t first, std::size_t blocks) const;

 private:
  const CipherKind& kind_;
  const bool decrypts_;
  const KeyAndIv key_;
  const AesKey schedule_;
  const OpenSslPtr<EVP_CIPHER> cipher_;
};

}  // namespace gpuaes::enc
