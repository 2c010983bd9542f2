#include "update_case.h"

#include "session.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <tuple>

namespace gpuaes::bench {
namespace {

constexpr std::size_t kLargestWithoutDevice = std::size_t{16} << 20;
constexpr unsigned kPlaces = 32;

bool is_there(Memory kind) { return kind == Memory::ordinary || (has_device() && can_allocate(kind)); }

// Pinning a gigabyte takes half a second. Small calls get a block of their own from the heap, as in most programs; large blocks are
// mapped.
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

}  // namespace

void add_all(std::span<const Layout> layouts, std::size_t smallest,
             const std::function<void(const Operation&, const Layout&, std::size_t bytes)>& add)
{
  for (const Operation& operation : kOperations)
    for (const Layout& layout : layouts) {
      if (!is_there(layout.in) || !is_there(layout.out)) continue;
      const std::size_t largest = std::min(layout.largest, has_device() ? kWhole : kLargestWithoutDevice);
      for (std::size_t bytes = smallest; bytes <= largest; bytes *= 2) add(operation, layout, bytes);
    }
}

Buffers buffers_for(const Layout& layout, std::size_t bytes)
{
  Block& in = block(layout.in, 0, bytes, layout.cold);
  return {in, layout.in_place ? in : block(layout.out, 1, bytes, layout.cold)};
}

std::vector<Context> contexts_at_random(const Operation& operation, const std::string& properties)
{
  static std::mt19937 random(1);
  std::vector<Context> contexts;
  for (auto i = 1 + random() % kPlaces; i > 0; --i)
    contexts.push_back(make_context(operation.cipher, properties.c_str(), operation.encrypt));
  return contexts;
}

bool is_right(const Operation& operation, const Layout& layout, std::size_t bytes, const std::string& properties)
{
  const auto [in, out] = buffers_for(layout, bytes);
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

}  // namespace gpuaes::bench
