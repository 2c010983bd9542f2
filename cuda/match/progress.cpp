#include "progress.h"

#include <cstdio>

namespace gpuaes::match {
namespace {

constexpr std::chrono::seconds kQuiet{2};
constexpr const char* kStartOfEmptyLine = "\r\033[K";

}  // namespace

void Progress::show(std::uint64_t done)
{
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  if (elapsed < kQuiet) return;
  shown_ = true;
  const double bytes = static_cast<double>(done);
  const double rate = bytes / std::chrono::duration<double>(elapsed).count() / 1e9;
  if (total_ > 0)
    std::fprintf(stderr, "%s%3.0f %% of %.1f GB, %.1f GB/s", kStartOfEmptyLine, 100 * bytes / static_cast<double>(total_),
                 static_cast<double>(total_) / 1e9, rate);
  else
    std::fprintf(stderr, "%s%.1f GB, %.1f GB/s", kStartOfEmptyLine, bytes / 1e9, rate);
}

void Progress::clear()
{
  if (shown_) std::fputs(kStartOfEmptyLine, stderr);
}

}  // namespace gpuaes::match
