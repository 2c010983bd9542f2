// How fast is one large EVP update, by cipher, size and kind of memory, beside the default provider's in the same run?
//
// Names are cipher/memory/bytes/provider. Memory on the device has no rival on the processor: it is set against the default
// provider on ordinary memory of the same size. All that is on the device is cold, except where it says "warm". The label of a row
// of gpuaes is the way that most of its calls went.
#include "session.h"
#include "update_case.h"

#include <algorithm>
#include <string>
#include <vector>

namespace gpuaes::bench {
namespace {

constexpr std::size_t kSmallest = 2 * kLargestSmall;

constexpr Layout kLayouts[] = {{Memory::ordinary, Memory::ordinary, true, false, kWhole, "ordinary-in-place"},
                               {Memory::ordinary, Memory::ordinary, false, false, kWhole, "ordinary"},
                               {Memory::ordinary, Memory::ordinary, false, true, kQuarter, "ordinary-cold"},
                               {Memory::pinned, Memory::pinned, false, false, kWhole, "pinned"},
                               {Memory::pinned, Memory::pinned, true, false, kQuarter, "pinned-in-place"},
                               {Memory::pinned, Memory::device, false, true, kQuarter, "pinned-to-device"},
                               {Memory::device, Memory::pinned, false, true, kQuarter, "device-to-pinned"},
                               {Memory::ordinary, Memory::device, false, true, kWhole, "ordinary-to-device"},
                               {Memory::device, Memory::ordinary, false, true, kWhole, "device-to-ordinary"},
                               {Memory::device, Memory::device, false, true, kWhole, "device"},
                               {Memory::device, Memory::device, false, false, kQuarter, "device-warm"},
                               {Memory::device, Memory::device, true, true, kWhole, "device-in-place"}};

bool on_device(const Layout& layout) { return layout.in == Memory::device || layout.out == Memory::device; }

void run(benchmark::State& state, const std::string& name, const Operation& operation, const Layout& layout, std::size_t bytes,
         const std::string& provider)
{
  const std::string properties = "provider=" + provider;
  if (provider != "default" && !gives_right_output(name, [&] { return is_right(operation, layout, bytes, properties); }))
    return fail(state, name + ": wrong output");
  const auto [in, out] = buffers_for(layout, bytes);
  const std::size_t pieces = layout.cold ? std::min(in.size(), out.size()) / bytes : 1;
  std::vector<Context> contexts = contexts_at_random(operation, properties);
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
  add_all(kLayouts, kSmallest, add);
  return run_session(argc, argv);
}
