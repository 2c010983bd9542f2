// The device of one search: brought up in the background when there is enough work for it, tried out, given the patterns, and
// memory for what is on its way to it.
#pragma once

#include "engine/bring_up.h"
#include "engine/buffer.h"
#include "engine/match_plan.h"
#include "flight_memory.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuaes::match {

class Accelerator {
 public:
  // `more_than_matching`: whether it will decrypt too, or compute CRCs. `feeders`: the threads that it gets memory for.
  Accelerator(std::unique_ptr<Platform> platform, std::vector<int> ordinals, std::shared_ptr<const MatchPlan> plan,
              bool more_than_matching, const FlightSizes& sizes, int feeders);
  ~Accelerator() { bring_up_.stop(); }  // it may be about to write the tables, which go first
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;

  // Both may be called at any time and from any thread.
  void start() { bring_up_.start(); }
  void wait() { bring_up_.wait(); }

  bool is_ready() const { return bring_up_.state() == State::ready; }
  bool was_started() const { return bring_up_.state() != State::idle; }
  std::string reason() const { return bring_up_.reason(); }
  std::string name() const { return bring_up_.device_name(); }
  // The device failed; it isn't used any more.
  void give_up(const DeviceError& error) { bring_up_.lose(error.what()); }

  // Once it is ready.
  Device& device() const { return *bring_up_.device(); }
  FlightMemory& flights() { return *flights_; }
  MatchTables tables() const { return plan_->tables_at(tables_.data()); }

 private:
  void try_out(Device& device);

  const std::unique_ptr<Platform> platform_;
  const std::shared_ptr<const MatchPlan> plan_;
  const bool more_than_matching_;
  const FlightSizes sizes_;
  const int feeders_;
  BringUp bring_up_;
  // After the device that they are of, so that they go first.
  Buffer tables_;
  std::optional<FlightMemory> flights_;
};

}  // namespace gpuaes::match
