#include "host_faults.h"

#include <atomic>
#include <string>

namespace gpuaes::host_faults {
namespace {

Plan plan;
std::atomic<std::size_t> counted_calls{0};
std::atomic<std::size_t> counted_jobs{0};

bool is_due()
{
  const std::size_t call = counted_calls.fetch_add(1) + 1;
  if (plan.fail_at == 0) return false;
  return plan.kind == DeviceError::Kind::lost ? call >= plan.fail_at : call == plan.fail_at;
}

}  // namespace

void set(const Plan& next)
{
  plan = next;
  counted_calls.store(0);
  counted_jobs.store(0);
}

std::size_t calls() noexcept { return counted_calls.load(); }

void fail(const char* operation) { throw DeviceError(plan.kind, std::string("Fault injected into ") + operation); }

void count_call(const char* operation)
{
  if (is_due()) fail(operation);
}

bool count_queued(const char* operation)
{
  if (!is_due()) return false;
  if (!plan.when_executed) fail(operation);
  return true;
}

bool count_job_to_corrupt() noexcept { return counted_jobs.fetch_add(1) + 1 == plan.corrupt_job; }

}  // namespace gpuaes::host_faults
