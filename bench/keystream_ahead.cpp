// How fast is a stream of updates in ordinary memory, by size of the update and number of threads, beside the default provider's in
// the same run? Small updates get keystream ahead, large ones are done by the call.
//
// Names are cipher/threads/bytes/provider; bench/report.py pairs the providers. Each thread has a context of its own and encrypts
// one buffer in place over and over, as `openssl speed` does.
#include "session.h"

#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuaes::bench {
namespace {

constexpr const char* kCiphers[] = {"aes-128-ctr", "aes-256-ctr"};
constexpr int kThreads[] = {1, 4, 16};
constexpr std::size_t kLargest = std::size_t{64} << 20;
// Enough for the ring to be there.
constexpr std::size_t kWarmUp = std::size_t{128} << 20;

void run(benchmark::State& state, const char* cipher_name, std::size_t bytes, const char* properties)
{
  std::vector<std::uint8_t> data(std::max<std::size_t>(bytes, 65536));
  EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, cipher_name, properties);
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  const std::uint8_t key[32] = {1, 2, 3};
  const std::uint8_t iv[16] = {4, 5, 6};
  bool good = EVP_EncryptInit_ex2(context, cipher, key, iv, nullptr) == 1;
  const auto update = [&](std::size_t count) {
    int written = 0;
    good = good && EVP_EncryptUpdate(context, data.data(), &written, data.data(), static_cast<int>(count)) == 1;
  };
  const std::size_t warm = std::max<std::size_t>(bytes, 65536);
  for (std::size_t done = 0; done < kWarmUp; done += warm) update(warm);
  for (auto _ : state) update(bytes);
  if (!good) state.SkipWithError("the update failed");
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
}

void add(const char* cipher, int threads, std::size_t bytes)
{
  for (const char* provider : {"gpuaes", "default"}) {
    const std::string name = std::string(cipher) + "/" + std::to_string(threads) + "/" + std::to_string(bytes) + "/" + provider;
    const std::string properties = std::string("provider=") + provider;
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { run(state, cipher, bytes, properties.c_str()); })
        ->Threads(threads)
        ->UseRealTime();
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
