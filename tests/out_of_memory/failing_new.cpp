#include "failing_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> left{0};

}  // namespace

void gpuaes::test::fail_allocation(long n) { left.store(n); }

void* operator new(std::size_t bytes)
{
  if (left.load() > 0 && left.fetch_sub(1) == 1) throw std::bad_alloc();
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
