// Loading, unloading and outliving: nothing crashes, nothing is left.
#include "host/host_memory.h"
#include "support/differential.h"
#include "support/scale.h"
#include "support/test_device.h"

#include <fstream>

namespace gpuaes::test {
namespace {

using SafetyLife = OnDevice<>;

bool encrypts(const Library& library, std::size_t bytes = 5000)
{
  const Bytes key = test_key(16);
  const Bytes iv = pattern(16);
  const auto run = [&](const Library& which) {
    Traced context(which, "AES-128-CTR");
    context.init(&key, &iv, true);
    context.update(pattern(bytes));
    context.final();
    return context.output();
  };
  static const Library reference = Library::with_default();
  return run(library) == run(reference);
}

TEST_F(SafetyLife, LoadsAndUnloadsAThousandTimes)
{
  const std::size_t before = host_memory::live_allocations();
  for (std::size_t i = 0; i < scaled(1000, 200); ++i) {
    const bool uses_device = i % (on_cuda() ? 200 : 10) == 0;
    const Library library = Library::with_gpuaes({{"mode", uses_device ? "always" : "auto"}});
    ASSERT_TRUE(encrypts(library));
  }
  EXPECT_EQ(host_memory::live_allocations(), before);
}

TEST_F(SafetyLife, TheModuleLoadsAndUnloadsAThousandTimes)
{
  for (std::size_t i = 0; i < scaled(1000, 200); ++i) {
    const bool uses_device = i % (on_cuda() ? 200 : 10) == 0;
    const Library library = Library::with_module({{"mode", uses_device ? "always" : "auto"}});
    ASSERT_TRUE(encrypts(library));
    if (uses_device) {
      EXPECT_GT(library.number("gpuaes.bytes.keystream"), 0u);
    }
  }
}

// Unloading while bring-up is on its way.
TEST_F(SafetyLife, UnloadsDuringBringUp)
{
  const std::size_t before = host_memory::live_allocations();
  for (std::size_t i = 0; i < (on_cuda() ? 3 : scaled(200, 50)); ++i) Library::with_gpuaes({{"startup", "load"}});
  EXPECT_EQ(host_memory::live_allocations(), before);
}

TEST_F(SafetyLife, TwoLibrariesWithSettingsOfTheirOwn)
{
  const Library always = Library::with_gpuaes({{"mode", "always"}, {"keystream_ahead", "off"}});
  const Library never = Library::with_gpuaes({{"mode", "never"}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(encrypts(always));
    EXPECT_TRUE(encrypts(never));
  }
  EXPECT_EQ(always.text("gpuaes.state"), "ready");
  EXPECT_EQ(never.text("gpuaes.state"), "idle");
  EXPECT_EQ(always.number("gpuaes.bytes.device"), 3 * 4992u);
  EXPECT_EQ(never.number("gpuaes.bytes.device"), 0u);
  EXPECT_EQ(never.number("gpuaes.bytes.default"), 15'000u);
}

TEST_F(SafetyLife, ContextsOutliveTheirLibrary)
{
  const std::size_t before = host_memory::live_allocations();
  for (const std::string& cipher : kCipherNames) {
    auto library = std::make_unique<Library>(Library::with_gpuaes({{"mode", "always"}}));
    const Library reference = Library::with_default();
    const Bytes key = test_key(key_bytes_of(cipher));
    const Bytes iv = pattern(16);
    Traced expected(reference, cipher);
    Traced got(*library, cipher);
    for (Traced* context : {&expected, &got}) {
      context->init(&key, &iv, true);
      context->update(pattern(1000));
    }
    library.reset();
    for (Traced* context : {&expected, &got}) {
      context->update(pattern(5000));
      context->parameters();
      context->final();
      context->init(nullptr, &iv, false);
      context->update(pattern(4096));
      context->final();
    }
    expect_same(got, expected);
    Traced copy(got);
    copy.init(&key, &iv, true);
    copy.update(pattern(100));
  }
  EXPECT_EQ(host_memory::live_allocations(), before);
}

std::size_t resident_bytes()
{
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

TEST_F(SafetyLife, MemoryDoesNotGrowOverManyContexts)
{
  const Library library = Library::with_gpuaes({{"min_bytes", "4096"}});
  const CipherPointer cipher = library.fetch("AES-256-CTR");
  const Bytes key = test_key(32);
  const Bytes input = pattern(8192);
  Bytes output(8192);
  const auto use = [&](std::size_t contexts) {
    for (std::size_t i = 0; i < contexts; ++i) {
      const ContextPointer context(EVP_CIPHER_CTX_new());
      int written = 0;
      EVP_CipherInit_ex2(context.get(), cipher.get(), key.data(), key.data(), 1, nullptr);
      EVP_CipherUpdate(context.get(), output.data(), &written, input.data(), i % 100 == 0 ? 8192 : 100);
    }
  };
  use(2000);
  const std::size_t before = resident_bytes();
  use(scaled(100'000, 5000));
  if (!kSanitized) {
    EXPECT_LT(resident_bytes(), before + (std::size_t{4} << 20));
  }
}

// A monitor may ask as often as it likes.
TEST_F(SafetyLife, MemoryDoesNotGrowOverManyQuestions)
{
  const Library library = Library::with_gpuaes({{"mode", "never"}});
  const CipherPointer cipher = library.fetch("AES-128-ECB");
  const Bytes key = test_key(16);
  const ContextPointer context(EVP_CIPHER_CTX_new());
  const auto ask = [&](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      std::uint8_t block[32] = {};
      int written = 0;
      EVP_CipherInit_ex2(context.get(), cipher.get(), key.data(), nullptr, 1, nullptr);
      EVP_CipherUpdate(context.get(), block, &written, block, 16);
      library.text("gpuaes.stats");
    }
  };
  ask(500);
  const std::size_t before = resident_bytes();
  ask(scaled(50'000, 1000));
  if (!kSanitized) {
    EXPECT_LT(resident_bytes(), before + (std::size_t{4} << 20));
  }
}

}  // namespace
}  // namespace gpuaes::test
