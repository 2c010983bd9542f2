#include "process.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace gpuaes {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<ExitListener*> listeners;
};

// Leaked on purpose: exit handlers run after the destructors of static objects.
std::atomic<Registry*> current_registry{nullptr};

Registry& registry()
{
  if (current_registry.load() == nullptr) {
    auto* fresh = new Registry;
    Registry* none = nullptr;
    if (!current_registry.compare_exchange_strong(none, fresh)) delete fresh;
  }
  return *current_registry.load();
}

std::atomic<unsigned> generation{0};
std::atomic<bool> exiting{false};

void count_fork()
{
  generation.fetch_add(1, std::memory_order_relaxed);
  // Another thread of the parent may have held the lock: the child makes a registry of its own when it needs one.
  current_registry.store(nullptr);
}

void tell_listeners()
{
  exiting.store(true);
  const std::lock_guard lock(registry().mutex);
  for (ExitListener* listener : registry().listeners) listener->on_exit();
  registry().listeners.clear();
}

// exit() destroys the thread_local objects of the thread that calls it before it runs any handler. On other threads than the main
// one that happens when just they end.
struct ToldOfExit {
  ~ToldOfExit() { tell_listeners(); }
};

}  // namespace

unsigned fork_generation() noexcept
{
  static const bool registered = pthread_atfork(nullptr, nullptr, count_fork) == 0;
  static_cast<void>(registered);
  return generation.load(std::memory_order_relaxed);
}

bool process_is_exiting() noexcept { return exiting.load(); }

void add_exit_listener(ExitListener& listener)
{
  const std::lock_guard lock(registry().mutex);
  auto& listeners = registry().listeners;
  if (std::find(listeners.begin(), listeners.end(), &listener) == listeners.end()) listeners.push_back(&listener);
}

void remove_exit_listener(ExitListener& listener)
{
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().listeners, &listener);
}

void hear_exit_of_this_thread()
{
  if (gettid() != getpid()) return;
  thread_local ToldOfExit told;
  static_cast<void>(&told);
}

void hear_exit_before_handlers_so_far() { std::atexit(tell_listeners); }

}  // namespace gpuaes
