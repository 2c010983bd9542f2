#include "trace.h"

#include "names.h"
#include "uncancelled.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

namespace gpuaes {

Trace::Trace(const std::string& file)
{
  if (file.empty()) return;
  if (file == "-") {
    file_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    return;
  }
  std::string name = file;
  for (std::size_t at = 0; (at = name.find("%p", at)) != std::string::npos;) name.replace(at, 2, std::to_string(getpid()));
  // A FIFO that isn't read loses lines, and holds nobody up.
  file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
}

Trace::~Trace()
{
  if (file_ >= 0) close(file_);
}

void Trace::write(const Decision& decision, std::chrono::nanoseconds took) const noexcept
{
  const Uncancelled uncancelled;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm utc{};
  gmtime_r(&now.tv_sec, &utc);
  char time[32];
  strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
  char line[512];
  const int length = std::snprintf(
      line, sizeof line,
      "time=%s.%06ldZ thread=%d algorithm=%s bytes=%zu in=%s out=%s route=%s reason=%s device=%.9f cpu=%.9f took=%.9f\n", time,
      now.tv_nsec / 1000, gettid(), decision.algorithm.c_str(), decision.bytes, name_of(decision.in), name_of(decision.out),
      decision.route.empty() ? "default" : decision.route.c_str(), name_of(decision.reason), decision.device_seconds,
      decision.cpu_seconds, static_cast<double>(took.count()) * 1e-9);
  if (length <= 0 || static_cast<std::size_t>(length) >= sizeof line) return;
  // A disk that is full is no reason to fail a call.
  if (::write(file_, line, static_cast<std::size_t>(length)) < 0) return;
}

}  // namespace gpuaes
