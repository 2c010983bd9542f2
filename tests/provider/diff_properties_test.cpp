// What a cipher says of itself is what the default provider's says: names, numbers, flags, parameter lists.
#include "support/differential.h"

#include <openssl/core_names.h>
#include <openssl/objects.h>
#include <openssl/params.h>

#include <set>

namespace gpuaes::test {
namespace {

class DiffProperties : public ::testing::TestWithParam<std::string> {
 protected:
  const Library gpuaes_ = Library::with_gpuaes({{"mode", "never"}, {"device", "host"}});
  const Library default_ = Library::with_default();
  const CipherPointer got_ = gpuaes_.fetch(GetParam());
  const CipherPointer expected_ = default_.fetch(GetParam());
};

std::multiset<std::string> names_of(const EVP_CIPHER* cipher)
{
  std::multiset<std::string> names;
  EVP_CIPHER_names_do_all(
      cipher, [](const char* name, void* into) { static_cast<std::multiset<std::string>*>(into)->insert(name); }, &names);
  return names;
}

std::vector<std::string> describe(const OSSL_PARAM* params)
{
  std::vector<std::string> list;
  for (; params != nullptr && params->key != nullptr; ++params)
    list.push_back(std::string(params->key)
                       .append(" ")
                       .append(std::to_string(params->data_type))
                       .append(" ")
                       .append(std::to_string(params->data_size)));
  return list;
}

TEST_P(DiffProperties, NamesAndNumbers)
{
  EXPECT_EQ(names_of(got_.get()), names_of(expected_.get()));
  EXPECT_FALSE(names_of(got_.get()).empty());
  EXPECT_STREQ(EVP_CIPHER_get0_name(got_.get()), EVP_CIPHER_get0_name(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_nid(got_.get()), EVP_CIPHER_get_nid(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_type(got_.get()), EVP_CIPHER_get_type(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_block_size(got_.get()), EVP_CIPHER_get_block_size(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_key_length(got_.get()), EVP_CIPHER_get_key_length(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_iv_length(got_.get()), EVP_CIPHER_get_iv_length(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_mode(got_.get()), EVP_CIPHER_get_mode(expected_.get()));
  EXPECT_EQ(EVP_CIPHER_get_flags(got_.get()), EVP_CIPHER_get_flags(expected_.get()));
  const char* const description = EVP_CIPHER_get0_description(expected_.get());
  if (description != nullptr) {
    EXPECT_STREQ(EVP_CIPHER_get0_description(got_.get()), description);
  }
}

TEST_P(DiffProperties, ParameterLists)
{
  EXPECT_EQ(describe(EVP_CIPHER_gettable_params(got_.get())), describe(EVP_CIPHER_gettable_params(expected_.get())));
  EXPECT_EQ(describe(EVP_CIPHER_gettable_ctx_params(got_.get())), describe(EVP_CIPHER_gettable_ctx_params(expected_.get())));
  EXPECT_EQ(describe(EVP_CIPHER_settable_ctx_params(got_.get())), describe(EVP_CIPHER_settable_ctx_params(expected_.get())));
  EXPECT_FALSE(describe(EVP_CIPHER_gettable_ctx_params(got_.get())).empty());
  Traced got(gpuaes_, GetParam());
  Traced expected(default_, GetParam());
  EXPECT_EQ(describe(EVP_CIPHER_CTX_gettable_params(got.get())), describe(EVP_CIPHER_CTX_gettable_params(expected.get())));
  EXPECT_EQ(describe(EVP_CIPHER_CTX_settable_params(got.get())), describe(EVP_CIPHER_CTX_settable_params(expected.get())));
}

TEST_P(DiffProperties, ParametersOfTheCipher)
{
  for (const char* name : {OSSL_CIPHER_PARAM_AEAD, OSSL_CIPHER_PARAM_CUSTOM_IV, OSSL_CIPHER_PARAM_CTS,
                           OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, OSSL_CIPHER_PARAM_HAS_RAND_KEY}) {
    int got = -1;
    int expected = -1;
    OSSL_PARAM of_got[] = {OSSL_PARAM_construct_int(name, &got), OSSL_PARAM_construct_end()};
    OSSL_PARAM of_expected[] = {OSSL_PARAM_construct_int(name, &expected), OSSL_PARAM_construct_end()};
    EXPECT_EQ(EVP_CIPHER_get_params(got_.get(), of_got), EVP_CIPHER_get_params(expected_.get(), of_expected));
    EXPECT_EQ(got, expected) << name;
  }
}

// Parameters of other widths, unknown ones, none at all.
TEST_P(DiffProperties, OddParameterRequests)
{
  const auto application = [](Traced& context) {
    const Bytes key = test_key(32);
    const Bytes iv = pattern(16);
    context.init(&key, &iv, true);
    context.update(pattern(100));
    std::uint64_t wide = 7;
    std::uint8_t small_iv[5] = {};
    std::uint8_t large_iv[64] = {};
    std::int32_t number = -1;
    OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
    OSSL_PARAM unknown[] = {OSSL_PARAM_construct_int32("no-such-parameter", &number), OSSL_PARAM_construct_end()};
    OSSL_PARAM wider[] = {OSSL_PARAM_construct_uint64(OSSL_CIPHER_PARAM_NUM, &wide), OSSL_PARAM_construct_end()};
    OSSL_PARAM larger[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_IV, large_iv, sizeof large_iv),
                           OSSL_PARAM_construct_end()};
    OSSL_PARAM smaller[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_IV, small_iv, sizeof small_iv),
                            OSSL_PARAM_construct_end()};
    std::vector<int> said;
    for (OSSL_PARAM* params : {none, unknown, wider, larger, smaller}) {
      said.push_back(EVP_CIPHER_CTX_get_params(context.get(), params));
      said.push_back(static_cast<int>(params->return_size));
      take_errors();
    }
    for (OSSL_PARAM* params : {none, unknown}) said.push_back(EVP_CIPHER_CTX_set_params(context.get(), params));
    take_errors();
    said.push_back(static_cast<int>(wide));
    said.push_back(number);
    std::string text = to_hex(Bytes(large_iv, large_iv + sizeof large_iv));
    for (const int value : said) text.append(" ").append(std::to_string(value));
    return text;
  };
  Traced got(gpuaes_, GetParam());
  Traced expected(default_, GetParam());
  EXPECT_EQ(application(got), application(expected));
}

TEST_P(DiffProperties, TlsModeIsTheDefaultProviders)
{
  const Library offering = Library::with_gpuaes({{"min_bytes", "1"}, {"startup", "load"}, {"device", "host"}});
  offering.settled_state();
  const auto application = [&](Traced& context, bool encrypt) {
    const Bytes key = test_key(32);
    const Bytes iv = pattern(16);
    context.init(&key, &iv, encrypt);
    unsigned version = 0x0303;
    std::size_t mac = 20;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
                           OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac), OSSL_PARAM_construct_end()};
    EVP_CIPHER_CTX_set_params(context.get(), params);
    take_errors();
    context.update_in_place(pattern(4096));
    context.one_shot(pattern(4096));  // of no record, and so without a MAC at its end
    context.final();
    context.parameters();
  };
  for (const Library* library : {&gpuaes_, &offering})
    for (const bool encrypt : {true, false}) compare(*library, GetParam(), [&](Traced& context) { application(context, encrypt); });
}

INSTANTIATE_TEST_SUITE_P(All, DiffProperties, ::testing::ValuesIn(kCipherNames), [](const auto& chosen) {
  std::string name = chosen.param;
  std::erase(name, '-');
  return name;
});

// By every name and number that the default provider answers to.
TEST(DiffNames, AllAliasesFetch)
{
  const Library library = Library::with_gpuaes({{"mode", "never"}, {"device", "host"}});
  for (const char* name : {"AES-128-ECB", "aes-128-ecb", "2.16.840.1.101.3.4.1.1", "2.16.840.1.101.3.4.1.21",
                           "2.16.840.1.101.3.4.1.41", "AES-256-CTR", "aes-192-ctr"})
    EXPECT_TRUE(library.fetch(name)) << name;
}

}  // namespace
}  // namespace gpuaes::test
