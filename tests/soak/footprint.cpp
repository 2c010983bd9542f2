#include "footprint.h"

#include "support/scale.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace gpuaes::test {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

std::int64_t entries_of(const char* folder)
{
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

struct Figure {
  const char* name;
  std::int64_t Footprint::*value;
  std::int64_t allowance;
};

// Resident memory lay within 7 MiB from round to round, apart from what the engine holds (bench/README.md). The stand-in's streams
// are threads, of which an engine may need some more at any time; in the end none may be left (soak.cpp).
constexpr Figure kFigures[] = {
    {"resident bytes", &Footprint::resident, 8 * kMiB},
    {"descriptors", &Footprint::descriptors, 0},
    {"threads", &Footprint::threads, 16},
};

std::int64_t median(std::vector<Footprint>::const_iterator begin, std::vector<Footprint>::const_iterator end,
                    std::int64_t Footprint::*value)
{
  std::vector<std::int64_t> values;
  for (auto at = begin; at != end; ++at) values.push_back((*at).*value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Footprint measure_footprint(const Library* library)
{
  malloc_trim(0);
  std::int64_t pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident_pages;
  Footprint footprint{.resident = resident_pages * sysconf(_SC_PAGESIZE),
                      .descriptors = entries_of("/proc/self/fd"),
                      .threads = entries_of("/proc/self/task")};
  if (library != nullptr) {
    footprint.pinned = static_cast<std::int64_t>(library->number("gpuaes.pinned_bytes_held"));
    footprint.device = static_cast<std::int64_t>(library->number("gpuaes.device_bytes_held"));
  }
  return footprint;
}

std::string in_words(const Footprint& footprint)
{
  return "holds " + std::to_string(footprint.resident / kMiB) + " MiB resident, " + std::to_string(footprint.descriptors) +
         " descriptors, " + std::to_string(footprint.threads) + " threads, " + std::to_string(footprint.pinned / kMiB) +
         " MiB pinned, " + std::to_string(footprint.device / kMiB) + " MiB on the device";
}

std::string what_grows(const std::vector<Footprint>& rounds)
{
  const auto third = static_cast<std::ptrdiff_t>(rounds.size() / 3);
  if (third == 0) return "nothing can be said of fewer than three rounds";
  const auto before = [&](std::int64_t Footprint::*value) { return median(rounds.end() - 2 * third, rounds.end() - third, value); };
  const auto after = [&](std::int64_t Footprint::*value) { return median(rounds.end() - third, rounds.end(), value); };
  std::string text;
  for (const Figure& figure : kFigures) {
    std::int64_t allowance = figure.allowance;
    if (figure.value == &Footprint::resident) {
      // Sanitizers keep what was freed, and a shadow of all that ever was.
      if (kSanitized) continue;
      // What the engine holds has bounds of its own.
      for (const auto held : {&Footprint::pinned, &Footprint::device})
        allowance += std::max<std::int64_t>(after(held) - before(held), 0);
    }
    if (after(figure.value) > before(figure.value) + allowance)
      text.append(text.empty() ? "" : "; ")
          .append(figure.name)
          .append(" grow: " + std::to_string(before(figure.value)))
          .append(" in the second third of the rounds, " + std::to_string(after(figure.value)) + " in the last");
  }
  return text;
}

}  // namespace gpuaes::test
