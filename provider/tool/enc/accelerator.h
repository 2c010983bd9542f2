// The device of one run: brought up in the background when there is enough work for it, with the memory that its feeders use.
#pragma once

#include "engine/bring_up.h"
#include "flight.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuaes::enc {

class Accelerator {
 public:
  // `bytes` of each piece that goes to the device.
  Accelerator(std::unique_ptr<Platform> platform, std::vector<int> ordinals, std::size_t bytes);
  ~Accelerator() { bring_up_.stop(); }
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;

  // All may be called at any time and from any thread.
  void start() { bring_up_.start(); }
  void wait() { bring_up_.wait(); }
  bool is_ready() const { return bring_up_.state() == State::ready; }
  bool was_started() const { return bring_up_.state() != State::idle; }
  std::string reason() const { return bring_up_.reason(); }
  std::string name() const { return bring_up_.device_name(); }
  // The device failed; it isn't used any more.
  void give_up(const DeviceError& error) { bring_up_.lose(error.what()); }

  // Once it is ready. What was lent before, or new. Throws DeviceError.
  std::unique_ptr<Flights> borrow();
  void give_back(std::unique_ptr<Flights> flights);

  std::uint64_t bytes_done() const { return bytes_done_.load(); }
  void add_done(std::uint64_t bytes) { bytes_done_.fetch_add(bytes); }

 private:
  const std::unique_ptr<Platform> platform_;
  const std::size_t bytes_;
  BringUp bring_up_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Flights>> idle_;  // after the device that they are of, so that they go first
  std::atomic<std::uint64_t> bytes_done_{0};
};

}  // namespace gpuaes::enc
