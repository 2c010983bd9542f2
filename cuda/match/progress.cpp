#include "progress.h"

#include <algorithm>
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
  const double bytes = static_cast<double>(done), total = static_cast<double>(total_);
  const double rate = bytes / std::chrono::duration<double>(elapsed).count();
  if (total_ > 0)
    std::fprintf(stderr, "%s%3.0f %% of %.1f GB, %.1f GB/s, %.0f s left", kStartOfEmptyLine, 100 * bytes / total, total / 1e9,
                 rate / 1e9, rate > 0 ? std::max(total - bytes, 0.0) / rate : 0);
  else
    std::fprintf(stderr, "%s%.1f GB, %.1f GB/s", kStartOfEmptyLine, bytes / 1e9, rate / 1e9);
}

void Progress::clear()
{
  if (shown_) std::fputs(kStartOfEmptyLine, stderr);
}

}  // namespace gpuaes::match
