#include "cipher.h"

#include <stdexcept>
#include <string>

namespace gpuaes::enc {
namespace {

void check(int result)
{
  if (result != 1) throw std::runtime_error("OpenSSL's cipher failed");
}

}  // namespace

Cipher::Cipher(const Library& library, const CipherKind& kind, bool decrypts, const KeyAndIv& key)
    : kind_(kind),
      decrypts_(decrypts),
      key_(key),
      schedule_(key.key),
      cipher_(EVP_CIPHER_fetch(library.context(), kind.name, nullptr))
{
  if (cipher_ == nullptr) throw std::runtime_error(std::string("OpenSSL doesn't offer ") + kind.name);
}

Cipher::Context Cipher::make_context() const
{
  Context context(EVP_CIPHER_CTX_new());
  if (context == nullptr) throw std::bad_alloc();
  check(EVP_CipherInit_ex2(context.get(), cipher_.get(), key_.key.data(), kind_.counts ? key_.iv : nullptr, decrypts_ ? 0 : 1,
                           nullptr));
  check(EVP_CIPHER_CTX_set_padding(context.get(), 0));
  return context;
}

void Cipher::run(EVP_CIPHER_CTX* context, std::uint64_t first, const std::uint8_t* in, std::uint8_t* out, std::size_t blocks) const
{
  if (kind_.counts) {
    std::uint8_t counter[kBlockBytes];
    store_counter(load_counter(key_.iv).plus(first), counter);
    check(EVP_CipherInit_ex2(context, nullptr, nullptr, counter, -1, nullptr));
  }
  int written = 0;
  check(EVP_CipherUpdate(context, out, &written, in, static_cast<int>(blocks * kBlockBytes)));
}

AesJob Cipher::job(std::uint64_t first, std::size_t blocks) const
{
  const AesMode mode = kind_.counts ? AesMode::ctr : decrypts_ ? AesMode::ecb_decrypt : AesMode::ecb_encrypt;
  return {.mode = mode,
          .rounds = schedule_.rounds(),
          .keys = schedule_.schedule(mode),
          .counter = load_counter(key_.iv).plus(first),
          .blocks = blocks};
}

}  // namespace gpuaes::enc
