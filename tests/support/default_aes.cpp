#include "default_aes.h"

#include <openssl/provider.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace gpuaes::test {

DefaultAes::DefaultAes(AesMode mode, Bytes key, Bytes counter)
    : mode_(mode), key_(std::move(key)), counter_(std::move(counter)), library_(OSSL_LIB_CTX_new())
{
  const std::string name = "AES-" + std::to_string(8 * key_.size()) + (mode == AesMode::ctr ? "-CTR" : "-ECB");
  cipher_ = EVP_CIPHER_fetch(library_, name.c_str(), "provider=default");
  if (cipher_ == nullptr) throw std::runtime_error("The default provider has no " + name + ".");
}

DefaultAes::~DefaultAes()
{
  EVP_CIPHER_free(cipher_);
  OSSL_LIB_CTX_free(library_);
}

void DefaultAes::run(std::size_t offset, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) const
{
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  const Bytes iv = counter_plus(counter_, offset / 16);
  bool good = EVP_CipherInit_ex2(context, cipher_, key_.data(), iv.data(), mode_ != AesMode::ecb_decrypt, nullptr) == 1;
  EVP_CIPHER_CTX_set_padding(context, 0);
  for (std::size_t at = 0; good && at < bytes;) {
    const std::size_t piece = std::min(bytes - at, std::size_t{1} << 30);
    int written = 0;
    good = EVP_CipherUpdate(context, to + at, &written, from + at, static_cast<int>(piece)) == 1;
    at += piece;
  }
  EVP_CIPHER_CTX_free(context);
  if (!good) std::abort();  // the reference function of a request must not throw
}

Bytes DefaultAes::run(const Bytes& in) const
{
  Bytes out(in.size());
  run(0, in.data(), out.data(), in.size());
  return out;
}

AesRequest DefaultAes::request(const AesKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) const
{
  AesRequest request;
  request.mode = mode_;
  request.key = &key;
  std::uint8_t counter[16];
  std::copy(counter_.begin(), counter_.end(), counter);
  request.counter = load_counter(counter);
  request.in = in;
  request.out = out;
  request.bytes = bytes;
  request.reference = [this](std::size_t offset, const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    run(offset, from, to, count);
  };
  return request;
}

}  // namespace gpuaes::test
