// That secret bytes do not outlive their object.
#include "core/secret_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

// What the memory of the last large block held when it was freed.
bool watching = false;
bool was_wiped = false;
constexpr std::size_t kWatched = 4096;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes)
{
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }

[[gnu::noinline]] void operator delete(void* memory, std::size_t bytes) noexcept
{
  if (watching && bytes == kWatched) {
    const auto* first = static_cast<const unsigned char*>(memory);
    was_wiped = std::all_of(first, first + bytes, [](unsigned char byte) { return byte == 0; });
  }
  std::free(memory);
}

TEST(SecretBytes, AreWipedBeforeTheirMemoryIsFreed)
{
  {
    gpuaes::SecretBytes secret(kWatched, 0x5a);
    watching = true;
  }
  watching = false;
  EXPECT_TRUE(was_wiped);
}
