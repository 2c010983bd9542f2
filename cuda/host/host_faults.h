// Makes the stand-in fail on purpose. One plan for the process; tests set it while no device that it is for is at work.
#pragma once

#include "../engine/device.h"

#include <cstddef>

namespace gpuaes::host_faults {

struct Plan {
  std::size_t device = 0;                              // the only one that it is for, by its number; 0 = all
  std::size_t fail_at = 0;                             // the call of the stand-in that fails, counted from 1; 0 = none
  DeviceError::Kind kind = DeviceError::Kind::failed;  // lost = all later calls fail too
  bool when_executed = false;                          // queued work fails half way through instead of being refused
  std::size_t corrupt_job = 0;                         // the job, counted from 1, whose output is wrong in every block; 0 = none
  bool hold = false;                                   // queued work isn't begun before the next set(), as on a busy device
  bool hold_calls = false;                             // nor does an allocation return
};

void set(const Plan& plan);
// Calls since the last set(), of devices that it was for.
std::size_t calls() noexcept;
// The number of the device that was opened last, counted from 1.
std::size_t last_device() noexcept;

// For the stand-in. The number of a device that is being opened: it goes with everything that the device does.
std::size_t number_device() noexcept;
// Counts a call and throws if it is one that shall fail at once.
void count_call(std::size_t device, const char* operation);
// The same for work that is queued; returns whether it shall fail when it is executed.
bool count_queued(std::size_t device, const char* operation);
bool count_job_to_corrupt(std::size_t device) noexcept;
void wait_while_held(std::size_t device) noexcept;
void wait_while_calls_are_held(std::size_t device) noexcept;
[[noreturn]] void fail(const char* operation);

}  // namespace gpuaes::host_faults
