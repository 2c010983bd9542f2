// Threads that help with one large call. They are started by the first call that invites them and sleep in between.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuaes {

class Helpers {
 public:
  explicit Helpers(int threads) : limit_(threads) {}
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  // How many have nothing to do now.
  int idle() const noexcept { return limit_ - busy_.load(std::memory_order_relaxed); }

  // Lets up to `count` idle helpers call `work` while the caller calls it too; returns when every call has returned.
  // `work` must not throw, and must return at once when nothing is left to do.
  void share(int count, const std::function<void()>& work);

 private:
  struct Invitation {
    const std::function<void()>* work;
    int places;
    int active = 0;
  };

  void serve();
  void start_missing_threads(int wanted);

  const int limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Invitation*> open_;
  std::vector<std::thread> threads_;
  bool stop_ = false;
  std::atomic<int> busy_{0};
};

}  // namespace gpuaes
