// How fast is one EVP update, by cipher, size and kind of memory, beside the default provider's in the same run?
//
// Names are cipher/memory/bytes/provider; bench/report.py pairs the providers. Device memory has no rival on the processor: it is
// set against the default provider on ordinary memory of the same size.
#include "memory.h"
#include "session.h"

#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace gpuaes::bench {
namespace {

struct Operation {
  const char* cipher;
  bool encrypt;
  const char* label;
};

constexpr Operation kOperations[] = {{"AES-128-CTR", true, "aes-128-ctr"},         {"AES-192-CTR", true, "aes-192-ctr"},
                                     {"AES-256-CTR", true, "aes-256-ctr"},         {"AES-128-ECB", true, "aes-128-ecb-encrypt"},
                                     {"AES-256-ECB", true, "aes-256-ecb-encrypt"}, {"AES-128-ECB", false, "aes-128-ecb-decrypt"},
                                     {"AES-256-ECB", false, "aes-256-ecb-decrypt"}};

struct Layout {
  Memory in;
  Memory out;
  bool in_place;
  const char* label;
};

constexpr Layout kSmall = {Memory::ordinary, Memory::ordinary, true, "ordinary-in-place"};
constexpr Layout kLarge[] = {{Memory::ordinary, Memory::ordinary, true, "ordinary-in-place"},
                             {Memory::ordinary, Memory::ordinary, false, "ordinary"},
                             {Memory::pinned, Memory::pinned, false, "pinned"},
                             {Memory::pinned, Memory::pinned, true, "pinned-in-place"},
                             {Memory::pinned, Memory::device, false, "pinned-to-device"},
                             {Memory::device, Memory::pinned, false, "device-to-pinned"},
                             {Memory::ordinary, Memory::device, false, "ordinary-to-device"},
                             {Memory::device, Memory::device, false, "device"},
                             {Memory::device, Memory::device, true, "device-in-place"}};

constexpr std::size_t kLargestSmall = std::size_t{64} << 10;
constexpr std::size_t kLargest = std::size_t{1} << 30;

// The library calls run() several times a case, and pinning a gigabyte takes half a second: each block is made once. Small calls
// get a block of their own from the heap, as in most programs; large blocks are mapped.
std::uint8_t* block(Memory kind, int which, std::size_t bytes)
{
  static std::map<std::tuple<Memory, int, std::size_t>, std::unique_ptr<Block>> blocks;
  const std::size_t size = kind == Memory::ordinary && bytes <= kLargestSmall ? kLargestSmall : kLargest;
  auto& made = blocks[{kind, which, size}];
  if (made == nullptr) made = std::make_unique<Block>(kind, size);
  return made->data();
}

void run(benchmark::State& state, Operation operation, Layout layout, std::size_t bytes, const char* properties)
{
  std::uint8_t* const in = block(layout.in, 0, bytes);
  std::uint8_t* const out = layout.in_place ? in : block(layout.out, 1, bytes);

  EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, operation.cipher, properties);
  // Whether round keys and data get into each other's way depends on where malloc happens to put a context (README.md): so each run
  // takes one of many.
  static std::mt19937 random(1);
  std::vector<EVP_CIPHER_CTX*> contexts(1 + random() % 32);
  for (EVP_CIPHER_CTX*& made : contexts) {
    made = EVP_CIPHER_CTX_new();
    EVP_CipherInit_ex2(made, cipher, nullptr, nullptr, operation.encrypt ? 1 : 0, nullptr);
  }
  EVP_CIPHER_CTX* const context = contexts.back();
  const std::uint8_t key[32] = {1, 2, 3};
  const std::uint8_t iv[16] = {4, 5, 6};
  EVP_CipherInit_ex2(context, cipher, key, iv, operation.encrypt ? 1 : 0, nullptr);
  EVP_CIPHER_CTX_set_padding(context, 0);
  int written = 0;
  bool good = EVP_CipherUpdate(context, out, &written, in, static_cast<int>(bytes)) == 1;  // buffers are made at the first call
  for (auto _ : state) good = good && EVP_CipherUpdate(context, out, &written, in, static_cast<int>(bytes)) == 1;
  if (!good) state.SkipWithError("the update failed");
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  for (EVP_CIPHER_CTX* made : contexts) EVP_CIPHER_CTX_free(made);
  EVP_CIPHER_free(cipher);
}

void add(const Operation& operation, const Layout& layout, std::size_t bytes)
{
  for (const auto& [provider, properties] : {std::pair{"gpuaes", "provider=gpuaes"}, std::pair{"default", "provider=default"}}) {
    Layout used = layout;
    if (properties == std::string("provider=default")) {
      if (used.in == Memory::device) used.in = Memory::ordinary;
      if (used.out == Memory::device) used.out = Memory::ordinary;
    }
    const std::string name = std::string(operation.label) + "/" + layout.label + "/" + std::to_string(bytes) + "/" + provider;
    benchmark::RegisterBenchmark(name.c_str(), run, operation, used, bytes, properties)->UseRealTime();
  }
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes::bench;
  if (!start_session()) return 1;
  for (const Operation& operation : kOperations) {
    for (std::size_t bytes = 16; bytes <= kLargestSmall; bytes *= 4) add(operation, kSmall, bytes);
    for (const Layout& layout : kLarge) {
      const bool needs_device = layout.in != Memory::ordinary || layout.out != Memory::ordinary;
      if (needs_device && !has_device()) continue;
      for (std::size_t bytes = kLargestSmall; bytes <= kLargest; bytes *= 4) add(operation, layout, bytes);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
