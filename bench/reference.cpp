#include "reference.h"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gpuaes::bench {
namespace {

struct Output {
  Context context;
  std::vector<std::uint8_t> bytes;
};

}  // namespace

Context make_context(const char* cipher_name, const char* properties, bool encrypt)
{
  const std::unique_ptr<EVP_CIPHER, decltype(&EVP_CIPHER_free)> cipher(EVP_CIPHER_fetch(nullptr, cipher_name, properties),
                                                                       EVP_CIPHER_free);
  Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  if (cipher == nullptr || EVP_CipherInit_ex2(context.get(), cipher.get(), kKey, kIv, encrypt ? 1 : 0, nullptr) != 1)
    throw std::runtime_error(std::string("no ") + cipher_name + " with " + properties);
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  return context;
}

std::span<const std::uint8_t> input(std::size_t bytes)
{
  static std::vector<std::uint8_t> made;
  const std::size_t have = made.size();
  if (have < bytes) made.resize(bytes);
  for (std::size_t i = have; i < bytes; ++i) made[i] = static_cast<std::uint8_t>(i % 251);
  return {made.data(), bytes};
}

// Of ECB and CTR alike, the output for fewer bytes is the beginning of that for more: so it is made longer, never again.
std::span<const std::uint8_t> expected(const char* cipher, bool encrypt, std::size_t bytes)
{
  static std::map<std::pair<std::string, bool>, Output> outputs;
  auto found = outputs.find({cipher, encrypt});
  if (found == outputs.end())
    found = outputs.emplace(std::pair(cipher, encrypt), Output{make_context(cipher, "provider=default", encrypt), {}}).first;
  Output& output = found->second;
  const std::size_t have = output.bytes.size();
  if (have < bytes) {
    int written = 0;
    output.bytes.resize(bytes);
    if (EVP_CipherUpdate(output.context.get(), output.bytes.data() + have, &written, input(bytes).data() + have,
                         static_cast<int>(bytes - have)) != 1)
      throw std::runtime_error(std::string("the default provider's ") + cipher + " failed");
  }
  return {output.bytes.data(), bytes};
}

}  // namespace gpuaes::bench
