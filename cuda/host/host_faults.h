// Makes the stand-in fail on purpose. One plan for the process; tests set it while no device is at work.
#pragma once

#include "../engine/device.h"

#include <cstddef>

namespace gpuaes::host_faults {

struct Plan {
  std::size_t fail_at = 0;                             // the call of the stand-in that fails, counted from 1; 0 = none
  DeviceError::Kind kind = DeviceError::Kind::failed;  // lost = all later calls fail too
  bool when_executed = false;                          // queued work fails half way through instead of being refused
  std::size_t corrupt_job = 0;                         // the job, counted from 1, whose output is wrong in every block; 0 = none
  bool hold = false;                                   // queued work isn't begun before the next set(), as on a busy device
  bool hold_calls = false;                             // nor does an allocation return
};

void set(const Plan& plan);
// Calls since the last set().
std::size_t calls() noexcept;

// For the stand-in. Counts a call and throws if it is one that shall fail at once.
void count_call(const char* operation);
// The same for work that is queued; returns whether it shall fail when it is executed.
bool count_queued(const char* operation);
bool count_job_to_corrupt() noexcept;
void wait_while_held() noexcept;
void wait_while_calls_are_held() noexcept;
[[noreturn]] void fail(const char* operation);

}  // namespace gpuaes::host_faults
