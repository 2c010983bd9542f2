#include "bring_up.h"

#include "blocked_signals.h"
#include "why_unusable.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace gpuaes {
namespace {

struct Stopped {};

// A stage takes a fraction of a second. A driver that hangs must not keep a process from ending.
constexpr std::chrono::seconds kLongestStage{10};

}  // namespace

const char* name_of(State state)
{
  constexpr const char* kNames[] = {"idle", "starting", "ready", "absent", "lost", "forked"};
  return kNames[static_cast<std::size_t>(state)];
}

BringUp::BringUp(Platform& platform, std::vector<int> ordinals, std::function<void(Device&)> test, std::function<void()> changed)
    : platform_(platform), ordinals_(std::move(ordinals)), test_(std::move(test)), changed_(std::move(changed))
{
}

BringUp::~BringUp()
{
  stop();
  if (thread_.joinable()) thread_.join();
}

State BringUp::state() const noexcept
{
  const unsigned now = fork_generation();
  if (generation_.load(std::memory_order_relaxed) != now) {
    State expected = State::idle;
    if (!state_.compare_exchange_strong(expected, State::idle)) state_.store(State::forked);
    generation_.store(now, std::memory_order_relaxed);
  }
  return state_.load(std::memory_order_acquire);
}

// In a child that was forked while a thread of its parent held the lock, the state is one of the first two.
std::string BringUp::reason() const
{
  if (state() == State::forked) return why::kForked;
  if (state() == State::idle) return why::kIdle;
  const std::lock_guard lock(mutex_);
  return reason_;
}

std::optional<DeviceInfo> BringUp::device_info() const
{
  if (state() != State::ready) return std::nullopt;
  return device_->info();
}

std::string BringUp::device_name() const { return state() == State::ready ? device_->info().name : std::string(); }

void BringUp::start()
{
  if (state() != State::idle || stop_.load()) return;
  // Before the lock is taken: a child that is forked meanwhile must not take this for idle, and wait for the lock.
  State idle = State::idle;
  if (!state_.compare_exchange_strong(idle, State::starting)) return;
  {
    const std::lock_guard lock(mutex_);
    reason_ = "The device is being brought up.";
    const BlockedSignals blocked;
    hear_exit_of_this_thread();
    hear_exit_before_handlers_so_far();
    try {
      thread_ = std::thread([this] { run(); });
      running_ = true;
    } catch (const std::system_error& error) {
      reason_ = std::string(why::kNoThread) + ": " + error.what();
      state_.store(State::absent);
      settled_.notify_all();
    }
  }
  changed_();
}

void BringUp::wait()
{
  if (state() == State::forked) return;
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [this] { return is_settled(); });
}

void BringUp::wait_for(std::chrono::seconds longest)
{
  if (state() == State::forked) return;
  std::unique_lock lock(mutex_);
  settled_.wait_for(lock, longest, [this] { return is_settled(); });
}

void BringUp::run()
{
  try {
    const auto between_stages = [this] {
      hear_exit_before_handlers_so_far();
      if (stop_.load() || process_is_exiting()) throw Stopped{};
    };
    device_ = platform_.open(ordinals_, between_stages);
    between_stages();
    test_(*device_);
    between_stages();
    settle(State::ready, "The device passed its known-answer tests.");
  } catch (const Stopped&) {
    settle(State::absent, "Bring-up was stopped.");
  } catch (const std::exception& error) {
    settle(State::absent, error.what());
  }
}

void BringUp::settle(State state, const std::string& reason)
{
  {
    const std::lock_guard lock(mutex_);
    reason_ = reason;
    state_.store(state, std::memory_order_release);
  }
  changed_();
  const std::lock_guard lock(mutex_);
  running_ = false;
  settled_.notify_all();
}

void BringUp::lose(const std::string& reason)
{
  {
    const std::lock_guard lock(mutex_);
    State ready = State::ready;
    if (!state_.compare_exchange_strong(ready, State::lost)) return;
    reason_ = reason;
  }
  changed_();
}

void BringUp::stop() noexcept
{
  stop_.store(true);
  std::unique_lock lock(mutex_);
  settled_.wait_for(lock, kLongestStage, [this] { return is_settled(); });
}

}  // namespace gpuaes
