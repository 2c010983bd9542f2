#include "host_faults.h"

#include <condition_variable>
#include <mutex>
#include <string>

namespace gpuaes::host_faults {
namespace {

// Work that was queued under one plan may still be under way when the next is set.
std::mutex mutex;
std::condition_variable plan_changed;
Plan plan;
std::size_t counted_calls = 0;
std::size_t counted_jobs = 0;
std::size_t numbered_devices = 0;

bool is_for(std::size_t device) { return plan.device == 0 || plan.device == device; }

bool is_due(std::size_t device)
{
  if (!is_for(device)) return false;
  const std::size_t call = ++counted_calls;
  if (plan.fail_at == 0) return false;
  return plan.kind == DeviceError::Kind::lost ? call >= plan.fail_at : call == plan.fail_at;
}

[[noreturn]] void fail_as(DeviceError::Kind kind, const char* operation)
{
  throw DeviceError(kind, std::string("Fault injected into ") + operation);
}

}  // namespace

void set(const Plan& next)
{
  const std::lock_guard lock(mutex);
  plan = next;
  counted_calls = 0;
  counted_jobs = 0;
  plan_changed.notify_all();
}

std::size_t calls() noexcept
{
  const std::lock_guard lock(mutex);
  return counted_calls;
}

std::size_t last_device() noexcept
{
  const std::lock_guard lock(mutex);
  return numbered_devices;
}

std::size_t number_device() noexcept
{
  const std::lock_guard lock(mutex);
  return ++numbered_devices;
}

void fail(const char* operation)
{
  const std::lock_guard lock(mutex);
  fail_as(plan.kind, operation);
}

void count_call(std::size_t device, const char* operation)
{
  const std::lock_guard lock(mutex);
  if (is_due(device)) fail_as(plan.kind, operation);
}

bool count_queued(std::size_t device, const char* operation)
{
  const std::lock_guard lock(mutex);
  if (!is_due(device)) return false;
  if (!plan.when_executed) fail_as(plan.kind, operation);
  return true;
}

bool count_job_to_corrupt(std::size_t device) noexcept
{
  const std::lock_guard lock(mutex);
  return is_for(device) && ++counted_jobs == plan.corrupt_job;
}

void wait_while_calls_are_held(std::size_t device) noexcept
{
  std::unique_lock lock(mutex);
  plan_changed.wait(lock, [=] { return !plan.hold_calls || !is_for(device); });
}

void wait_while_held(std::size_t device) noexcept
{
  std::unique_lock lock(mutex);
  plan_changed.wait(lock, [=] { return !plan.hold || !is_for(device); });
}

}  // namespace gpuaes::host_faults
