// All keystream rings of an engine: how many there may be, and the thread that makes, fills and dismantles them. So no caller waits
// for memory, or for the 25 us that it takes to give the device work.
#pragma once

#include "counters.h"
#include "keystream_ring.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuaes {

class Rings {
 public:
  Rings(LanePool& lanes, Counters& counters) : lanes_(lanes), counters_(counters) {}
  ~Rings();
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;

  // Takes a ring in; it can be claimed once it is furnished, some milliseconds later. False if `most` others are in use.
  bool add(Device& device, std::shared_ptr<KeystreamRing> ring, std::size_t most);
  // Wakes the thread: slots of a ring want to be filled.
  void call_for_fill() noexcept;
  // For the context that a ring belongs to: it isn't needed any more.
  void drop(const std::shared_ptr<KeystreamRing>& ring) noexcept;
  // Dismantles all of them; there can be no more afterwards.
  void close() noexcept;

 private:
  struct Member {
    std::shared_ptr<KeystreamRing> ring;
    // For finding out who sleeps: what was seen when somebody else last wanted a ring and there was none left.
    std::uint64_t claims_seen = 0;
    std::chrono::steady_clock::time_point seen{};
  };

  void serve();
  bool fill_all(std::unique_lock<std::mutex>& lock);
  void furnish(KeystreamRing& ring);
  bool take_from_a_sleeper();
  void start_thread();

  LanePool& lanes_;
  Counters& counters_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Member> members_;  // furnishing or open, as far as is known
  Device* device_ = nullptr;
  std::deque<std::shared_ptr<KeystreamRing>> to_furnish_;
  std::deque<std::shared_ptr<KeystreamRing>> to_dismantle_;
  bool call_for_fill_ = false;
  bool busy_ = false;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace gpuaes
