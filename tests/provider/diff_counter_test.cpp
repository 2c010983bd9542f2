// The 128-bit counter through EVP: carries at block and chunk edges, and the IV, updated IV and position an application reads.
#include "engine/options.h"
#include "support/differential.h"
#include "support/scale.h"
#include "variants.h"

namespace gpuaes::test {
namespace {

class DiffCounter : public PerVariant {};

constexpr const char* kIvs[] = {
    "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff", "fffffffffffffffffffffffffffffffe",
    "12ffffffffffffffffffffffffffffff", "000000000000000000000000fffffffd", "0000000000000000fffffffffffffffe",
    "00000000000000000000000000fffffe", "aabbccddeeff00112233445566fffff0", "0000000000000000fffffffffffc0000",
};

TEST_P(DiffCounter, CarriesAndReportsItAfterEveryUpdate)
{
  const Library library = make();
  for (const std::string cipher : {"AES-128-CTR", "AES-192-CTR", "AES-256-CTR"})
    for (const char* iv_text : kIvs) {
      SCOPED_TRACE(cipher + " " + iv_text);
      const Bytes key = test_key(key_bytes_of(cipher));
      const Bytes iv = from_hex(iv_text);
      compare(library, cipher, [&](Traced& context) {
        context.init(&key, &iv, true);
        context.parameters();
        for (const std::size_t bytes : {37u, 16u, 5u, 4096u, 6u, 160u, 0u, 1u}) {
          context.update(pattern(bytes));
          context.parameters();
        }
        context.final();
        context.parameters();
      });
    }
}

TEST_P(DiffCounter, CarriesAtTheEdgeOfAChunk)
{
  const Library library = make();
  const Bytes key = test_key(16);
  // kLaneBytes are 2^18 blocks.
  for (const char* iv_text :
       {"0000000000000000fffffffffffc0000", "ffffffffffffffffffffffffffffffff", "fffffffffffffffffffffffffffbffff"}) {
    SCOPED_TRACE(iv_text);
    const Bytes iv = from_hex(iv_text);
    compare(library, "AES-128-CTR", [&](Traced& context) {
      context.init(&key, &iv, true);
      if (!kSanitized) context.update(pattern(3));
      context.update(pattern(kLaneBytes + 4096));
      context.parameters();
      context.update(pattern(40));
      context.parameters();
    });
  }
}

TEST_P(DiffCounter, NumCanBeSetToZeroOnly)
{
  const Library library = make();
  const Bytes key = test_key(16);
  const Bytes iv = pattern(16);
  compare(library, "AES-128-CTR", [&](Traced& context) {
    context.init(&key, &iv, true);
    context.update(pattern(1000 + 7));
    context.parameters();
    EVP_CIPHER_CTX_set_num(context.get(), 0);
    take_errors();
    context.parameters();
    context.update(pattern(1000));
    EVP_CIPHER_CTX_set_num(context.get(), 5);
    take_errors();
    context.parameters();
    context.update(pattern(1000));
    context.parameters();
  });
}

INSTANTIATE_TEST_SUITE_P(All, DiffCounter, ::testing::ValuesIn(kVariants), name_of_variant);

}  // namespace
}  // namespace gpuaes::test
