// OpenSSL's default provider in a library context of our own: whatever openssl.cnf makes others use, the processor's work is done
// by it. Pointers to OpenSSL's objects free them.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/provider.h>

#include <memory>

namespace gpuaes::enc {

struct FreeOpenSsl {
  void operator()(OSSL_LIB_CTX* context) const { OSSL_LIB_CTX_free(context); }
  void operator()(OSSL_PROVIDER* provider) const { OSSL_PROVIDER_unload(provider); }
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
  void operator()(EVP_KDF* kdf) const { EVP_KDF_free(kdf); }
  void operator()(EVP_KDF_CTX* context) const { EVP_KDF_CTX_free(context); }
  void operator()(BIO* bio) const { BIO_free_all(bio); }
};
template <typename T>
using OpenSslPtr = std::unique_ptr<T, FreeOpenSsl>;

class Library {
 public:
  // Throws std::runtime_error.
  Library();
  OSSL_LIB_CTX* context() const { return context_.get(); }

 private:
  OpenSslPtr<OSSL_LIB_CTX> context_;
  OpenSslPtr<OSSL_PROVIDER> provider_;
};

}  // namespace gpuaes::enc
