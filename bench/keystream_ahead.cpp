// How fast are streams of updates in ordinary memory, by size of the update and number of threads, beside the default provider's in
// the same run? Small updates get keystream ahead, large ones are done by the call.
//
// Names are cipher/threads/bytes/provider; bench/report.py pairs the providers. Each thread has a context of its own and encrypts
// one buffer in place over and over, as `openssl speed` does. The threads take updates from a common stock, so that what counts is
// what all of them do together.
#include "session.h"

#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace gpuaes::bench {
namespace {

constexpr const char* kCiphers[] = {"aes-128-ctr", "aes-256-ctr"};
constexpr int kThreads[] = {1, 4, 16};
constexpr std::size_t kLargest = std::size_t{64} << 20;
// Enough for a ring to be there.
constexpr std::size_t kWarmUp = std::size_t{128} << 20;
// What a thread takes from the stock at a time, and the stock for each thread.
constexpr std::size_t kHelping = std::size_t{1} << 20;
constexpr std::size_t kStock = std::size_t{64} << 20;

class Stream {
 public:
  Stream(const char* cipher_name, const char* properties, std::size_t bytes) : data_(bytes), context_(EVP_CIPHER_CTX_new())
  {
    EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, cipher_name, properties);
    const std::uint8_t key[32] = {1, 2, 3};
    const std::uint8_t iv[16] = {4, 5, 6};
    good_ = EVP_EncryptInit_ex2(context_, cipher, key, iv, nullptr) == 1;
    EVP_CIPHER_free(cipher);
  }
  ~Stream() { EVP_CIPHER_CTX_free(context_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void update()
  {
    int written = 0;
    good_ = EVP_EncryptUpdate(context_, data_.data(), &written, data_.data(), static_cast<int>(data_.size())) == 1 && good_;
  }
  bool good() const { return good_; }

 private:
  std::vector<std::uint8_t> data_;
  EVP_CIPHER_CTX* const context_;
  bool good_;
};

void run(benchmark::State& state, const char* cipher, int threads, std::size_t bytes, const char* properties)
{
  const auto helping = static_cast<std::int64_t>(std::max<std::size_t>(kHelping / bytes, 1));
  const std::int64_t helpings = static_cast<std::int64_t>(std::max(kStock, 4 * bytes) / bytes) * threads / helping;
  std::atomic<std::int64_t> left{0};
  std::atomic<bool> stop{false};
  std::atomic<bool> good{true};
  std::barrier turn(threads + 1);
  const auto work = [&] {
    Stream stream(cipher, properties, bytes);
    for (std::size_t done = 0; done < kWarmUp; done += bytes) stream.update();
    for (turn.arrive_and_wait(); !stop.load(); turn.arrive_and_wait()) {
      while (left.fetch_sub(1) > 0)
        for (std::int64_t i = 0; i < helping; ++i) stream.update();
      turn.arrive_and_wait();
    }
    if (!stream.good()) good.store(false);
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  for (auto _ : state) {
    left.store(helpings);
    turn.arrive_and_wait();
    turn.arrive_and_wait();
  }
  stop.store(true);
  turn.arrive_and_wait();
  for (std::thread& worker : workers) worker.join();
  if (!good.load()) state.SkipWithError("an update failed");
  const std::int64_t updates = helpings * helping * static_cast<std::int64_t>(state.iterations());
  state.SetBytesProcessed(updates * static_cast<std::int64_t>(bytes));
  state.counters["updates"] = benchmark::Counter(static_cast<double>(updates) / threads, benchmark::Counter::kIsRate);
}

void add(const char* cipher, int threads, std::size_t bytes)
{
  for (const char* provider : {"gpuaes", "default"}) {
    const std::string name = std::string(cipher) + "/" + std::to_string(threads) + "/" + std::to_string(bytes) + "/" + provider;
    const std::string properties = std::string("provider=") + provider;
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      run(state, cipher, threads, bytes, properties.c_str());
    })->UseRealTime();
  }
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes::bench;
  if (!start_session()) return 1;
  for (const char* cipher : kCiphers)
    for (const int threads : kThreads)
      for (std::size_t bytes = 16; bytes <= kLargest; bytes *= 4) add(cipher, threads, bytes);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
