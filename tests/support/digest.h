// Digests of gpuaes through EVP.
#pragma once

#include "bytes.h"
#include "cipher_trace.h"
#include "library.h"

#include <openssl/evp.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace gpuaes::test {

struct FreeDigest {
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using DigestPointer = std::unique_ptr<EVP_MD, FreeDigest>;
using DigestContextPointer = std::unique_ptr<EVP_MD_CTX, FreeDigest>;

inline DigestPointer fetch_digest(const Library& library, const std::string& name)
{
  return DigestPointer(EVP_MD_fetch(library.get(), name.c_str(), nullptr));
}

// A message in the making, whose calls must succeed.
class Digesting {
 public:
  Digesting(const Library& library, const std::string& name) : digest_(fetch_digest(library, name)), context_(EVP_MD_CTX_new())
  {
    EXPECT_NE(digest_, nullptr) << name;
    start();
  }
  Digesting(const Digesting& other) : context_(EVP_MD_CTX_new()) { EXPECT_EQ(EVP_MD_CTX_copy_ex(get(), other.get()), 1); }
  Digesting& operator=(const Digesting&) = delete;

  void start() { EXPECT_EQ(EVP_DigestInit_ex2(get(), digest_.get(), nullptr), 1) << take_errors(); }
  void update(const void* data, std::size_t bytes) { EXPECT_EQ(EVP_DigestUpdate(get(), data, bytes), 1) << take_errors(); }
  void update(const Bytes& data) { update(data.data(), data.size()); }
  // Two bytes in hexadecimal.
  std::string final()
  {
    Bytes value(EVP_MAX_MD_SIZE);
    unsigned bytes = 0;
    EXPECT_EQ(EVP_DigestFinal_ex(get(), value.data(), &bytes), 1) << take_errors();
    value.resize(bytes);
    return to_hex(value);
  }
  EVP_MD_CTX* get() const { return context_.get(); }

 private:
  DigestPointer digest_;
  DigestContextPointer context_;
};

inline std::string digest_of(const Library& library, const std::string& name, const Bytes& data)
{
  Digesting digesting(library, name);
  digesting.update(data);
  return digesting.final();
}

}  // namespace gpuaes::test
