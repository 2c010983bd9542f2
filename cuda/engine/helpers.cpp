#include "helpers.h"

#include "blocked_signals.h"

#include <algorithm>
#include <exception>

namespace gpuaes {

Helpers::~Helpers()
{
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Helpers::share(int count, const std::function<void()>& work)
{
  Invitation invitation{&work, std::min(count, limit_)};
  if (invitation.places <= 0) return work();
  {
    const std::lock_guard lock(mutex_);
    start_missing_threads(invitation.places);
    open_.push_back(&invitation);
    changed_.notify_all();
  }
  work();
  std::unique_lock lock(mutex_);
  std::erase(open_, &invitation);
  changed_.wait(lock, [&] { return invitation.active == 0; });
}

void Helpers::start_missing_threads(int wanted)
{
  const BlockedSignals blocked;
  try {
    while (threads_.size() < static_cast<std::size_t>(wanted)) threads_.emplace_back([this] { serve(); });
  } catch (const std::exception&) {
    // Fewer helpers, or none: the caller does the work.
  }
}

void Helpers::serve()
{
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !open_.empty(); });
    if (stop_) return;
    Invitation& invitation = *open_.front();
    ++invitation.active;
    busy_.fetch_add(1, std::memory_order_relaxed);
    if (--invitation.places == 0) open_.pop_front();
    lock.unlock();
    (*invitation.work)();
    lock.lock();
    // The work is done whenever one call of it has returned.
    std::erase(open_, &invitation);
    --invitation.active;
    busy_.fetch_sub(1, std::memory_order_relaxed);
    changed_.notify_all();
  }
}

}  // namespace gpuaes
