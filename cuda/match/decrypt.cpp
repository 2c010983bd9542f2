#include "decrypt.h"

#include "usage_error.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace gpuaes::match {
namespace {

struct Named {
  const char* name;
  AesMode mode;
  std::size_t key_bytes;
};

constexpr Named kCiphers[] = {
    {"aes-128-ctr", AesMode::ctr, 16},         {"aes-192-ctr", AesMode::ctr, 24},         {"aes-256-ctr", AesMode::ctr, 32},
    {"aes-128-ecb", AesMode::ecb_decrypt, 16}, {"aes-192-ecb", AesMode::ecb_decrypt, 24}, {"aes-256-ecb", AesMode::ecb_decrypt, 32},
};

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

void check(int result)
{
  if (result != 1) throw std::runtime_error("OpenSSL can't decrypt");
}

}  // namespace

CipherSettings cipher_named(const std::string& name)
{
  std::string all;
  for (const Named& cipher : kCiphers) {
    if (name == cipher.name) return {.name = name, .mode = cipher.mode};
    all += (all.empty() ? "" : ", ") + std::string(cipher.name);
  }
  throw UsageError("--decrypt \"" + name + "\": there is no such cipher here. Allowed are " + all);
}

std::size_t key_bytes_of(const CipherSettings& settings)
{
  for (const Named& cipher : kCiphers)
    if (settings.name == cipher.name) return cipher.key_bytes;
  return 0;
}

Decryptor::Decryptor(CipherSettings settings) : settings_(std::move(settings)), key_(settings_.key) {}

AesJob Decryptor::job(std::uint64_t offset, std::size_t bytes) const
{
  return {.mode = settings_.mode,
          .rounds = key_.rounds(),
          .keys = key_.schedule(settings_.mode),
          .counter = load_counter(settings_.counter).plus(offset / kBlockBytes),
          .blocks = (bytes + kBlockBytes - 1) / kBlockBytes};
}

void Decryptor::decrypt(std::uint64_t offset, std::span<std::uint8_t> data) const
{
  const std::unique_ptr<EVP_CIPHER, Free> cipher(EVP_CIPHER_fetch(nullptr, settings_.name.c_str(), nullptr));
  const std::unique_ptr<EVP_CIPHER_CTX, Free> context(EVP_CIPHER_CTX_new());
  if (cipher == nullptr || context == nullptr) throw std::runtime_error("OpenSSL doesn't offer " + settings_.name);
  std::uint8_t counter[kBlockBytes];
  store_counter(load_counter(settings_.counter).plus(offset / kBlockBytes), counter);
  check(EVP_DecryptInit_ex2(context.get(), cipher.get(), settings_.key.data(), counter, nullptr));
  check(EVP_CIPHER_CTX_set_padding(context.get(), 0));
  if (settings_.mode != AesMode::ctr) data = data.first(data.size() / kBlockBytes * kBlockBytes);
  constexpr std::size_t kMost = std::size_t{1} << 30;  // EVP counts in ints
  for (std::size_t at = 0; at < data.size(); at += kMost) {
    int written = 0;
    const std::size_t bytes = std::min(kMost, data.size() - at);
    check(EVP_DecryptUpdate(context.get(), data.data() + at, &written, data.data() + at, static_cast<int>(bytes)));
  }
}

std::size_t Decryptor::padding_in(std::span<const std::uint8_t, 16> last_block) const
{
  std::array<std::uint8_t, kBlockBytes> block;
  const WipedOnExit wipe(block.data(), block.size());
  std::copy(last_block.begin(), last_block.end(), block.begin());
  decrypt(0, block);
  const std::size_t padding = block.back();
  const bool proper = padding >= 1 && padding <= kBlockBytes &&
                      std::all_of(block.end() - static_cast<std::ptrdiff_t>(padding), block.end(),
                                  [&](std::uint8_t byte) { return byte == padding; });
  if (!proper) throw std::runtime_error("the last block isn't padded as openssl enc does it: the key or the cipher is wrong");
  return padding;
}

}  // namespace gpuaes::match
