#include "rings.h"

#include "blocked_signals.h"

#include <algorithm>
#include <utility>

namespace gpuaes {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

// A ring that wasn't used for so long may be given to somebody else.
constexpr auto kSleepsAfter = 1s;
// While it waits for the device, the thread looks around this often: keystream takes some 100 us a slot. If it waits for long,
// because the device is busy with something else, it looks after an eighth more of the time it has waited, and at least this often.
constexpr auto kLooksEvery = 50us;
constexpr auto kLooksAtLeastEvery = 5ms;
// And as often, for so long, for the next call, if the last two came so soon after each other: a stream that gets all it needs uses
// a slot up in 0.2 ms. For others the thread sleeps in between: to wake up by itself takes it tens of microseconds of a processor.
constexpr auto kStaysAwake = 400us;
// A stream that has enough to go on with calls before that, or makes a pause: in which what comes is to be found.
constexpr auto kLooksInAPauseAfter = 2ms;
// What close() grants a thread that is in the middle of a call, and the device.
constexpr auto kCloseWaits = 500ms;

}  // namespace

Rings::~Rings()
{
  close();
  if (thread_.joinable()) thread_.join();
  for (const Member& member : members_) member.ring->dismantle();
}

bool Rings::add(Device& device, std::shared_ptr<KeystreamRing> ring, std::size_t most)
{
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  std::size_t in_use = 0;
  for (Member& member : members_) {
    if (member.ring->retired()) member.step = Step::to_dismantle;  // its context hasn't noticed yet
    if (member.step != Step::to_dismantle) ++in_use;
  }
  if (in_use >= most && !take_from_a_sleeper()) return false;
  if (!thread_.joinable()) start_thread();
  device_ = &device;
  members_.push_back({.ring = std::move(ring)});
  news_ = true;
  changed_.notify_all();
  return true;
}

void Rings::start_thread()
{
  const BlockedSignals blocked;
  thread_ = std::thread([this] { serve(); });
}

// Retires a ring that nobody has used since it was last looked at, a while ago. Locked by the caller.
bool Rings::take_from_a_sleeper()
{
  const steady_clock::time_point now = steady_clock::now();
  for (Member& member : members_) {
    if (member.step != Step::in_use) continue;
    const std::uint64_t claims = member.ring->claims();
    if (claims != member.claims_seen || member.seen == steady_clock::time_point{}) {
      member.claims_seen = claims;
      member.seen = now;
    } else if (now - member.seen >= kSleepsAfter && member.ring->retire_if_open()) {
      member.step = Step::to_dismantle;
      return true;
    }
  }
  return false;
}

void Rings::drop(const std::shared_ptr<KeystreamRing>& ring) noexcept
{
  ring->retire();
  const std::lock_guard lock(mutex_);
  const auto member = std::find_if(members_.begin(), members_.end(), [&](const Member& other) { return other.ring == ring; });
  if (member == members_.end()) return;
  member->step = Step::to_dismantle;
  news_ = true;
  changed_.notify_all();
}

// A system call only where the thread sleeps: it takes as long as 40 KiB of keystream.
void Rings::call_for_fill() noexcept
{
  call_for_fill_.store(true);
  if (!asleep_.load()) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void Rings::serve() noexcept
{
  std::unique_lock lock(mutex_);
  Again again = Again::never;
  steady_clock::time_point last_call{};
  steady_clock::duration between_calls{};
  const auto called = [this] { return closed_ || news_ || call_for_fill_.load(); };
  for (;;) {
    const steady_clock::duration since_call = steady_clock::now() - last_call;
    if (again == Again::soon || std::max(since_call, between_calls) < kStaysAwake) {
      changed_.wait_for(lock, std::clamp<steady_clock::duration>(since_call / 8, kLooksEvery, kLooksAtLeastEvery), called);
    } else {
      asleep_.store(true);  // before the last look for a call
      if (again == Again::some_time)
        changed_.wait_for(lock, kLooksInAPauseAfter, called);
      else
        changed_.wait(lock, called);
      asleep_.store(false);
    }
    if (closed_) return;
    if (call_for_fill_.exchange(false) || std::exchange(news_, false)) {
      const steady_clock::time_point now = steady_clock::now();
      between_calls = now - std::exchange(last_call, now);
    }
    busy_ = true;
    again = serve_members(lock);
    busy_ = false;
    changed_.notify_all();
  }
}

// Takes each a step further. Leaves the lock meanwhile.
Rings::Again Rings::serve_members(std::unique_lock<std::mutex>& lock) noexcept
{
  Again again = Again::never;
  for (std::size_t i = 0; i < members_.size() && !closed_;) {
    const std::shared_ptr<KeystreamRing> ring = members_[i].ring;
    const Step step = members_[i].step;
    Device& device = *device_;
    lock.unlock();
    bool gone = false;
    bool furnished = false;
    if (step == Step::to_dismantle) {
      gone = ring->dismantle_if_done();
      if (!gone) again = Again::soon;
    } else if (step == Step::to_furnish && !furnish(*ring, device)) {
      ring->retire();
      gone = ring->dismantle_if_done();
      if (!gone) again = Again::soon;
    } else {
      furnished = true;
      if (ring->fill()) again = std::max(again, ring->runs_low() ? Again::soon : Again::some_time);
    }
    lock.lock();
    if (furnished && members_[i].step == Step::to_furnish) members_[i].step = Step::in_use;
    if (gone)
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  return again;
}

// Without a ring, for want of memory or of a device, its stream goes on as before.
bool Rings::furnish(KeystreamRing& ring, Device& device) noexcept
{
  try {
    if (!ring.furnish(device, lanes_)) return false;
  } catch (const std::exception&) {
    return false;
  }
  counters_.rings_started.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Rings::close() noexcept
{
  const steady_clock::time_point deadline = steady_clock::now() + kCloseWaits;
  std::unique_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
  if (!changed_.wait_until(lock, deadline, [this] { return !busy_; })) return;
  // The thread is done with them, and there will be no more.
  lock.unlock();
  const auto is_left = [](const Member& member) {
    if (!member.ring->retired() && !member.ring->retire_if_open()) member.ring->cancel();
    return !member.ring->retired() || !member.ring->dismantle_if_done();
  };
  while (std::count_if(members_.begin(), members_.end(), is_left) > 0 && steady_clock::now() < deadline) std::this_thread::yield();
}

}  // namespace gpuaes
