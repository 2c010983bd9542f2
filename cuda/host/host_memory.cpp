#include "host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

namespace gpuaes::host_memory {
namespace {

struct Piece {
  std::size_t bytes;
  MemoryKind kind;
  std::uint8_t* reach;
};

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
  void* seen = MAP_FAILED;
  void* reach = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    seen = mmap(nullptr, bytes, kind == MemoryKind::device ? PROT_NONE : PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    reach = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (seen == MAP_FAILED || reach == MAP_FAILED) {
    if (seen != MAP_FAILED) munmap(seen, bytes);
    return fail("mmap");
  }
  std::memset(reach, 0xa5, bytes);
  const std::lock_guard lock(registry().mutex);
  registry().pieces[static_cast<std::uint8_t*>(seen)] = {bytes, kind, static_cast<std::uint8_t*>(reach)};
  return seen;
}

void release(void* memory) noexcept
{
  const std::lock_guard lock(registry().mutex);
  const auto piece = registry().pieces.find(static_cast<std::uint8_t*>(memory));
  if (piece == registry().pieces.end()) return;
  munmap(memory, piece->second.bytes);
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
