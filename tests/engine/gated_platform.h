// A platform that can be stopped while it opens its device, to look at what happens meanwhile.
#pragma once

#include "engine/device.h"

#include <condition_variable>
#include <functional>
#include <mutex>

namespace gpuaes::test {

// Opens the stand-in, but not before it is let through.
class GatedPlatform final : public Platform {
 public:
  DevicePointers device_pointers() const noexcept override { return real_->device_pointers(); }
  MemoryPlace place_of(const void* memory) const noexcept override { return real_->place_of(memory); }

  Software software() const override { return real_->software(); }

  std::unique_ptr<Device> open(std::span<const int> ordinals, const std::function<void()>& between_stages) override
  {
    {
      std::unique_lock lock(mutex_);
      entered_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return open_; });
    }
    between_stages();
    return real_->open(ordinals, between_stages);
  }

  void wait_until_entered()
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return entered_; });
  }

  void let_through()
  {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::unique_ptr<Platform> real_ = make_host_platform();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool entered_ = false;
  bool open_ = false;
};

}  // namespace gpuaes::test
