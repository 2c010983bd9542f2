#include "rings.h"

#include "blocked_signals.h"

#include <algorithm>
#include <utility>

namespace gpuaes {
namespace {

using std::chrono::steady_clock;

// A ring that wasn't used for so long may be given to somebody else.
constexpr std::chrono::seconds kSleepsAfter{1};
// How long the thread sleeps while keystream is coming. A slot takes some 100 us.
constexpr std::chrono::microseconds kLooksEvery{50};
// What close() grants a thread that is in the middle of a call.
constexpr std::chrono::milliseconds kCloseWaits{50};

std::shared_ptr<KeystreamRing> take_first(std::deque<std::shared_ptr<KeystreamRing>>& queue)
{
  std::shared_ptr<KeystreamRing> first = std::move(queue.front());
  queue.pop_front();
  return first;
}

}  // namespace

Rings::~Rings()
{
  close();
  if (thread_.joinable()) thread_.join();
}

bool Rings::add(Device& device, std::shared_ptr<KeystreamRing> ring, std::size_t most)
{
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  if (members_.size() >= most && !take_from_a_sleeper()) return false;
  if (!thread_.joinable()) start_thread();
  device_ = &device;
  members_.push_back({.ring = ring});
  to_furnish_.push_back(std::move(ring));
  changed_.notify_all();
  return true;
}

// Throws std::system_error. Locked by the caller.
void Rings::start_thread()
{
  const BlockedSignals blocked;
  thread_ = std::thread([this] { serve(); });
}

// Retires a ring that nobody has used since it was last looked at, a while ago. Locked by the caller.
bool Rings::take_from_a_sleeper()
{
  const steady_clock::time_point now = steady_clock::now();
  for (auto member = members_.begin(); member != members_.end(); ++member) {
    const std::uint64_t claims = member->ring->claims();
    if (claims != member->claims_seen || member->seen == steady_clock::time_point{}) {
      member->claims_seen = claims;
      member->seen = now;
    } else if (now - member->seen >= kSleepsAfter && member->ring->retire()) {
      to_dismantle_.push_back(std::move(member->ring));
      members_.erase(member);
      return true;
    }
  }
  return false;
}

void Rings::drop(const std::shared_ptr<KeystreamRing>& ring) noexcept
{
  const std::lock_guard lock(mutex_);
  // Retired already: by the call that failed, or by somebody else who has seen to the rest.
  const bool failed = std::erase_if(members_, [&](const Member& member) { return member.ring == ring; }) > 0 && ring->retired();
  if (!ring->retire() && !failed) return;
  to_dismantle_.push_back(ring);
  changed_.notify_all();
}

void Rings::call_for_fill() noexcept
{
  const std::lock_guard lock(mutex_);
  call_for_fill_ = true;
  changed_.notify_all();
}

void Rings::serve()
{
  std::unique_lock lock(mutex_);
  bool coming = false;
  for (;;) {
    const auto called = [this] { return closed_ || call_for_fill_ || !to_dismantle_.empty() || !to_furnish_.empty(); };
    if (coming)
      changed_.wait_for(lock, kLooksEvery, called);
    else
      changed_.wait(lock, called);
    if (closed_) return;
    busy_ = true;
    call_for_fill_ = false;
    // Memory is returned before more is asked for.
    const bool dismantling = !to_dismantle_.empty();
    auto& queue = dismantling ? to_dismantle_ : to_furnish_;
    if (!queue.empty()) {
      const std::shared_ptr<KeystreamRing> ring = take_first(queue);
      lock.unlock();
      if (dismantling)
        ring->dismantle();
      else
        furnish(*ring);
      lock.lock();
    }
    coming = fill_all(lock);
    busy_ = false;
    changed_.notify_all();
  }
}

void Rings::furnish(KeystreamRing& ring)
{
  try {
    if (ring.furnish(*device_, lanes_)) {
      counters_.rings_started.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  } catch (const DeviceError&) {
    // No memory, or no device: whoever uses it next will say so.
  }
  ring.retire();
  ring.dismantle();
}

// Whether some keystream is still coming. Leaves the lock meanwhile.
bool Rings::fill_all(std::unique_lock<std::mutex>& lock)
{
  std::vector<std::shared_ptr<KeystreamRing>> rings;
  for (const Member& member : members_)
    if (member.ring->is_furnished()) rings.push_back(member.ring);
  lock.unlock();
  bool coming = false;
  for (const auto& ring : rings) coming = ring->fill() || coming;
  lock.lock();
  return coming;
}

void Rings::close() noexcept
{
  std::unique_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !busy_; });
  const steady_clock::time_point deadline = steady_clock::now() + kCloseWaits;
  for (const Member& member : members_) {
    bool mine = member.ring->retire();
    while (!mine && !member.ring->retired() && steady_clock::now() < deadline) {
      std::this_thread::yield();
      mine = member.ring->retire();
    }
    if (mine || member.ring->retired()) to_dismantle_.push_back(member.ring);
  }
  members_.clear();
  to_furnish_.clear();
  for (const auto& ring : to_dismantle_) ring->dismantle();
  to_dismantle_.clear();
}

}  // namespace gpuaes
