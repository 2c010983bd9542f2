// Streams that get keystream ahead: whatever happens in the middle, all that an application sees is the default provider's.
#include "support/differential.h"
#include "support/scale.h"
#include "support/test_device.h"
#include "support/twin.h"

#include <openssl/err.h>

#include <random>
#include <thread>

namespace gpuaes::test {
namespace {

// A ring of three slots of 21,840 bytes, from the first 65,520 bytes on.
const Settings kRing = {{"keystream_ahead", "64k"}, {"startup", "load"}, {"helper_threads", "0"}};
// The 128-bit counter overflows in the middle of the first slot.
const Bytes kIv = from_hex("fffffffffffffffffffffffffffffe00");

class DiffRing : public OnDevice<::testing::TestWithParam<std::string>> {
 protected:
  void SetUp() override
  {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    library_ = std::make_unique<Library>(Library::with_gpuaes(kRing));
    ASSERT_EQ(library_->settled_state(), "ready");
    key_ = test_key(key_bytes_of(GetParam()));
  }

  // A stream that has a ring now.
  std::unique_ptr<Twin> ahead()
  {
    auto twin = std::make_unique<Twin>(*library_, GetParam());
    twin->init(&key_, &kIv);
    EXPECT_TRUE(twin->run_until_ahead(*library_)) << twin->wrong();
    return twin;
  }

  std::unique_ptr<Library> library_;
  Bytes key_;
};

TEST_P(DiffRing, OddSizesInAndOutOfPlace)
{
  const auto twin = ahead();
  std::mt19937 random(test_seed());
  for (std::size_t i = 0; i < scaled(1500, 400); ++i) {
    const std::size_t bits = random() % 16;
    ASSERT_TRUE(twin->update(random() % ((std::size_t{1} << bits) + 1), random() % 2 == 0, random() % 17)) << twin->wrong();
  }
  EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
  // Larger sizes may have emptied the ring so often that this stream gets none again for long, but the next one does.
  twin->init(&key_, &kIv);
  EXPECT_TRUE(twin->run_until_ahead(*library_)) << twin->wrong();
}

// A ring of 1 KiB comes and goes all the time.
TEST_P(DiffRing, TinyRingsAndSizesBeyondThem)
{
  const Library library = Library::with_gpuaes({{"keystream_ahead", "1k"}, {"startup", "load"}, {"helper_threads", "2"}});
  ASSERT_EQ(library.settled_state(), "ready");
  std::mt19937 random(test_seed());
  Twin twin(library, GetParam());
  for (std::size_t stream = 0; stream < scaled(30, 6); ++stream) {
    const Bytes iv = pattern(16, random() % 251);
    twin.init(&key_, &iv, stream % 2 == 0);
    for (int i = 0; i < 100; ++i) {
      const std::size_t bits = random() % (i % 10 == 0 ? 22 : 9);
      ASSERT_TRUE(twin.update(random() % ((std::size_t{1} << bits) + 1), random() % 2 == 0, random() % 3)) << twin.wrong();
    }
    ASSERT_TRUE(twin.same_parameters()) << twin.wrong();
  }
}

TEST_P(DiffRing, ParametersInMidStream)
{
  const auto twin = ahead();
  for (const std::size_t bytes : {1u, 14u, 1u, 16u, 17u, 31u, 4096u, 5000u, 16384u, 3u, 0u, 40000u})
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(twin->update(bytes)) << twin->wrong();
      ASSERT_TRUE(twin->same_parameters()) << twin->wrong();
    }
}

TEST_P(DiffRing, NewIvNewKeyOrNeither)
{
  const auto twin = ahead();
  const Bytes other_key = test_key(key_.size(), 9);
  const Bytes other_iv = pattern(16, 77);
  const Bytes* const none = nullptr;
  for (const auto& [key, iv] : {std::pair{none, &other_iv}, {&other_key, none}, {&other_key, &other_iv}, {none, none}})
    for (const bool encrypt : {true, false}) {
      ASSERT_TRUE(twin->update(333)) << twin->wrong();
      twin->init(key, iv, encrypt);
      ASSERT_TRUE(twin->same_parameters()) << twin->wrong();
      ASSERT_TRUE(twin->run_until_ahead(*library_)) << twin->wrong();
    }
}

TEST_P(DiffRing, CopiesGoTheirOwnWay)
{
  const auto twin = ahead();
  ASSERT_TRUE(twin->update(77)) << twin->wrong();
  Twin copy(*twin);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(copy.update(1000)) << copy.wrong();
    ASSERT_TRUE(twin->update(333)) << twin->wrong();
  }
  EXPECT_TRUE(copy.same_parameters()) << copy.wrong();
  EXPECT_TRUE(copy.run_until_ahead(*library_)) << copy.wrong();
  EXPECT_TRUE(twin->run_until_ahead(*library_)) << twin->wrong();
}

// To its readers a context is constant, whatever it has to put in order to answer.
TEST_P(DiffRing, CopiedByTwoThreadsAtOnce)
{
  const auto twin = ahead();
  for (std::size_t round = 0; round < scaled(300, 60); ++round) {
    ASSERT_TRUE(twin->update(333)) << twin->wrong();
    std::unique_ptr<Twin> copies[2];
    std::thread other([&] { copies[0] = std::make_unique<Twin>(*twin); });
    copies[1] = std::make_unique<Twin>(*twin);
    other.join();
    for (const auto& copy : copies) ASSERT_TRUE(copy->update(100) && copy->same_parameters()) << copy->wrong();
  }
}

TEST_P(DiffRing, SettingNum)
{
  const auto twin = ahead();
  for (const unsigned num : {0u, 1u, 15u}) {
    ASSERT_TRUE(twin->update(37)) << twin->wrong();
    twin->set_num(num);
    ASSERT_TRUE(twin->update(100)) << twin->wrong();
    ASSERT_TRUE(twin->same_parameters()) << twin->wrong();
  }
  EXPECT_TRUE(twin->run_until_ahead(*library_)) << twin->wrong();
}

// Large calls are done by the device as calls, or by the ring, as the policy finds; the stream goes on after them.
TEST_P(DiffRing, LargeCallsInBetween)
{
  const auto twin = ahead();
  for (const std::size_t bytes : {100'000u, 300'000u}) {
    ASSERT_TRUE(twin->update(bytes, true, 3)) << twin->wrong();
    ASSERT_TRUE(twin->run_until_ahead(*library_)) << twin->wrong();
  }
  for (const std::size_t bytes : {1'000'001u, 5'000'000u, 20'000'003u}) {
    if (kSanitized && bytes > 5'000'000) continue;
    ASSERT_TRUE(twin->update(bytes, true, 3)) << twin->wrong();
    ASSERT_TRUE(twin->same_parameters()) << twin->wrong();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(twin->update(1000)) << twin->wrong();
  }
}

TEST_P(DiffRing, BuffersThatOverlapOrAreTooSmall)
{
  const auto twin = ahead();
  const Bytes data = pattern(3000);
  for (const std::size_t apart : {1u, 16u, 100u}) {
    Bytes results[2];
    for (int i = 0; i < 2; ++i) {
      Bytes& buffer = results[i] = data;
      int written = 0;
      EVP_CipherUpdate(twin->context(i), buffer.data() + apart, &written, buffer.data(), 2000);
    }
    EXPECT_EQ(first_difference(results[0], results[1]), "") << apart;
  }
  EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
  ASSERT_TRUE(twin->update(100)) << twin->wrong();
}

TEST_P(DiffRing, OneShotCallsAreUpdates)
{
  const auto twin = ahead();
  for (const std::size_t bytes : {1u, 15u, 4096u, 10'000u}) {
    Bytes results[2] = {Bytes(bytes), Bytes(bytes)};
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(EVP_Cipher(twin->context(i), results[i].data(), pattern(bytes).data(), static_cast<unsigned>(bytes)),
                static_cast<int>(bytes));
    EXPECT_EQ(first_difference(results[0], results[1]), "") << bytes;
  }
  EXPECT_TRUE(twin->same_parameters()) << twin->wrong();
}

// The counter at which a run of more than 2^32 blocks from zero would be.
TEST_P(DiffRing, FarBeyondThirtyTwoBits)
{
  Twin twin(*library_, GetParam());
  const Bytes iv = from_hex("000000000000000000000000fffffff8");
  twin.init(&key_, &iv);
  ASSERT_TRUE(twin.run_until_ahead(*library_)) << twin.wrong();
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(twin.update(5000)) << twin.wrong();
  EXPECT_TRUE(twin.same_parameters()) << twin.wrong();
}

// The first part of a call that the engine takes, and that has no whole block, may be what the stream needed to get its ring.
TEST_P(DiffRing, ACallOfLessThanABlockStartsARing)
{
  const Library library = Library::with_gpuaes({{"keystream_ahead", "64k"}, {"startup", "load"}, {"min_bytes_ctr", "10"}});
  ASSERT_EQ(library.settled_state(), "ready");
  Twin twin(library, GetParam());
  twin.init(&key_, &kIv);
  for (int i = 0; i < 26'215; ++i) ASSERT_TRUE(twin.update(10)) << twin.wrong();
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(twin.update(5)) << twin.wrong();
}

// OpenSSL 3.3 and 3.5 leave an error behind if they are asked for the IV in another way than they like.
TEST_P(DiffRing, LeavesNoErrorOnTheQueue)
{
  ERR_clear_error();
  const auto twin = ahead();
  ASSERT_TRUE(twin->update(std::size_t{3} << 20)) << twin->wrong();
  EXPECT_EQ(ERR_peek_error(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Counter, DiffRing, ::testing::Values("AES-128-CTR", "AES-192-CTR", "AES-256-CTR"),
                         [](const auto& chosen) { return chosen.param.substr(4, 3); });

}  // namespace
}  // namespace gpuaes::test
