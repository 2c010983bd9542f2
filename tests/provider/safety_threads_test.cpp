// Many threads, each with contexts of its own, on one provider.
#include "support/differential.h"
#include "support/scale.h"
#include "variants.h"

#include <pthread.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace gpuaes::test {
namespace {

class SafetyThreads : public PerVariant {};

TEST_P(SafetyThreads, ThirtyTwoWithTheirOwnContexts)
{
  const Library library = make();
  const Library reference = Library::with_default();
  std::mutex mutex;
  std::string wrong;
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < 32; ++number)
    threads.emplace_back([&, number] {
      const std::string& cipher = kCipherNames[number % 6];
      const Bytes key = test_key(key_bytes_of(cipher), static_cast<std::uint8_t>(number));
      const Bytes iv = pattern(16, number);
      for (std::size_t round = 0; round < scaled(6, 2); ++round) {
        Traced expected(reference, cipher);
        Traced got(library, cipher);
        for (Traced* context : {&expected, &got}) {
          context->init(&key, &iv, number % 2 == 0);
          context->update(pattern(100 * number));
          context->update(pattern(scaled(600'000, 150'000) + number));
          context->parameters();
          Traced copy(*context);
          copy.update(pattern(1000));
          context->final();
        }
        if (got.trace() != expected.trace() || got.output() != expected.output()) {
          const std::lock_guard lock(mutex);
          wrong = cipher + " on thread " + std::to_string(number) + ": " + first_difference(got.output(), expected.output());
          for (const std::string& line : got.trace()) wrong.append("\n").append(line);
        }
      }
    });
  // Somebody watches meanwhile.
  std::atomic<bool> stop{false};
  std::thread watcher([&] {
    while (!stop.load()) {
      library.text("gpuaes.stats");
      library.status();
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : threads) thread.join();
  stop.store(true);
  watcher.join();
  EXPECT_EQ(wrong, "");
}

struct Cancelled {
  const Library& library;
  bool has_encrypted = false;
};

// Deferred, as is usual: at the next wait, unless the call keeps it off.
void* encrypt_when_cancelled(void* argument)
{
  auto& cancelled = *static_cast<Cancelled*>(argument);
  const CipherPointer cipher = cancelled.library.fetch("AES-128-CTR");
  const ContextPointer context(EVP_CIPHER_CTX_new());
  const Bytes key = test_key(16);
  Bytes data = pattern(std::size_t{4} << 20);
  EVP_EncryptInit_ex2(context.get(), cipher.get(), key.data(), key.data(), nullptr);
  pthread_cancel(pthread_self());
  int written = 0;
  cancelled.has_encrypted =
      EVP_EncryptUpdate(context.get(), data.data(), &written, data.data(), static_cast<int>(data.size())) == 1 &&
      EVP_EncryptUpdate(context.get(), data.data(), &written, data.data(), 100) == 1;
  pthread_testcancel();
  return nullptr;
}

TEST_P(SafetyThreads, AThreadIsCancelledAfterTheCall)
{
  const Library library = make();
  Cancelled cancelled{library};
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, encrypt_when_cancelled, &cancelled), 0);
  void* result = nullptr;
  ASSERT_EQ(pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_TRUE(cancelled.has_encrypted);
}

INSTANTIATE_TEST_SUITE_P(All, SafetyThreads, ::testing::ValuesIn(kVariants), name_of_variant);

using SafetyBounds = OnDevice<>;

// More threads than there is staging memory for.
TEST_F(SafetyBounds, LittleMemoryForManyThreads)
{
  const Library library =
      Library::with_gpuaes({{"min_bytes", "1"}, {"startup", "load"}, {"pinned_bytes", "4m"}, {"device_bytes", "4m"}});
  library.settled_state();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < 8; ++number)
    threads.emplace_back([&, number] {
      const Library reference = Library::with_default();
      const Bytes key = test_key(16);
      for (std::size_t round = 0; round < 5; ++round) {
        Traced expected(reference, "AES-128-CTR");
        Traced got(library, "AES-128-CTR");
        for (Traced* context : {&expected, &got}) {
          context->init(&key, &key, true);
          context->update(pattern(300'000 + number));
        }
        if (got.output() != expected.output()) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace gpuaes::test
