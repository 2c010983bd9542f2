// AES by OpenSSL's default provider in a library context of its own: what all results are compared with.
#pragma once

#include "bytes.h"
#include "engine/jobs.h"
#include "engine/request.h"

#include <openssl/evp.h>

namespace gpuaes::test {

class DefaultAes {
 public:
  // `counter` has 16 bytes; ECB ignores it.
  DefaultAes(AesMode mode, Bytes key, Bytes counter = Bytes(16));
  ~DefaultAes();
  DefaultAes(const DefaultAes&) = delete;
  DefaultAes& operator=(const DefaultAes&) = delete;

  // Whole blocks, of which the first is at byte `offset` of the message.
  void run(std::size_t offset, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) const;
  Bytes run(const Bytes& in) const;

  // A request for the engine whose expected output is run(in). `key` must outlive it.
  AesRequest request(const AesKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) const;
  AesKey engine_key() const { return AesKey(key_); }

 private:
  const AesMode mode_;
  const Bytes key_;
  const Bytes counter_;
  OSSL_LIB_CTX* library_;
  EVP_CIPHER* cipher_;
};

}  // namespace gpuaes::test
