// How fast is one EVP update, by cipher, size and kind of memory, beside the default provider's in the same run?
//
// Names are cipher/memory/bytes/provider. Memory on the device has no rival on the processor: it is set against the default
// provider on ordinary memory of the same size. "Cold" is memory that no cache holds: each call takes the next piece of a gigabyte.
// All that is on the device is cold, except where it says "warm". The label of a row of gpuaes is the way that most of its calls
// went.
#include "memory.h"
#include "reference.h"
#include "session.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace gpuaes::bench {
namespace {

constexpr std::size_t kSmallest = 16;
constexpr std::size_t kLargestSmall = std::size_t{64} << 10;
constexpr std::size_t kSmallestLarge = 2 * kLargestSmall;
constexpr std::size_t kQuarter = std::size_t{256} << 20;
constexpr std::size_t kWhole = std::size_t{1} << 30;
constexpr std::size_t kLargestWithoutDevice = std::size_t{16} << 20;

struct Operation {
  const char* cipher;
  bool encrypt;
  const char* label;
  std::size_t largest;
};

constexpr Operation kOperations[] = {{"AES-128-CTR", true, "aes-128-ctr", kWhole},
                                     {"AES-192-CTR", true, "aes-192-ctr", kLargestSmall},
                                     {"AES-256-CTR", true, "aes-256-ctr", kWhole},
                                     {"AES-128-ECB", true, "aes-128-ecb-encrypt", kWhole},
                                     {"AES-192-ECB", true, "aes-192-ecb-encrypt", kLargestSmall},
                                     {"AES-256-ECB", true, "aes-256-ecb-encrypt", kWhole},
                                     {"AES-128-ECB", false, "aes-128-ecb-decrypt", kWhole},
                                     {"AES-192-ECB", false, "aes-192-ecb-decrypt", kLargestSmall},
                                     {"AES-256-ECB", false, "aes-256-ecb-decrypt", kWhole}};

struct Layout {
  Memory in;
  Memory out;
  bool in_place;
  bool cold;
  std::size_t smallest;
  std::size_t largest;
  const char* label;
};

constexpr Layout kLayouts[] = {{Memory::ordinary, Memory::ordinary, true, false, kSmallest, kWhole, "ordinary-in-place"},
                               {Memory::ordinary, Memory::ordinary, false, false, kSmallestLarge, kWhole, "ordinary"},
                               {Memory::ordinary, Memory::ordinary, false, true, kSmallestLarge, kQuarter, "ordinary-cold"},
                               {Memory::pinned, Memory::pinned, false, false, kSmallest, kWhole, "pinned"},
                               {Memory::pinned, Memory::pinned, true, false, kSmallestLarge, kQuarter, "pinned-in-place"},
                               {Memory::pinned, Memory::device, false, true, kSmallestLarge, kQuarter, "pinned-to-device"},
                               {Memory::device, Memory::pinned, false, true, kSmallestLarge, kQuarter, "device-to-pinned"},
                               {Memory::ordinary, Memory::device, false, true, kSmallestLarge, kWhole, "ordinary-to-device"},
                               {Memory::device, Memory::ordinary, false, true, kSmallestLarge, kWhole, "device-to-ordinary"},
                               {Memory::device, Memory::device, false, true, kSmallestLarge, kWhole, "device"},
                               {Memory::device, Memory::device, false, false, kSmallestLarge, kQuarter, "device-warm"},
                               {Memory::device, Memory::device, true, true, kSmallestLarge, kWhole, "device-in-place"}};

bool on_device(const Layout& layout) { return layout.in == Memory::device || layout.out == Memory::device; }

// The library calls run() several times a case, and pinning a gigabyte takes half a second: each block is made once. Small calls
// get a block of their own from the heap, as in most programs; large blocks are mapped.
Block& block(Memory kind, int which, std::size_t bytes, bool cold)
{
  static std::map<std::tuple<Memory, int, std::size_t>, std::unique_ptr<Block>> blocks;
  const bool needs_whole = bytes > kQuarter || kind == Memory::device || (kind == Memory::ordinary && cold);
  const std::size_t mapped = needs_whole ? kWhole : kQuarter;
  const std::size_t size = kind == Memory::ordinary && bytes <= kLargestSmall && !cold ? kLargestSmall : mapped;
  auto& made = blocks[{kind, which, size}];
  if (made == nullptr) made = std::make_unique<Block>(kind, size);
  return *made;
}

// Whether a context makes of the input what the default provider makes of it.
bool is_right(const Operation& operation, const Layout& layout, std::size_t bytes, const std::string& properties)
{
  Block& in = block(layout.in, 0, bytes, layout.cold);
  Block& out = layout.in_place ? in : block(layout.out, 1, bytes, layout.cold);
  in.write(input(bytes).data(), bytes);
  int written = 0;
  const Context context = make_context(operation.cipher, properties.c_str(), operation.encrypt);
  if (EVP_CipherUpdate(context.get(), out.data(), &written, in.data(), static_cast<int>(bytes)) != 1) return false;
  const auto wanted = expected(operation.cipher, operation.encrypt, bytes);
  if (layout.out != Memory::device) return std::memcmp(out.data(), wanted.data(), bytes) == 0;
  std::vector<std::uint8_t> got(bytes);
  out.read(got.data(), bytes);
  return std::memcmp(got.data(), wanted.data(), bytes) == 0;
}

void run(benchmark::State& state, const std::string& name, const Operation& operation, const Layout& layout, std::size_t bytes,
         const std::string& provider)
{
  const std::string properties = "provider=" + provider;
  if (provider != "default" && !gives_right_output(name, [&] { return is_right(operation, layout, bytes, properties); }))
    return fail(state, name + ": wrong output");
  Block& in = block(layout.in, 0, bytes, layout.cold);
  Block& out = layout.in_place ? in : block(layout.out, 1, bytes, layout.cold);
  const std::size_t pieces = layout.cold ? std::min(in.size(), out.size()) / bytes : 1;

  // Whether round keys and data get into each other's way depends on where malloc happens to put a context (README.md): so each run
  // takes one of many.
  static std::mt19937 random(1);
  std::vector<Context> contexts;
  for (auto i = 1 + random() % 32; i > 0; --i)
    contexts.push_back(make_context(operation.cipher, properties.c_str(), operation.encrypt));
  EVP_CIPHER_CTX* const context = contexts.back().get();
  int written = 0;
  bool good = EVP_CipherUpdate(context, out.data(), &written, in.data(), static_cast<int>(bytes)) == 1;  // makes buffers
  std::size_t piece = 0;
  const Ways before = ways_so_far();
  for (auto _ : state) {
    piece = piece + 1 < pieces ? piece + 1 : 0;
    const std::size_t at = piece * bytes;
    good = EVP_CipherUpdate(context, out.data() + at, &written, in.data() + at, static_cast<int>(bytes)) == 1 && good;
  }
  contexts.clear();  // a context tells of its last small calls when it is freed
  state.SetLabel(most_frequent_way_since(before));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  if (!good) fail(state, name + ": an update failed");
}

bool is_there(Memory kind) { return kind == Memory::ordinary || (has_device() && can_allocate(kind)); }

void add(const Operation& operation, const Layout& layout, std::size_t bytes)
{
  for (const std::string provider : {"gpuaes", "default"}) {
    if (provider == "default" && on_device(layout)) continue;
    const std::string name = std::string(operation.label) + "/" + layout.label + "/" + std::to_string(bytes) + "/" + provider;
    benchmark::RegisterBenchmark(name.c_str(), [=, &operation, &layout](benchmark::State& state) {
      run(state, name, operation, layout, bytes, provider);
    })->UseRealTime();
  }
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes::bench;
  if (!start_session()) return 1;
  for (const Operation& operation : kOperations)
    for (const Layout& layout : kLayouts) {
      if (!is_there(layout.in) || !is_there(layout.out)) continue;
      const std::size_t largest = std::min({operation.largest, layout.largest, has_device() ? kWhole : kLargestWithoutDevice});
      for (std::size_t bytes = layout.smallest; bytes <= largest; bytes *= 2) add(operation, layout, bytes);
    }
  return run_session(argc, argv);
}
