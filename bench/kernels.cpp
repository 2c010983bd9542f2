// How fast are the AES kernels alone, on data in device memory? bench/bounds.cu has what the card allows.
//
// Names are cipher/bytes. Launches follow one another on one stream, each on the next piece of two gigabytes, so that no cache
// holds what it reads and nothing but the kernel counts.
#include "reference.h"
#include "session.h"

#include "engine/buffer.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace gpuaes::bench {
namespace {

struct Kernel {
  const char* label;
  const char* cipher;
  AesMode mode;
  std::size_t key_bytes;
};

constexpr Kernel kKernels[] = {
    {"aes-128-ctr", "AES-128-CTR", AesMode::ctr, 16},
    {"aes-192-ctr", "AES-192-CTR", AesMode::ctr, 24},
    {"aes-256-ctr", "AES-256-CTR", AesMode::ctr, 32},
    {"aes-128-ecb-encrypt", "AES-128-ECB", AesMode::ecb_encrypt, 16},
    {"aes-256-ecb-encrypt", "AES-256-ECB", AesMode::ecb_encrypt, 32},
    {"aes-128-ecb-decrypt", "AES-128-ECB", AesMode::ecb_decrypt, 16},
    {"aes-256-ecb-decrypt", "AES-256-ECB", AesMode::ecb_decrypt, 32},
};
constexpr std::size_t kSizes[] = {std::size_t{64} << 20, std::size_t{1} << 30};
constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr int kLaunches = 16;

struct Data {
  explicit Data(Device& device)
      : in(device, MemoryKind::device, kMemory), out(device, MemoryKind::device, kMemory), stream(device.make_stream())
  {
    stream->copy(in.data(), input(kMemory).data(), kMemory);
    stream->wait();
  }
  Buffer in, out;
  std::unique_ptr<Stream> stream;  // after the buffers, so that it has waited for its work before they go
};

AesJob job_of(const Kernel& kernel, const Data& data, std::size_t at, std::size_t bytes)
{
  static const Counter counter = load_counter(kIv);
  const AesKey key({kKey, kernel.key_bytes});
  return {.mode = kernel.mode,
          .rounds = key.rounds(),
          .keys = key.schedule(kernel.mode),
          .counter = counter,
          .in = data.in.data() + at,
          .out = data.out.data() + at,
          .blocks = bytes / kBlockBytes};
}

bool is_right(const Kernel& kernel, Data& data, std::size_t bytes)
{
  std::vector<std::uint8_t> got(bytes);
  data.stream->run(job_of(kernel, data, 0, bytes));
  data.stream->copy(got.data(), data.out.data(), bytes);
  data.stream->wait();
  return std::memcmp(got.data(), expected(kernel.cipher, kernel.mode != AesMode::ecb_decrypt, bytes).data(), bytes) == 0;
}

void measure(benchmark::State& state, const Kernel& kernel, Data& data, std::size_t bytes)
{
  const std::string name = std::string(kernel.label) + "/" + std::to_string(bytes);
  if (!gives_right_output(name, [&] { return is_right(kernel, data, bytes); })) return fail(state, name + ": wrong output");
  std::vector<AesJob> jobs;
  for (std::size_t at = 0; at + bytes <= kMemory; at += bytes) jobs.push_back(job_of(kernel, data, at, bytes));
  std::size_t next = 0;
  for (auto _ : state) {
    for (int i = 0; i < kLaunches; ++i) data.stream->run(jobs[next++ % jobs.size()]);
    data.stream->wait();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * kLaunches * static_cast<std::int64_t>(state.iterations()));
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes;
  using namespace gpuaes::bench;
  std::unique_ptr<Device> device;
  try {
    device = make_cuda_platform()->open({}, [] {});
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "kernels: %s\n", error.what());
    return 2;
  }
  Data data(*device);
  benchmark::AddCustomContext("device", device->info().name);
  for (const Kernel& kernel : kKernels)
    for (const std::size_t bytes : kSizes)
      benchmark::RegisterBenchmark((std::string(kernel.label) + "/" + std::to_string(bytes)).c_str(), [&kernel, &data, bytes](
                                                                                                          benchmark::State& state) {
        measure(state, kernel, data, bytes);
      })->UseRealTime();
  return run_session(argc, argv);
}
