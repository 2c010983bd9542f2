// One message beyond 4 GiB through EVP, on the device. Only with GPUAES_TEST_HUGE=1 and a CUDA device: it needs 5 GiB there.
#include "support/default_aes.h"
#include "support/differential.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <algorithm>

namespace gpuaes::test {
namespace {

using DiffHuge = OnDevice<>;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kBytes = 5120 * kMiB + 21;

TEST_F(DiffHuge, FiveGibibytes)
{
  if (!on_cuda() || test_variable("HUGE", "0") != "1") GTEST_SKIP() << "only with GPUAES_TEST_DEVICE=cuda GPUAES_TEST_HUGE=1";
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  const Bytes key = test_key(32);
  const Bytes iv = from_hex("0000000000000000ffffffffffffff00");
  TestMemory memory(MemoryKind::device, kBytes);
  for (std::size_t at = 0; at < kBytes; at += 64 * kMiB) memory.upload(pattern(std::min(64 * kMiB, kBytes - at), at), at);

  Traced context(library, "AES-256-CTR");
  context.init(&key, &iv, true);
  std::size_t at = 0;
  for (const std::size_t piece : {1536 * kMiB + 5, 1536 * kMiB, 2047 * kMiB + 3, kMiB + 13}) {
    int written = 0;
    ASSERT_EQ(EVP_CipherUpdate(context.get(), memory.data() + at, &written, memory.data() + at, static_cast<int>(piece)), 1)
        << take_errors();
    at += piece;
  }
  ASSERT_EQ(at, kBytes);

  const DefaultAes reference(AesMode::ctr, key, iv);
  for (std::size_t look :
       {std::size_t{0}, 1536 * kMiB - 16, 3072 * kMiB - kMiB, 4096 * kMiB - kMiB, 5119 * kMiB - kMiB, 5118 * kMiB}) {
    const std::size_t bytes = std::min(2 * kMiB + 16, kBytes - look);
    const Bytes input = pattern(bytes, look);
    Bytes expected(bytes);
    reference.run(look, input.data(), expected.data(), bytes);
    EXPECT_EQ(first_difference(memory.download(look, bytes), expected), "") << "from byte " << look;
  }
}

}  // namespace
}  // namespace gpuaes::test
