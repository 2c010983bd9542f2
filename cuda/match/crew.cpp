#include "crew.h"

#include "engine/blocked_signals.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuaes::match {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(200);

// A SIGBUS that is blocked ends the process, whoever would hear it.
void hear_own_signals()
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGBUS);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

void run_crew(int threads, const std::function<void(int)>& work, const std::function<void()>& look)
{
  std::mutex mutex;
  std::condition_variable ended;
  int working = threads;
  std::vector<std::thread> all;
  {
    const BlockedSignals blocked;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([&, i] {
        hear_own_signals();
        work(i);
        const std::lock_guard lock(mutex);
        --working;
        ended.notify_all();
      });
  }
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, kLookEvery, [&] { return working == 0; })) {
    lock.unlock();
    look();
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : all) thread.join();
}

}  // namespace gpuaes::match
