// What is refused is refused in the same way: return value, library and reason of every error on the queue, and what works
// afterwards.
#include "support/differential.h"
#include "variants.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>

namespace gpuaes::test {
namespace {

class DiffErrors : public PerVariant {};

// Works as if nothing had happened.
void recover(Traced& context, const std::string& cipher)
{
  const Bytes key = test_key(key_bytes_of(cipher), 5);
  const Bytes iv = pattern(16, 60);
  context.init(&key, &iv, true);
  context.update(pattern(1000));
  context.final();
}

TEST_P(DiffErrors, NoKey)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames)
    compare(library, cipher, [&](Traced& context) {
      const Bytes iv = pattern(16);
      for (const Bytes* passed : {static_cast<const Bytes*>(nullptr), &iv}) {
        context.init(nullptr, passed, true);
        for (const std::size_t bytes : {0u, 1u, 16u, 5000u}) context.update(pattern(bytes));
        context.one_shot(pattern(160));
        context.final();
      }
      recover(context, cipher);
    });
}

TEST_P(DiffErrors, WrongKeyLength)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames)
    compare(library, cipher, [&](Traced& context) {
      for (const int bytes : {0, 1, 15, 16, 17, 24, 32, 33, 64}) {
        const int result = EVP_CIPHER_CTX_set_key_length(context.get(), bytes);
        const Bytes key = test_key(static_cast<std::size_t>(bytes) + 64);
        context.init(&key, nullptr, true);
        EXPECT_TRUE(result == 1 || result == 0);
        context.parameters();
      }
      recover(context, cipher);
    });
}

// Straight at the parameters, past what EVP checks first.
TEST_P(DiffErrors, LengthsAsParameters)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames)
    for (const char* name : {OSSL_CIPHER_PARAM_KEYLEN, OSSL_CIPHER_PARAM_IVLEN})
      for (std::size_t value : {std::size_t{0}, std::size_t{16}, std::size_t{17}, ~std::size_t{0}}) {
        SCOPED_TRACE(::testing::Message() << cipher << " " << name << " " << value);
        compare(library, cipher, [&](Traced& context) {
          OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(name, &value), OSSL_PARAM_construct_end()};
          const int result = EVP_CIPHER_CTX_set_params(context.get(), params);
          const Bytes said = {static_cast<std::uint8_t>(result)};
          context.init(nullptr, nullptr, result == 1);
          const Bytes key = test_key(key_bytes_of(cipher));
          OSSL_PARAM again[] = {OSSL_PARAM_construct_size_t(name, &value), OSSL_PARAM_construct_end()};
          EVP_CipherInit_ex2(context.get(), nullptr, key.data(), key.data(), 1, again);
          context.update(pattern(100));
          context.parameters();
          recover(context, cipher);
        });
      }
}

// The last question can't be answered, which leaves the answers to those before it.
TEST_P(DiffErrors, QuestionsThatFailAreAnsweredInPart)
{
  const Library library = make();
  for (const std::string cipher : {"AES-128-CTR", "AES-256-CTR"})
    compare(library, cipher, [&](Traced& context) {
      const Bytes key = test_key(key_bytes_of(cipher));
      const Bytes given = pattern(16, 3);
      context.init(&key, &given, true);
      context.update(pattern(5000));
      Bytes iv(16);
      std::uint64_t number = 0;
      OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_IV, iv.data(), iv.size()),
                             OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_KEYLEN, &number, sizeof number),
                             OSSL_PARAM_construct_end()};
      EXPECT_EQ(EVP_CIPHER_CTX_get_params(context.get(), params), 0);
      EXPECT_EQ(first_difference(iv, given), "");
      take_errors();
    });
}

TEST_P(DiffErrors, BadPaddingAndWrongLengthsOnDecrypt)
{
  const Library library = make();
  const Bytes key = test_key(16);
  for (const bool padding : {true, false})
    for (const std::size_t bytes : {0u, 1u, 15u, 16u, 17u, 4096u, 4100u}) {
      SCOPED_TRACE(bytes);
      compare(library, "AES-128-ECB", [&](Traced& context) {
        context.init(&key, nullptr, false);
        context.set_padding(padding);
        context.update(pattern(bytes));
        context.final();
        context.final();
        context.update(pattern(17));
        context.update(pattern(16));
        context.final();
        recover(context, "AES-128-ECB");
      });
    }
}

// Every last byte that padding can have, right and wrong.
TEST_P(DiffErrors, EveryPaddingByte)
{
  const Library library = make();
  const Library reference = Library::with_default();
  const Bytes key = test_key(32);
  for (unsigned last = 0; last < 256; last += last < 20 ? 1 : 59)
    for (const bool right : {true, false}) {
      Bytes message = pattern(160);
      for (std::size_t i = 0; i < std::min<std::size_t>(last, 16); ++i) message[159 - i] = static_cast<std::uint8_t>(last);
      if (!right && last > 1) message[160 - std::min(last, 16u)] ^= 1;
      Traced encrypted(reference, "AES-256-ECB");
      encrypted.init(&key, nullptr, true);
      encrypted.set_padding(false);
      encrypted.update(message);
      SCOPED_TRACE(last);
      compare(library, "AES-256-ECB", [&](Traced& context) {
        context.init(&key, nullptr, false);
        context.update(encrypted.output());
        context.final();
        context.final();
      });
    }
}

TEST_P(DiffErrors, FinalTwiceAndUpdateAfterFinal)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames)
    for (const bool padding : {true, false})
      for (const std::size_t bytes : {0u, 5u, 4096u, 4101u}) {
        SCOPED_TRACE(cipher + " " + std::to_string(bytes));
        const Bytes key = test_key(key_bytes_of(cipher));
        const Bytes iv = pattern(16);
        compare(library, cipher, [&](Traced& context) {
          context.init(&key, &iv, true);
          context.set_padding(padding);
          context.update(pattern(bytes));
          context.final();
          context.final();
          context.update(pattern(bytes));
          context.parameters();
          context.final();
        });
      }
}

TEST_P(DiffErrors, NothingIsFine)
{
  const Library library = make();
  for (const std::string& cipher : kCipherNames) {
    const Bytes key = test_key(key_bytes_of(cipher));
    const Bytes iv = pattern(16);
    compare(library, cipher, [&](Traced& context) {
      context.init(&key, &iv, true);
      Bytes buffer(64);
      context.update_raw(buffer.data(), buffer.data(), 0);
      context.update_raw(nullptr, nullptr, 0);
      context.update_raw(buffer.data(), nullptr, 0);
      recover(context, cipher);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, DiffErrors, ::testing::ValuesIn(kVariants), name_of_variant);

}  // namespace
}  // namespace gpuaes::test
