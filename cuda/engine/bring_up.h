// From no device to a tested one, in the background, and what became of it. The state is one atomic that every thread reads.
#pragma once

#include "device.h"
#include "process.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace gpuaes {

enum class State : std::uint8_t {
  idle,      // no work has asked for a device yet
  starting,  // a thread is bringing it up
  ready,
  absent,  // there is none that can be used
  lost,    // there was one
  forked,  // it belongs to the parent process
};

const char* name_of(State state);

class BringUp {
 public:
  // `test` is given the opened device and throws DeviceError if it doesn't work. `changed` is called after every change of state,
  // from whichever thread caused it.
  BringUp(Platform& platform, std::vector<int> ordinals, std::function<void(Device&)> test, std::function<void()> changed);
  // Waits for the thread to reach the end of its stage.
  ~BringUp();
  BringUp(const BringUp&) = delete;
  BringUp& operator=(const BringUp&) = delete;

  State state() const noexcept;
  // One sentence: why the state is what it is.
  std::string reason() const;
  // Nothing until it is ready.
  std::optional<DeviceInfo> device_info() const;
  // The device's name once it is ready, else empty.
  std::string device_name() const;

  // Starts the thread unless that was done before.
  void start();
  // Waits until the state is settled, if the thread was started.
  void wait();
  // The same for so long at most.
  void wait_for(std::chrono::seconds longest);
  // Ready -> lost.
  void lose(const std::string& reason);

  // The device. Only in state ready, or for cleaning up after it.
  Device* device() const { return device_.get(); }

  // Tells the thread to stop at the end of its stage and waits until it has, within reason.
  void stop() noexcept;

 private:
  void run();
  void settle(State state, const std::string& reason);
  // Locked by the caller.
  bool is_settled() const { return !running_ && state_.load() != State::starting; }

  Platform& platform_;
  const std::vector<int> ordinals_;
  const std::function<void(Device&)> test_;
  const std::function<void()> changed_;
  std::unique_ptr<Device> device_;
  mutable std::mutex mutex_;
  std::condition_variable settled_;
  std::string reason_;  // in all states but the first
  std::thread thread_;
  bool running_ = false;
  std::atomic<bool> stop_{false};
  // A child may use what was never started in its parent: state() then adopts it.
  mutable std::atomic<unsigned> generation_{fork_generation()};
  mutable std::atomic<State> state_{State::idle};
};

}  // namespace gpuaes
