// Single updates of every size around a boundary, apart and in place, aligned and not, against the default provider.
#include "engine/options.h"
#include "support/differential.h"
#include "support/scale.h"
#include "variants.h"

namespace gpuaes::test {
namespace {

class DiffSizes : public PerVariant {};

const Bytes kIv = from_hex("00112233445566778899aabbccfffffe");

void one_message(const Library& library, const std::string& cipher, bool encrypt, bool padding,
                 const std::function<void(Traced&)>& body)
{
  const Bytes key = test_key(key_bytes_of(cipher));
  compare(library, cipher, [&](Traced& context) {
    context.init(&key, &kIv, encrypt);
    context.set_padding(padding);
    body(context);
    context.parameters();
    context.final();
    context.parameters();
  });
}

void every_way(const Library& library, std::span<const std::string> ciphers, const std::function<void(Traced&)>& body)
{
  for (const std::string& cipher : ciphers)
    for (const bool encrypt : {true, false})
      for (const bool padding : {true, false}) {
        if (padding && is_counter_mode(cipher)) continue;
        SCOPED_TRACE(cipher + (encrypt ? " encrypt" : " decrypt") + (padding ? " padded" : ""));
        one_message(library, cipher, encrypt, padding, body);
      }
}

TEST_P(DiffSizes, Small)
{
  const Library library = make();
  for (const std::size_t bytes : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 255u, 256u, 4095u, 4096u, 4097u, 65536u})
    every_way(library, kCipherNames, [&](Traced& context) { context.update(pattern(bytes)); });
}

TEST_P(DiffSizes, AroundAChunk)
{
  const Library library = make();
  const std::string few[] = {"AES-128-CTR", "AES-256-ECB"};
  const std::span<const std::string> ciphers =
      kSanitized ? std::span<const std::string>(few) : std::span<const std::string>(kCipherNames);
  for (const std::size_t bytes : {kLaneBytes - 1, kLaneBytes, kLaneBytes + 1}) {
    if (kSanitized && bytes != kLaneBytes + 1) continue;
    every_way(library, ciphers, [&](Traced& context) { context.update(pattern(bytes)); });
  }
  every_way(library, few, [&](Traced& context) { context.update(pattern(2 * kLaneBytes + 17)); });
}

TEST_P(DiffSizes, InPlace)
{
  const Library library = make();
  for (const std::size_t bytes : {0u, 1u, 15u, 16u, 17u, 4095u, 4096u, 4097u, 100'000u})
    for (const std::size_t shift : {0u, 3u})
      every_way(library, kCipherNames, [&](Traced& context) { context.update_in_place(pattern(bytes), shift); });
  const std::string few[] = {"AES-192-CTR", "AES-128-ECB"};
  every_way(library, few, [&](Traced& context) { context.update_in_place(pattern(kLaneBytes + 17)); });
}

TEST_P(DiffSizes, EveryAlignment)
{
  const Library library = make();
  const std::string few[] = {"AES-256-CTR", "AES-192-ECB"};
  for (std::size_t shift = 0; shift < 16; ++shift)
    every_way(library, few, [&](Traced& context) {
      context.update_shifted(pattern(1000), shift, 0);
      context.update_shifted(pattern(1000), 0, shift);
      context.update_shifted(pattern(1000), shift, 15 - shift);
      context.update_in_place(pattern(1008), shift);
    });
}

INSTANTIATE_TEST_SUITE_P(All, DiffSizes, ::testing::ValuesIn(kVariants), name_of_variant);

}  // namespace
}  // namespace gpuaes::test
