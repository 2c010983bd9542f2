#include "twin.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace gpuaes::test {
namespace {

const Library& reference()
{
  static const Library library = Library::with_default();
  return library;
}

struct Position {
  std::array<std::uint8_t, 16> iv{};
  std::array<std::uint8_t, 16> updated_iv{};
  unsigned num = 0;
  bool operator==(const Position&) const = default;
};

Position position_of(EVP_CIPHER_CTX* context)
{
  Position position;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_IV, position.iv.data(), 16),
                         OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, position.updated_iv.data(), 16),
                         OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &position.num), OSSL_PARAM_construct_end()};
  EVP_CIPHER_CTX_get_params(context, params);
  return position;
}

}  // namespace

std::uint64_t bytes_ahead(const Library& gpuaes) { return gpuaes.number("gpuaes.bytes.keystream"); }

Twin::Twin(const Library& gpuaes, const std::string& cipher)
    : contexts_{ContextPointer(EVP_CIPHER_CTX_new()), ContextPointer(EVP_CIPHER_CTX_new())}
{
  const CipherPointer ciphers[] = {gpuaes.fetch(cipher), reference().fetch(cipher)};
  for (int i = 0; i < 2; ++i)
    note(EVP_CipherInit_ex2(contexts_[i].get(), ciphers[i].get(), nullptr, nullptr, 1, nullptr) == 1, "init");
}

Twin::Twin(const Twin& other)
    : contexts_{ContextPointer(EVP_CIPHER_CTX_new()), ContextPointer(EVP_CIPHER_CTX_new())}, at_(other.at_)
{
  for (int i = 0; i < 2; ++i) note(EVP_CIPHER_CTX_copy(contexts_[i].get(), other.contexts_[i].get()) == 1, "copy");
}

void Twin::init(const Bytes* key, const Bytes* iv, bool encrypt)
{
  for (const ContextPointer& context : contexts_)
    note(EVP_CipherInit_ex2(context.get(), nullptr, key == nullptr ? nullptr : key->data(), iv == nullptr ? nullptr : iv->data(),
                            encrypt ? 1 : 0, nullptr) == 1,
         "init");
}

bool Twin::update(std::size_t bytes, bool in_place, std::size_t shift)
{
  const Bytes in = pattern(bytes, at_ % 251);
  Bytes outs[2];
  for (int i = 0; i < 2; ++i) {
    Bytes& out = outs[i];
    out.assign(bytes + shift + 1, 0xee);
    const std::uint8_t* from = in.data();
    if (in_place) {
      std::copy(in.begin(), in.end(), out.begin() + static_cast<std::ptrdiff_t>(shift));
      from = out.data() + shift;
    }
    int written = -1;
    const int result = EVP_CipherUpdate(contexts_[i].get(), out.data() + shift, &written, from, static_cast<int>(bytes));
    note(result == 1 && written == static_cast<int>(bytes), "update of " + std::to_string(bytes) + " at " + std::to_string(at_));
  }
  note(outs[0] == outs[1],
       "update of " + std::to_string(bytes) + " at " + std::to_string(at_) + ": " + first_difference(outs[0], outs[1]));
  at_ += bytes;
  return wrong_.empty();
}

bool Twin::same_parameters()
{
  return note(position_of(contexts_[0].get()) == position_of(contexts_[1].get()), "parameters at " + std::to_string(at_));
}

void Twin::set_num(unsigned num)
{
  for (const ContextPointer& context : contexts_) EVP_CIPHER_CTX_set_num(context.get(), static_cast<int>(num));
}

bool Twin::run_until_ahead(const Library& gpuaes)
{
  const std::uint64_t before = bytes_ahead(gpuaes);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (unsigned round = 0; std::chrono::steady_clock::now() < deadline; ++round) {
    // Shorter ones may get no ring.
    for (int i = 0; i < 64; ++i)
      if (!update(256)) return false;
    if (bytes_ahead(gpuaes) > before) return true;
    // A ring that is empty too often is given up, and on a busy machine it takes its thread a while to fill it.
    std::this_thread::sleep_for(std::chrono::milliseconds(1 << std::min(round / 4, 6U)));
  }
  return false;
}

bool Twin::note(bool right, const std::string& what)
{
  if (!right && wrong_.empty()) wrong_ = what;
  return wrong_.empty();
}

}  // namespace gpuaes::test
