// Contexts used again: with a new key, a new IV, both, neither, the other direction; copied in mid-stream; one-shot calls.
#include "support/differential.h"
#include "variants.h"

namespace gpuaes::test {
namespace {

class DiffReinit : public PerVariant {};

TEST_P(DiffReinit, EveryCombinationOfWhatIsPassed)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames) {
    const Bytes keys[] = {test_key(key_bytes_of(cipher), 1), test_key(key_bytes_of(cipher), 2)};
    const Bytes ivs[] = {pattern(16, 1), pattern(16, 100)};
    for (const std::size_t used_before : {0u, 5u, 16u, 1000u, 1024u})
      for (int passed = 0; passed < 8; ++passed)
        for (const bool first_encrypts : {true, false}) {
          SCOPED_TRACE(::testing::Message() << cipher << ", " << used_before << " bytes, " << passed);
          compare(library, cipher, [&](Traced& context) {
            context.init(&keys[0], &ivs[0], first_encrypts);
            context.update(pattern(used_before));
            context.init((passed & 1) != 0 ? &keys[1] : nullptr, (passed & 2) != 0 ? &ivs[1] : nullptr,
                         (passed & 4) != 0 ? !first_encrypts : first_encrypts);
            context.parameters();
            context.update(pattern(777));
            context.parameters();
            context.update(pattern(1024));
            context.parameters();
            context.final();
          });
        }
  }
}

TEST_P(DiffReinit, KeyAndIvInPieces)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames) {
    SCOPED_TRACE(cipher);
    const Bytes key = test_key(key_bytes_of(cipher));
    const Bytes iv = pattern(16, 9);
    compare(library, cipher, [&](Traced& context) {
      context.parameters();
      context.init(nullptr, &iv, true);
      context.parameters();
      context.init(&key, nullptr, true);
      context.update(pattern(500));
      context.parameters();
    });
    // Without any IV.
    compare(library, cipher, [&](Traced& context) {
      context.init(&key, nullptr, false);
      context.update(pattern(500));
      context.parameters();
    });
  }
}

TEST_P(DiffReinit, PaddingSurvives)
{
  const Library library = make();
  const Bytes key = test_key(16);
  compare(library, "AES-128-ECB", [&](Traced& context) {
    context.init(&key, nullptr, true);
    context.set_padding(false);
    context.update(pattern(160));
    context.final();
    context.init(&key, nullptr, true);
    context.update(pattern(161));
    context.final();
    context.set_padding(true);
    context.init(nullptr, nullptr, true);
    context.update(pattern(161));
    context.final();
  });
}

// It counts nothing in ECB mode, but what was set is what is answered, also when a block that was held back is taken away.
TEST_P(DiffReinit, NumOfAnEcbContextStays)
{
  const Library library = make();
  const Bytes key = test_key(16);
  compare(library, "AES-128-ECB", [&](Traced& context) {
    context.init(&key, nullptr, false);
    EXPECT_EQ(EVP_CIPHER_CTX_set_num(context.get(), 5), 1);
    context.update(pattern(160));
    context.update(pattern(100'000));
    context.parameters();
  });
}

TEST_P(DiffReinit, CopiesInMidStreamGoTheirOwnWays)
{
  const Library library = make();
  const Library reference = Library::with_default();
  for (const std::string& cipher : kCipherNames)
    for (const bool encrypt : {true, false})
      for (const std::size_t before : {0u, 5u, 16u, 1000u, 4096u}) {
        SCOPED_TRACE(cipher + " " + std::to_string(before));
        const Bytes key = test_key(key_bytes_of(cipher));
        const Bytes iv = from_hex("fffffffffffffffffffffffffffffff0");
        const auto run = [&](const Library& which, bool second) {
          auto original = std::make_unique<Traced>(which, cipher);
          original->init(&key, &iv, encrypt);
          original->update(pattern(before));
          Traced copy(*original);
          copy.parameters();
          original->update(pattern(300, 1));
          original->parameters();
          copy.update(pattern(2000, 2));
          copy.parameters();
          original->update(pattern(30, 3));
          original->final();
          if (!second) return std::pair(original->output(), original->trace());
          original.reset();
          copy.update(pattern(50, 4));
          copy.parameters();
          copy.final();
          copy.init(nullptr, &iv, encrypt);
          copy.update(pattern(100));
          return std::pair(copy.output(), copy.trace());
        };
        for (const bool second : {false, true}) EXPECT_EQ(run(library, second), run(reference, second));
      }
}

TEST_P(DiffReinit, OneShotCalls)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames)
    for (const bool encrypt : {true, false}) {
      SCOPED_TRACE(cipher);
      const Bytes key = test_key(key_bytes_of(cipher));
      const Bytes iv = pattern(16, 4);
      compare(library, cipher, [&](Traced& context) {
        context.init(&key, &iv, encrypt);
        for (const std::size_t bytes : {16u, 0u, 160u, 4096u, 100'000u}) {
          context.one_shot(pattern(bytes));
          context.parameters();
        }
      });
      // Lengths that aren't whole blocks, and beside what an update has left.
      compare(library, cipher, [&](Traced& context) {
        context.init(&key, &iv, encrypt);
        context.set_padding(false);
        context.one_shot(pattern(37));
        context.update(pattern(5));
        context.one_shot(pattern(1000));
        context.parameters();
        context.update(pattern(1003));
        context.final();
      });
    }
}

INSTANTIATE_TEST_SUITE_P(All, DiffReinit, ::testing::ValuesIn(kVariants), name_of_variant);

}  // namespace
}  // namespace gpuaes::test
