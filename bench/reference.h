// What every benchmark of a cipher puts in, and what has to come out: the default provider's work on the same bytes.
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace gpuaes::bench {

inline constexpr std::uint8_t kKey[32] = {1, 2, 3};
inline constexpr std::uint8_t kIv[16] = {4, 5, 6};

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

// A context without padding, with kKey and kIv. Throws std::runtime_error.
Context make_context(const char* cipher, const char* properties, bool encrypt);

// Bytes of period 251, so that swapped blocks show. From one thread; valid until more are asked for.
std::span<const std::uint8_t> input(std::size_t bytes);

// The default provider's output for input(bytes); what was computed once is kept.
std::span<const std::uint8_t> expected(const char* cipher, bool encrypt, std::size_t bytes);

}  // namespace gpuaes::bench
