#include "program_heap.h"

#include <cstdio>
#include <cstring>
#include <memory>

namespace gpuaes {

ProgramHeap::ProgramHeap()
{
  const auto close = [](std::FILE* stream) { std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> stream(std::fopen("/proc/self/stat", "re"));
  char line[2048];
  if (stream == nullptr || std::fgets(line, sizeof line, stream.get()) == nullptr) return;
  // Field 47 is start_brk (proc(5)). Field 2 is the program's name in parentheses, which may contain anything.
  const char* field = std::strrchr(line, ')');
  for (int number = 2; number < 47 && field != nullptr; ++number) {
    field = std::strchr(field, ' ');
    if (field != nullptr) ++field;
  }
  unsigned long start = 0;
  if (field != nullptr && std::sscanf(field, "%lu", &start) == 1 && start != 0) start_ = start;
}

}  // namespace gpuaes
