// When memory runs out in the middle of a call, it gives the right bytes or an error. Every allocation of a call fails once, in a
// process of its own, which is no program for a sanitizer: they bring an operator new of their own.
#include "failing_new.h"
#include "support/bytes.h"
#include "support/child.h"
#include "support/library.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuaes::test {
namespace {

constexpr int kRight = 0;
constexpr int kError = 3;
constexpr int kWrong = 7;
constexpr long kAllocations = 40;  // a call of this size takes 13 to 190, the most of them like others before

// On the stand-in: CUDA can't be started in a child of a process that has asked for it.
class OutOfMemory : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override
  {
    if (on_cuda()) GTEST_SKIP() << "each allocation fails in a forked child";
  }
};

// In place, where what is done twice is wrong.
int encrypt(const std::string& cipher, const Settings& settings, long failing)
{
  const Library library = Library::with_gpuaes(settings);
  const Library reference = Library::with_default();
  if (library.settled_state() != "ready") return kWrong;
  const Bytes key = test_key(32);
  const Bytes iv(16, 0xfe);
  const Bytes data = pattern(std::size_t{6} << 20);
  Bytes results[] = {data, data};
  int outcome = 1;
  for (const bool ours : {false, true}) {
    const CipherPointer fetched = (ours ? library : reference).fetch(cipher);
    const ContextPointer context(EVP_CIPHER_CTX_new());
    EVP_EncryptInit_ex2(context.get(), fetched.get(), key.data(), iv.data(), nullptr);
    Bytes& bytes = results[ours ? 1 : 0];
    int written = 0;
    fail_allocation(ours ? failing : 0);
    outcome = EVP_EncryptUpdate(context.get(), bytes.data(), &written, bytes.data(), static_cast<int>(bytes.size()));
    fail_allocation(0);
  }
  return outcome != 1 ? kError : results[0] == results[1] ? kRight : kWrong;
}

TEST_P(OutOfMemory, EndsInTheRightBytesOrAnError)
{
  const auto& [cipher, min_bytes] = GetParam();
  const Settings settings = {{"startup", "load"}, {"helper_threads", "3"}, {"min_bytes", min_bytes}};
  long right = 0;
  for (long failing = 1; failing <= kAllocations; ++failing) {
    const Ending ending = run_in_child([&] { return encrypt(cipher, settings, failing); });
    ASSERT_TRUE(ending.exited) << failing << ": ended by signal " << ending.code;
    ASSERT_TRUE(ending.code == kRight || ending.code == kError) << failing << ": " << ending.code;
    right += ending.code == kRight;
  }
  EXPECT_GT(right, kAllocations / 2);
}

INSTANTIATE_TEST_SUITE_P(By, OutOfMemory,
                         ::testing::Combine(::testing::Values("AES-256-ECB", "AES-256-CTR"), ::testing::Values("auto", "1")));

}  // namespace
}  // namespace gpuaes::test
