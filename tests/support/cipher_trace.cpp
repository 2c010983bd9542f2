#include "cipher_trace.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <algorithm>
#include <stdexcept>

namespace gpuaes::test {

std::string take_errors()
{
  std::string errors;
  while (const unsigned long error = ERR_get_error())
    errors.append(" ").append(std::to_string(ERR_GET_LIB(error))).append(":").append(std::to_string(ERR_GET_REASON(error)));
  return errors;
}

Traced::Traced(const Library& library, const std::string& name) : cipher_(library.fetch(name)), context_(EVP_CIPHER_CTX_new())
{
  take_errors();
  note("cipher", EVP_CipherInit_ex2(context_.get(), cipher_.get(), nullptr, nullptr, 1, nullptr));
}

Traced::Traced(const Traced& other) : context_(EVP_CIPHER_CTX_new())
{
  note("copy", EVP_CIPHER_CTX_copy(context_.get(), other.context_.get()));
}

void Traced::note(const std::string& what, int result) { trace_.push_back(what + " -> " + std::to_string(result) + take_errors()); }

void Traced::init(const Bytes* key, const Bytes* iv, bool encrypt)
{
  const auto pointer = [](const Bytes* bytes) { return bytes == nullptr ? nullptr : bytes->data(); };
  note("init", EVP_CipherInit_ex2(context_.get(), nullptr, pointer(key), pointer(iv), encrypt ? 1 : 0, nullptr));
}

void Traced::set_padding(bool padding) { note("padding", EVP_CIPHER_CTX_set_padding(context_.get(), padding ? 1 : 0)); }

void Traced::update(const Bytes& in)
{
  Bytes out(in.size() + 32, 0xee);
  int written = -7;
  const int result = EVP_CipherUpdate(context_.get(), out.data(), &written, in.data(), static_cast<int>(in.size()));
  note("update of " + std::to_string(in.size()), result);
  trace_.back() += ", wrote " + std::to_string(written);
  if (result != 1) return;
  const auto end = out.begin() + written;
  output_.insert(output_.end(), out.begin(), end);
  if (!std::all_of(end, out.end(), [](std::uint8_t byte) { return byte == 0xee; })) trace_.back() += ", and beyond";
}

void Traced::update_shifted(const Bytes& in, std::size_t in_shift, std::size_t out_shift)
{
  Bytes from(in_shift + in.size());
  std::copy(in.begin(), in.end(), from.begin() + static_cast<std::ptrdiff_t>(in_shift));
  Bytes to(out_shift + in.size() + 32);
  update_raw(to.data() + out_shift, from.data() + in_shift, static_cast<int>(in.size()));
}

void Traced::update_in_place(const Bytes& in, std::size_t shift)
{
  Bytes buffer(shift + in.size() + 32);
  std::copy(in.begin(), in.end(), buffer.begin() + static_cast<std::ptrdiff_t>(shift));
  update_raw(buffer.data() + shift, buffer.data() + shift, static_cast<int>(in.size()));
}

void Traced::update_raw(std::uint8_t* out, const std::uint8_t* in, int bytes)
{
  int written = -7;
  const int result = EVP_CipherUpdate(context_.get(), out, &written, in, bytes);
  note("update of " + std::to_string(bytes), result);
  trace_.back() += ", wrote " + std::to_string(written);
  if (result == 1) output_.insert(output_.end(), out, out + written);
}

void Traced::one_shot(const Bytes& in)
{
  Bytes out(in.size() + 32, 0xee);
  const int result = EVP_Cipher(context_.get(), out.data(), in.data(), static_cast<unsigned>(in.size()));
  note("one-shot of " + std::to_string(in.size()), result);
  output_.insert(output_.end(), out.begin(), out.end());
}

void Traced::final()
{
  std::uint8_t out[32] = {};
  int written = -7;
  const int result = EVP_CipherFinal_ex(context_.get(), out, &written);
  note("final", result);
  trace_.back() += ", wrote " + std::to_string(written);
  if (result == 1) output_.insert(output_.end(), out, out + written);
}

void Traced::parameters()
{
  std::uint8_t iv[16] = {};
  std::uint8_t updated[16] = {};
  std::size_t key_length = 0;
  std::size_t iv_length = 0;
  unsigned number = 77;
  unsigned padding = 77;
  const bool has_iv = EVP_CIPHER_CTX_get_iv_length(context_.get()) > 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &number),
                         OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding),
                         OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_KEYLEN, &key_length),
                         OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &iv_length),
                         OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_IV, iv, sizeof iv),
                         OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, updated, sizeof updated),
                         OSSL_PARAM_construct_end()};
  if (!has_iv) params[4] = OSSL_PARAM_construct_end();
  note("parameters", EVP_CIPHER_CTX_get_params(context_.get(), params));
  trace_.back() += ", num " + std::to_string(number) + ", padding " + std::to_string(padding) + ", lengths " +
                   std::to_string(key_length) + " " + std::to_string(iv_length) + ", iv " + to_hex(Bytes(iv, iv + 16)) +
                   ", updated " + to_hex(Bytes(updated, updated + 16)) + ", get_num " +
                   std::to_string(EVP_CIPHER_CTX_get_num(context_.get()));
  std::uint8_t more[32] = {};
  if (has_iv) {
    note("get_original_iv", EVP_CIPHER_CTX_get_original_iv(context_.get(), more, 16));
    note("get_updated_iv", EVP_CIPHER_CTX_get_updated_iv(context_.get(), more + 16, 16));
    trace_.back().append(" ").append(to_hex(Bytes(more, more + 32)));
    // As the deprecated EVP_CIPHER_CTX_iv() asks.
    void* pointers[2] = {};
    OSSL_PARAM by_pointer[] = {OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_IV, &pointers[0], 16),
                               OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_UPDATED_IV, &pointers[1], 16),
                               OSSL_PARAM_construct_end()};
    note("pointers", EVP_CIPHER_CTX_get_params(context_.get(), by_pointer));
    for (const void* pointer : pointers) {
      const auto* bytes = static_cast<const std::uint8_t*>(pointer);
      trace_.back().append(" ").append(bytes == nullptr ? "none" : to_hex(Bytes(bytes, bytes + 16)));
    }
  }
}

}  // namespace gpuaes::test
