// Key and IV from a passphrase, by OpenSSL: with PBKDF2, or in the way that its `enc` command still has as its default.
#pragma once

#include "cipher.h"

#include <optional>
#include <span>
#include <string>

namespace gpuaes::enc {

struct Derivation {
  std::string digest;
  std::optional<int> iterations;  // of PBKDF2

  // `salt` may be empty. Throws UsageError if there is no such digest, and std::runtime_error.
  KeyAndIv run(const Library& library, const CipherKind& cipher, std::span<const std::uint8_t> passphrase,
               std::span<const std::uint8_t> salt) const;
};

}  // namespace gpuaes::enc
