// Published CRC-16 values through EVP, by every name, and what the digests say of themselves.
#include "support/digest.h"
#include "support/test_device.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

namespace gpuaes::test {
namespace {

using KatDigest = OnDevice<>;

// https://reveng.sourceforge.io/crc-catalogue/16.htm, high byte first.
struct Published {
  const char* name;
  const char* check;  // of "123456789"
  const char* empty;
};
constexpr Published kPublished[] = {{"CRC16", "6f91", "ffff"},          {"crc16", "6f91", "ffff"},
                                    {"CRC-16/MCRF4XX", "6f91", "ffff"}, {"CRC-16/IBM-SDLC", "906e", "0000"},
                                    {"CRC-16/X-25", "906e", "0000"},    {"CRC16-X25", "906e", "0000"},
                                    {"CRC-16/KERMIT", "2189", "0000"},  {"CRC16-KERMIT", "2189", "0000"}};
const Bytes kDigits = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};

TEST_F(KatDigest, CheckValuesByEveryName)
{
  for (const Settings& settings : {Settings{}, Settings{{"mode", "always"}}, Settings{{"mode", "never"}}}) {
    const Library library = Library::with_gpuaes(settings);
    for (const Published& published : kPublished) {
      EXPECT_EQ(digest_of(library, published.name, kDigits), published.check) << published.name;
      EXPECT_EQ(digest_of(library, published.name, {}), published.empty) << published.name;
    }
  }
}

// The receiver's test wants the CRC low byte first, the other order than the digest's.
TEST_F(KatDigest, ResidueWantsTheLowByteFirst)
{
  const Library library = Library::with_gpuaes();
  for (const auto& [name, crc, residue] :
       {std::tuple{"CRC-16/MCRF4XX", "6f91", "0000"}, std::tuple{"CRC-16/KERMIT", "2189", "0000"},
        // f0b8 in the register, before the final exclusive or.
        std::tuple{"CRC-16/IBM-SDLC", "906e", "0f47"}}) {
    Bytes message = kDigits;
    const Bytes value = from_hex(crc);
    message.push_back(value[1]);
    message.push_back(value[0]);
    EXPECT_EQ(digest_of(library, name, message), residue) << name;
  }
}

TEST_F(KatDigest, ParametersAndNames)
{
  const Library library = Library::with_gpuaes();
  for (const Published& published : kPublished) {
    const DigestPointer digest = fetch_digest(library, published.name);
    ASSERT_NE(digest, nullptr);
    EXPECT_EQ(EVP_MD_get_size(digest.get()), 2);
    EXPECT_EQ(EVP_MD_get_block_size(digest.get()), 1);
    EXPECT_EQ(EVP_MD_get_flags(digest.get()) & EVP_MD_FLAG_XOF, 0u);
    EXPECT_STREQ(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(digest.get())), "gpuaes");
    for (const char* key : {OSSL_DIGEST_PARAM_BLOCK_SIZE, OSSL_DIGEST_PARAM_SIZE, OSSL_DIGEST_PARAM_XOF})
      EXPECT_NE(OSSL_PARAM_locate_const(EVP_MD_gettable_params(digest.get()), key), nullptr) << key;
  }
  EXPECT_EQ(fetch_digest(library, "CRC-CCITT"), nullptr);  // a name of at least three CRCs
  take_errors();
}

}  // namespace
}  // namespace gpuaes::test
