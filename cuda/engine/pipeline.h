// Carries one request over the device, chunk by chunk, along a given route. The caller's thread and its helpers each keep a few
// chunks in flight and take the next one when the oldest has landed; until then they do pieces of the request by themselves, so
// that processors and device finish it side by side, each at its own speed, whatever else they have to do.
//
// Invariant: the caller's output is written only for chunks whose result is complete and checked, or to memory apart from the
// input. So whatever goes wrong, the input of every chunk that isn't finished is intact. The one exception is data that a kernel
// changes in place, where it is the only copy; input_destroyed() tells. Nor may memory run out between a chunk's last step and the
// note that it is done, or it would be done twice: room for the note is made first.
#pragma once

#include "helpers.h"
#include "lanes.h"
#include "request.h"
#include "route.h"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace gpuaes {

struct Range {
  std::size_t offset;
  std::size_t bytes;
};

class Pipeline {
 public:
  // `patient`: waits for a lane when all are in use, instead of leaving the work undone.
  Pipeline(Device& device, LanePool& lanes, const AesRequest& request, const Offer& offer, const Route& route,
           std::size_t check_area, bool patient);

  void run(Helpers& helpers);

  // What run() left undone, in order.
  std::vector<Range> unfinished() const;
  // How much of the rest the processor did.
  std::size_t bytes_by_processor() const { return bytes_by_processor_.load(); }
  // Why, if it was an error; having found no free lane is none.
  const std::optional<DeviceError>& error() const { return error_; }
  bool found_wrong_result() const { return wrong_result_; }
  // Whether what is unfinished can't be done again.
  bool input_destroyed() const { return input_destroyed_; }

 private:
  struct Flight;
  struct Lanes;
  enum class Landing { awaited, if_arrived };

  void work(int most_lanes) noexcept;
  void fly(Lanes& lanes);
  bool add_lane(Lanes& lanes);
  std::size_t next_chunk() const;
  bool take_off(Lanes& lanes);
  bool land(Lanes& lanes, Landing landing);
  void abandon(Flight& flight) noexcept;
  void do_piece(std::size_t leave);
  Range claim(std::size_t bytes, std::size_t leave);
  void start(Flight& flight);
  void finish(Flight& flight);
  void check(const Flight& flight);
  Range sample_of(Range range) const;
  void make_room_for_note();
  void note_done(Range range) noexcept;
  void note_error(DeviceError::Kind kind, const char* what) noexcept;
  std::uint8_t* slot_of(const Lane& lane) const;

  Device& device_;
  LanePool& lanes_;
  const AesRequest& request_;
  const Offer offer_;
  const Route route_;
  const std::size_t check_area_;  // at the start of each lane's pinned buffer
  const bool patient_;
  const bool changes_in_place_;  // the device overwrites the only copy of its input
  const bool keeps_input_;       // what is checked is copied before it can change
  const bool uses_pinned_;
  std::atomic<std::size_t> next_{0};  // all bytes before it have been claimed by a thread
  std::atomic<std::size_t> bytes_by_processor_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // for what follows
  std::vector<Range> done_;
  std::size_t rooms_for_notes_ = 0;  // at least as many as chunks and pieces have been begun
  std::optional<DeviceError> error_;
  bool wrong_result_ = false;
  bool input_destroyed_ = false;
};

}  // namespace gpuaes
