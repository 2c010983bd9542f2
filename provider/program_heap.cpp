#include "program_heap.h"

#include <fstream>
#include <sstream>
#include <string>

namespace gpuaes {

ProgramHeap::ProgramHeap()
{
  // Field 47 of /proc/self/stat is start_brk (proc(5)). Field 2 is the program's name in parentheses, which may contain anything.
  constexpr int kFieldsBefore = 47 - 3;
  std::string line;
  std::getline(std::ifstream("/proc/self/stat"), line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < kFieldsBefore; ++i) fields >> skipped;
  std::uintptr_t start = 0;
  if (fields >> start && start != 0) start_ = start;
}

}  // namespace gpuaes
