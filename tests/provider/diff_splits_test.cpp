// A property: however a message is cut into updates, all that an application sees is the default provider's.
#include "engine/options.h"
#include "support/differential.h"
#include "support/scale.h"
#include "variants.h"

#include <algorithm>
#include <random>

namespace gpuaes::test {
namespace {

class DiffSplits : public PerVariant {};

// Sizes from one byte up, most of them small, some at block borders.
std::size_t random_piece(std::mt19937& random)
{
  const std::size_t bits = std::uniform_int_distribution<std::size_t>(0, 17)(random);
  std::size_t bytes = std::uniform_int_distribution<std::size_t>(0, std::size_t{1} << bits)(random);
  if (random() % 3 == 0) bytes = bytes / 16 * 16;
  return bytes;
}

TEST_P(DiffSplits, Random)
{
  const Library library = make();
  std::mt19937 random(test_seed());
  for (std::size_t message = 0; message < scaled(120, 25); ++message) {
    const std::string& cipher = kCipherNames[random() % 6];
    const bool encrypt = random() % 2 == 0;
    const bool padding = random() % 2 == 0;
    const Bytes key = test_key(key_bytes_of(cipher), static_cast<std::uint8_t>(random()));
    Bytes iv = pattern(16, random() % 251);
    if (random() % 2 == 0) std::fill(iv.begin() + static_cast<std::ptrdiff_t>(random() % 16), iv.end(), std::uint8_t{0xff});
    std::vector<std::size_t> pieces(1 + random() % 12);
    for (std::size_t& piece : pieces) piece = random_piece(random);
    const bool in_place = random() % 4 == 0 && (is_counter_mode(cipher) || !padding);
    std::string description = cipher + (encrypt ? " encrypt" : " decrypt") + (padding ? " padded" : "") + ":";
    for (const std::size_t piece : pieces) description.append(" ").append(std::to_string(piece));
    SCOPED_TRACE(description);
    const unsigned shifts = static_cast<unsigned>(random());
    compare(library, cipher, [&](Traced& context) {
      context.init(&key, &iv, encrypt);
      context.set_padding(padding);
      std::size_t at = 0;
      for (const std::size_t piece : pieces) {
        // An earlier update's leftover makes the output lag behind: then in place isn't allowed in ECB mode.
        if (in_place && (is_counter_mode(cipher) || at % 16 == 0))
          context.update_in_place(pattern(piece, at), shifts % 16);
        else
          context.update_shifted(pattern(piece, at), shifts % 16, shifts / 16 % 16);
        context.parameters();
        at += piece;
      }
      context.final();
      context.parameters();
    });
    if (HasFailure()) return;
  }
}

TEST_P(DiffSplits, DribbleThenLarge)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames)
    for (const bool encrypt : {true, false})
      for (const std::size_t dribble : {1u, 15u, 16u, 17u, 37u}) {
        SCOPED_TRACE(cipher + " " + std::to_string(dribble));
        const Bytes key = test_key(key_bytes_of(cipher));
        const Bytes iv = pattern(16, 3);
        compare(library, cipher, [&](Traced& context) {
          context.init(&key, &iv, encrypt);
          for (std::size_t i = 0; i < dribble; ++i) {
            context.update(pattern(1, i));
            context.parameters();
          }
          context.update(pattern(scaled(std::size_t{1} << 20, 65536)));
          context.parameters();
          context.update(pattern(5));
          context.update(pattern(4096));
          context.final();
        });
      }
}

// Decrypting with padding, each update that ends on a block's end leaves that block behind; the next, of any size, lets go of it.
TEST_P(DiffSplits, HeldBackBlocks)
{
  const Library library = make();
  const Bytes key = test_key(16);
  for (const std::size_t first : {16u, 32u, 48u, 4096u})
    for (const std::size_t second : {0u, 1u, 15u, 16u, 17u, 32u, 4095u, 4096u})
      for (const std::size_t third : {0u, 1u, 16u, 31u, 32u}) {
        SCOPED_TRACE(::testing::Message() << first << " " << second << " " << third);
        compare(library, "AES-128-ECB", [&](Traced& context) {
          context.init(&key, nullptr, false);
          for (const std::size_t bytes : {first, second, third}) context.update(pattern(bytes));
          context.final();
          context.final();
          context.update(pattern(20));
        });
      }
}

INSTANTIATE_TEST_SUITE_P(All, DiffSplits, ::testing::ValuesIn(kVariants), name_of_variant);

}  // namespace
}  // namespace gpuaes::test
