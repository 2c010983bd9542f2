// The trace: a line for each call that was large enough to be decided upon, in the file that the setting `trace` names. Off, it
// costs such a call two branches and two probes, and smaller calls nothing.
#pragma once

#include "probes.h"
#include "reason.h"
#include "route.h"

#include <chrono>
#include <string>

namespace gpuaes {

// How a call was decided upon.
struct Decision {
  std::string algorithm;
  std::size_t bytes = 0;
  MemoryKind in = MemoryKind::ordinary;
  MemoryKind out = MemoryKind::ordinary;
  std::string route;  // empty: not by the device
  Reason reason = Reason::too_small;
  double device_seconds = 0;  // as the rates have it
  double cpu_seconds = 0;
};

class Trace {
 public:
  // `file` may contain %p for the process id; "-" is standard error; empty or one that can't be opened is no trace.
  explicit Trace(const std::string& file);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  bool on() const noexcept { return file_ >= 0; }
  // One write for the whole line, so that those of several threads and processes don't mix.
  void write(const Decision& decision, std::chrono::nanoseconds took) const noexcept;

 private:
  int file_ = -1;
};

// A call under way; its line is written at the end. `describe` returns the Decision and is asked then, if there is a trace.
template <typename Describe>
class TracedCall {
 public:
  TracedCall(const Trace& trace, std::size_t bytes, const Reason& reason, Describe describe)
      : trace_(trace), bytes_(bytes), reason_(reason), describe_(describe)
  {
    GPUAES_PROBE_BEGIN(bytes_);
    if (trace_.on()) begun_ = Clock::now();
  }
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;
  ~TracedCall()
  {
    GPUAES_PROBE_END(bytes_, static_cast<int>(reason_));
    if (trace_.on()) write(Clock::now() - begun_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void write(std::chrono::nanoseconds took) noexcept
  {
    try {
      trace_.write(describe_(), took);
    } catch (const std::exception&) {
      // Out of memory: the call matters, its line doesn't.
    }
  }

  const Trace& trace_;
  const std::size_t bytes_;
  const Reason& reason_;
  Describe describe_;
  Clock::time_point begun_{};
};

}  // namespace gpuaes
