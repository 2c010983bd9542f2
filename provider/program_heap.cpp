#include "program_heap.h"

#include "engine/uncancelled.h"

#include <cstdio>
#include <cstring>
#include <memory>

namespace gpuaes {

std::uintptr_t ProgramHeap::find_start() const
{
  const Uncancelled uncancelled;
  const auto close = [](std::FILE* stream) { std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> stream(std::fopen("/proc/self/stat", "re"));
  char line[2048];
  const bool read = stream != nullptr && std::fgets(line, sizeof line, stream.get()) != nullptr;
  // Field 47 is start_brk (proc(5)). Field 2 is the program's name in parentheses, which may contain anything.
  const char* field = read ? std::strrchr(line, ')') : nullptr;
  for (int number = 2; number < 47 && field != nullptr; ++number) {
    field = std::strchr(field, ' ');
    if (field != nullptr) ++field;
  }
  unsigned long start = 0;
  if (field == nullptr || std::sscanf(field, "%lu", &start) != 1 || start == 0) start = UINTPTR_MAX;
  start_.store(start, std::memory_order_relaxed);
  return start;
}

}  // namespace gpuaes
