#include "pipeline.h"

#include "../core/secret_bytes.h"
#include "why_unusable.h"
#include "xor_bytes.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

namespace gpuaes {
namespace {

// The next chunk is at most this part of what is left.
constexpr std::size_t kShares = 4;

}  // namespace

struct Pipeline::Flight {
  LaneLease lane;
  Range range;
  bool queued = false;  // the device may have begun to write
};

// What one thread has. Once there is room for all, nothing here can fail.
struct Pipeline::Lanes {
  explicit Lanes(int most_lanes) noexcept : most(most_lanes) {}
  void make_room()
  {
    in_air.reserve(static_cast<std::size_t>(most));
    idle.reserve(static_cast<std::size_t>(most));
  }

  const int most;
  std::vector<Flight> in_air;  // the oldest first
  std::vector<LaneLease> idle;

  std::size_t size() const { return in_air.size() + idle.size(); }
};

Pipeline::Pipeline(Device& device, LanePool& lanes, const AesRequest& request, const Offer& offer, const Route& route,
                   std::size_t check_area, bool patient)
    : device_(device),
      lanes_(lanes),
      request_(request),
      offer_(offer),
      route_(route),
      check_area_(check_area),
      patient_(patient),
      changes_in_place_(offer.in_place && !route.drains_by_thread()),
      keeps_input_(route.check_bytes > 0 && (changes_in_place_ || !host_can_access(offer.in))),
      uses_pinned_(route.passes_through_threads() || keeps_input_ || (route.check_bytes > 0 && !host_can_access(offer.out)))
{
}

// Some block of a chunk, or all of it, is checked: another in each chunk.
Range Pipeline::sample_of(Range range) const
{
  if (route_.check_bytes >= range.bytes) return range;
  const std::uint64_t mixed = (range.offset / kBlockBytes + 1) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  const std::size_t block = (mixed >> 32) % (range.bytes / kBlockBytes);
  return {range.offset + block * kBlockBytes, route_.check_bytes};
}

void Pipeline::run(Helpers& helpers)
{
  const std::size_t least = route_.piece_bytes > 0 ? route_.piece_bytes : route_.chunk_bytes;
  const std::size_t shares = (request_.bytes + least - 1) / least;
  const auto useful = static_cast<int>(std::min<std::size_t>(shares - 1, static_cast<std::size_t>(route_.helpers)));
  const std::thread::id caller = std::this_thread::get_id();
  helpers.share(useful, [this, caller] {
    const bool flies = route_.helpers_fly || std::this_thread::get_id() == caller;
    work(flies ? route_.lanes_each : 0);
  });
  std::sort(done_.begin(), done_.end(), [](const Range& a, const Range& b) { return a.offset < b.offset; });
}

std::vector<Range> Pipeline::unfinished() const
{
  std::vector<Range> ranges;
  std::size_t at = 0;
  const auto add_up_to = [&](std::size_t end) {
    if (at < end) ranges.push_back({at, end - at});
  };
  for (const Range& done : done_) {
    add_up_to(done.offset);
    at = done.offset + done.bytes;
  }
  add_up_to(request_.bytes);
  return ranges;
}

void Pipeline::make_room_for_note()
{
  const std::lock_guard lock(mutex_);
  if (++rooms_for_notes_ > done_.capacity()) done_.reserve(2 * rooms_for_notes_);
}

void Pipeline::note_done(Range range) noexcept
{
  const std::lock_guard lock(mutex_);
  done_.push_back(range);
}

void Pipeline::note_error(DeviceError::Kind kind, const char* what) noexcept
{
  const std::lock_guard lock(mutex_);
  if (error_ && kind != DeviceError::Kind::lost) return;
  try {
    error_.emplace(kind, what);
  } catch (const std::bad_alloc&) {
    // Then what is unfinished is, for want of memory and without a message.
  }
}

void Pipeline::work(int most_lanes) noexcept
{
  Lanes lanes(most_lanes);
  try {
    lanes.make_room();
    fly(lanes);
    return;
  } catch (const DeviceError& error) {
    note_error(error.kind(), error.what());
  } catch (const std::bad_alloc& error) {
    note_error(DeviceError::Kind::out_of_memory, error.what());
  } catch (const std::exception& error) {
    note_error(DeviceError::Kind::failed, error.what());
  }
  failed_.store(true);
  // What is still in the air may write to memory that is about to be done again: let it land, all of it.
  while (!lanes.in_air.empty()) {
    try {
      land(lanes, Landing::awaited);
    } catch (const std::exception&) {
    }
  }
}

void Pipeline::fly(Lanes& lanes)
{
  while (!failed_.load()) {
    if (take_off(lanes)) continue;
    const bool flies = !lanes.in_air.empty();
    // Without a lane on which it could go, there is no device to leave it to.
    const std::size_t leave = lanes.most == 0 || lanes.size() > 0 ? route_.left_to_device : 0;
    const bool has_piece = route_.piece_bytes > 0 && next_.load() + leave < request_.bytes;
    if (!flies && !has_piece) return;
    if (flies && land(lanes, has_piece ? Landing::if_arrived : Landing::awaited)) continue;
    do_piece(leave);
  }
  while (!lanes.in_air.empty()) land(lanes, Landing::awaited);
}

// Chunks that wait for the copy engines become smaller towards the end, so that nobody waits long for the last.
std::size_t Pipeline::next_chunk() const
{
  if (!route_.uses_device_buffer()) return route_.chunk_bytes;
  const std::size_t share = (request_.bytes - std::min(next_.load(), request_.bytes)) / kShares / kBlockBytes * kBlockBytes;
  return std::clamp(share, std::min(route_.chunk_bytes, kSmallestChunk), route_.chunk_bytes);
}

// Starts a chunk, if there is one left and a lane for it.
bool Pipeline::take_off(Lanes& lanes)
{
  if (next_.load() >= request_.bytes || (lanes.idle.empty() && !add_lane(lanes))) return false;
  const Range range = claim(next_chunk(), 0);
  if (range.bytes == 0) return false;
  lanes.in_air.push_back({std::move(lanes.idle.back()), range});
  lanes.idle.pop_back();
  try {
    start(lanes.in_air.back());
  } catch (...) {
    abandon(lanes.in_air.back());
    lanes.in_air.pop_back();
    throw;
  }
  return true;
}

// Finishes the oldest chunk. False if it hasn't arrived and isn't to be awaited.
bool Pipeline::land(Lanes& lanes, Landing landing)
{
  if (landing == Landing::if_arrived && !lanes.in_air.front().lane->stream->done()) return false;
  Flight flight = std::move(lanes.in_air.front());
  lanes.in_air.erase(lanes.in_air.begin());
  try {
    finish(flight);
  } catch (...) {
    abandon(flight);
    throw;
  }
  lanes.idle.push_back(std::move(flight.lane));
  return true;
}

// After an error, whose stream's work must be over before its lane goes back.
void Pipeline::abandon(Flight& flight) noexcept
{
  try {
    flight.lane->stream->wait();
  } catch (const std::exception&) {
  }
  const std::lock_guard lock(mutex_);
  input_destroyed_ = input_destroyed_ || (changes_in_place_ && flight.queued);
}

// Does a piece on this thread, unless only so many bytes are left.
void Pipeline::do_piece(std::size_t leave)
{
  const Range range = claim(route_.piece_bytes, leave);
  if (range.bytes == 0) return;
  request_.reference(range.offset, request_.in + range.offset, request_.out + range.offset, range.bytes);
  bytes_by_processor_.fetch_add(range.bytes, std::memory_order_relaxed);
  note_done(range);
}

// The next bytes that nobody has claimed, if there are more than `leave`; an empty range if not.
Range Pipeline::claim(std::size_t bytes, std::size_t leave)
{
  make_room_for_note();
  std::size_t at = next_.load();
  do
    if (at + leave >= request_.bytes) return {at, 0};
  while (!next_.compare_exchange_weak(at, std::min(at + bytes, request_.bytes)));
  return {at, std::min(bytes, request_.bytes - at)};
}

// False if there can be no more lanes now.
bool Pipeline::add_lane(Lanes& lanes)
{
  if (lanes.size() >= static_cast<std::size_t>(lanes.most)) return false;
  try {
    const LaneNeeds needs{.device = route_.uses_device_buffer(), .pinned = uses_pinned_};
    LaneLease lease = lanes_.acquire(device_, needs, lanes.size() == 0 && patient_ ? Wait::for_a_lane : Wait::never);
    if (!lease) return false;
    lanes.idle.push_back(std::move(lease));
    return true;
  } catch (const DeviceError& error) {
    if (lanes.size() == 0 || error.kind() != DeviceError::Kind::out_of_memory) throw;
    return false;
  }
}

// Where a chunk, or the sample of one, passes through pinned memory.
std::uint8_t* Pipeline::slot_of(const Lane& lane) const { return uses_pinned_ ? lane.pinned.data() + check_area_ : nullptr; }

void Pipeline::start(Flight& flight)
{
  const Range range = flight.range;
  const Range sample = sample_of(range);
  Lane& lane = *flight.lane;
  Stream& stream = *lane.stream;
  const std::uint8_t* const in = request_.in + range.offset;
  std::uint8_t* const out = request_.out + range.offset;
  std::uint8_t* const slot = slot_of(lane);
  AesJob job{.mode = request_.mode,
             .rounds = request_.key->rounds(),
             .keys = request_.key->schedule(request_.mode),
             .counter = request_.counter.plus(range.offset / kBlockBytes),
             .in = in,
             .out = out,
             .blocks = range.bytes / kBlockBytes};
  const WipedOnExit wipe(&job.keys, sizeof job.keys);
  const std::size_t in_slot = route_.passes_through_threads() ? range.bytes : sample.bytes;
  if (route_.uses_device_buffer()) lane.device_used = std::max(lane.device_used, range.bytes);
  if (uses_pinned_) lane.pinned_used = std::max(lane.pinned_used, check_area_ + in_slot);

  if (lives_on_device(offer_.in) || lives_on_device(offer_.out)) stream.follow_application();
  if (keeps_input_) stream.copy(lane.pinned.data(), request_.in + sample.offset, sample.bytes);
  switch (route_.feed) {
    case Feed::direct:
      break;
    case Feed::none:
      job.in = nullptr;
      break;
    case Feed::staged:
      std::memcpy(slot, in, range.bytes);
      [[fallthrough]];
    case Feed::copied:
      stream.copy(lane.device.data(), route_.feed == Feed::staged ? slot : in, range.bytes);
      job.in = lane.device.data();
      break;
  }
  if (route_.drain != Drain::direct) job.out = lane.device.data();
  stream.run(job);
  flight.queued = true;
  if (route_.drain != Drain::direct) stream.copy(route_.drain == Drain::copied ? out : slot, lane.device.data(), range.bytes);
  if (route_.check_bytes > 0 && !host_can_access(offer_.out)) stream.copy(slot, request_.out + sample.offset, sample.bytes);
}

void Pipeline::finish(Flight& flight)
{
  flight.lane->stream->wait();
  if (route_.check_bytes > 0) check(flight);
  const Range range = flight.range;
  std::uint8_t* const out = request_.out + range.offset;
  const std::uint8_t* const slot = slot_of(*flight.lane);
  if (route_.drain == Drain::staged) std::memcpy(out, slot, range.bytes);
  if (route_.drain == Drain::xored) xor_bytes(out, request_.in + range.offset, slot, range.bytes, Stores::streaming);
  note_done(range);
}

void Pipeline::check(const Flight& flight)
{
  const Range range = flight.range;
  const Range sample = sample_of(range);
  const std::uint8_t* const area = flight.lane->pinned.data();
  SecretBytes expected(sample.bytes);  // zeros: what a keystream is combined with
  if (route_.drain != Drain::xored) std::memcpy(expected.data(), keeps_input_ ? area : request_.in + sample.offset, sample.bytes);
  request_.reference(sample.offset, expected.data(), expected.data(), sample.bytes);

  const std::uint8_t* const got = route_.drains_by_thread()     ? area + check_area_ + (sample.offset - range.offset)
                                  : host_can_access(offer_.out) ? request_.out + sample.offset
                                                                : area + check_area_;
  if (std::memcmp(got, expected.data(), sample.bytes) == 0) return;
  {
    const std::lock_guard lock(mutex_);
    wrong_result_ = true;
  }
  throw DeviceError(DeviceError::Kind::lost, why::kWrongResult);
}

}  // namespace gpuaes
