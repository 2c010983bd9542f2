#include "host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace gpuaes::host_memory {
namespace {

// CUDA maps device memory in whole regions of this size, which it shares with nothing else.
constexpr std::size_t kRegion = std::size_t{2} << 20;
// And takes longer than this to do so, which a provider that remembers regions counts on.
constexpr std::chrono::microseconds kMappingTakes{20};

struct Piece {
  std::size_t bytes;
  MemoryKind kind;
  std::uint8_t* reach;
  std::size_t reserved;  // from the address on
};

// Address space for `bytes` in regions of its own, or null.
std::uint8_t* reserve_regions(std::size_t bytes)
{
  const std::size_t more = bytes + kRegion;
  void* const space = mmap(nullptr, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return nullptr;
  auto* const start = static_cast<std::uint8_t*>(space);
  const std::size_t before = (kRegion - reinterpret_cast<std::uintptr_t>(start) % kRegion) % kRegion;
  if (before > 0) munmap(start, before);
  if (before < kRegion) munmap(start + before + bytes, kRegion - before);
  return start + before;
}

// Leaked on purpose: work may still be under way while static objects are destroyed.
struct Registry {
  std::mutex mutex;
  std::map<const std::uint8_t*, Piece> pieces;
};

Registry& registry()
{
  static auto* instance = new Registry;
  return *instance;
}

// The piece that contains `memory`; the registry must be locked.
std::map<const std::uint8_t*, Piece>::iterator find(const void* memory)
{
  const auto* address = static_cast<const std::uint8_t*>(memory);
  auto& pieces = registry().pieces;
  auto next = pieces.upper_bound(address);
  if (next == pieces.begin()) return pieces.end();
  --next;
  return address < next->first + next->second.bytes ? next : pieces.end();
}

}  // namespace

void* allocate(MemoryKind kind, std::size_t bytes)
{
  const auto fail = [&](const char* step) -> void* {
    throw DeviceError(DeviceError::Kind::out_of_memory, std::string("The stand-in has no memory left: ") + step);
  };
  const int file = memfd_create("gpuaes stand-in", MFD_CLOEXEC);
  if (file < 0) return fail("memfd_create");
  const std::size_t reserved = (bytes + kRegion - 1) / kRegion * kRegion;
  std::uint8_t* const seen = reserve_regions(reserved);
  void* reach = MAP_FAILED;
  if (seen != nullptr && ftruncate(file, static_cast<off_t>(bytes)) == 0 &&
      mmap(seen, bytes, kind == MemoryKind::device ? PROT_NONE : PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
          MAP_FAILED)
    reach = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (reach == MAP_FAILED) {
    if (seen != nullptr) munmap(seen, reserved);
    return fail("mmap");
  }
  std::memset(reach, 0xa5, bytes);
  if (kind == MemoryKind::device) std::this_thread::sleep_for(kMappingTakes);
  const std::lock_guard lock(registry().mutex);
  registry().pieces[seen] = {bytes, kind, static_cast<std::uint8_t*>(reach), reserved};
  return seen;
}

void release(void* memory) noexcept
{
  const std::lock_guard lock(registry().mutex);
  const auto piece = registry().pieces.find(static_cast<std::uint8_t*>(memory));
  if (piece == registry().pieces.end()) return;
  munmap(memory, piece->second.reserved);
  munmap(piece->second.reach, piece->second.bytes);
  registry().pieces.erase(piece);
}

MemoryPlace place_of(const void* memory) noexcept
{
  const std::lock_guard lock(registry().mutex);
  const auto piece = find(memory);
  if (piece == registry().pieces.end()) return {};
  return {piece->second.kind, 0};
}

void* reach(const void* memory) noexcept
{
  const std::lock_guard lock(registry().mutex);
  const auto piece = find(memory);
  if (piece == registry().pieces.end()) return const_cast<void*>(memory);
  return piece->second.reach + (static_cast<const std::uint8_t*>(memory) - piece->first);
}

std::size_t live_allocations() noexcept
{
  const std::lock_guard lock(registry().mutex);
  return registry().pieces.size();
}

}  // namespace gpuaes::host_memory
