// All keystream rings of an engine: how many there may be, and the thread that makes, fills and dismantles them. So no caller waits
// for memory, or for the 25 us that it takes to give the device work. Nor does the thread ever wait for the device.
#pragma once

#include "counters.h"
#include "keystream_ring.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuaes {

class Rings {
 public:
  Rings(LanePool& lanes, Counters& counters) : lanes_(lanes), counters_(counters) {}
  // Waits for the device.
  ~Rings();
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;

  // Takes a ring in; it can be claimed once it is furnished, some milliseconds later. False if `most` others are in use. Throws
  // std::bad_alloc or std::system_error.
  bool add(Device& device, std::shared_ptr<KeystreamRing> ring, std::size_t most);
  // Has slots filled that were used up.
  void call_for_fill() noexcept;
  // For the context that a ring belongs to: it isn't needed any more.
  void drop(const std::shared_ptr<KeystreamRing>& ring) noexcept;
  // Retires all of them and dismantles those that nobody is using and the device isn't at work on, within half a second; there can
  // be no more afterwards.
  void close() noexcept;

 private:
  enum class Step : std::uint8_t { to_furnish, in_use, to_dismantle };
  // When the thread has to look again without being called.
  enum class Again : std::uint8_t { never, some_time, soon };

  struct Member {
    std::shared_ptr<KeystreamRing> ring;
    Step step = Step::to_furnish;
    // For finding out who sleeps: what was seen when somebody else last wanted a ring and there was none left.
    std::uint64_t claims_seen = 0;
    std::chrono::steady_clock::time_point seen{};
  };

  void serve() noexcept;
  Again serve_members(std::unique_lock<std::mutex>& lock) noexcept;
  bool furnish(KeystreamRing& ring, Device& device) noexcept;
  bool take_from_a_sleeper();
  void start_thread();

  LanePool& lanes_;
  Counters& counters_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Member> members_;  // whoever adds may lengthen it, only the thread shortens it
  Device* device_ = nullptr;
  bool news_ = false;  // somebody has to be furnished or dismantled
  bool busy_ = false;
  bool closed_ = false;
  std::atomic<bool> call_for_fill_{false};
  std::atomic<bool> asleep_{false};
  std::thread thread_;
};

}  // namespace gpuaes
