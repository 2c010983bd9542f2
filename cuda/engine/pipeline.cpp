#include "pipeline.h"

#include "../core/secret_bytes.h"
#include "xor_bytes.h"

#include <algorithm>
#include <cstring>

namespace gpuaes {

struct Pipeline::Flight {
  LaneLease lane;
  std::size_t chunk = 0;
  bool in_air = false;  // all its work is queued
};

Pipeline::Pipeline(Device& device, LanePool& lanes, const AesRequest& request, const Offer& offer, const Route& route,
                   std::size_t check_area, bool patient)
    : device_(device),
      lanes_(lanes),
      request_(request),
      offer_(offer),
      route_(route),
      chunks_((request.bytes + route.chunk_bytes - 1) / route.chunk_bytes),
      check_area_(check_area),
      patient_(patient),
      changes_in_place_(offer.in_place && !route.drains_by_thread()),
      keeps_input_(route.check_bytes > 0 && (changes_in_place_ || !host_can_access(offer.in))),
      uses_pinned_(route.passes_through_threads() || keeps_input_ || (route.check_bytes > 0 && !host_can_access(offer.out))),
      done_(chunks_)
{
}

Range Pipeline::range_of(std::size_t chunk) const
{
  const std::size_t offset = chunk * route_.chunk_bytes;
  return {offset, std::min(route_.chunk_bytes, request_.bytes - offset)};
}

// What of a chunk is checked: some block, another one in each chunk, or all of it. Relative to the request, like `range`.
Range Pipeline::sample_of(std::size_t chunk, Range range) const
{
  if (route_.check_bytes >= range.bytes) return range;
  const std::uint64_t mixed = (chunk + 1) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  const std::size_t block = (mixed >> 32) % (range.bytes / kBlockBytes);
  return {range.offset + block * kBlockBytes, route_.check_bytes};
}

void Pipeline::run(Helpers& helpers)
{
  const auto useful = static_cast<int>(std::min<std::size_t>(chunks_ - 1, static_cast<std::size_t>(route_.helpers)));
  helpers.share(useful, [this] { work(); });
}

std::vector<Range> Pipeline::unfinished() const
{
  std::vector<Range> ranges;
  for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
    if (done_[chunk]) continue;
    const Range range = range_of(chunk);
    if (!ranges.empty() && ranges.back().offset + ranges.back().bytes == range.offset)
      ranges.back().bytes += range.bytes;
    else
      ranges.push_back(range);
  }
  return ranges;
}

void Pipeline::work()
{
  std::vector<Flight> flights;
  try {
    fly(flights);
    return;
  } catch (const DeviceError& error) {
    const std::lock_guard lock(mutex_);
    if (!error_ || error.kind() == DeviceError::Kind::lost) error_.emplace(error);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_.emplace(DeviceError::Kind::failed, error.what());
  }
  failed_.store(true);
  // What is still in the air may write to memory that is about to be done again: let it land, all of it.
  for (Flight& flight : flights) {
    try {
      if (flight.in_air) finish(flight);
      flight.lane->stream->wait();
    } catch (const std::exception&) {
    }
  }
}

void Pipeline::fly(std::vector<Flight>& flights)
{
  const std::size_t wanted = std::min(chunks_, static_cast<std::size_t>(route_.lanes_each));
  flights.reserve(wanted);
  for (std::size_t turn = 0; !failed_.load(); ++turn) {
    if (next_.load() >= chunks_) break;
    if (flights.size() < wanted && !add_lane(flights) && flights.empty()) return;
    Flight& flight = flights[turn % flights.size()];
    if (flight.in_air) finish(flight);
    flight.chunk = next_.fetch_add(1);
    if (flight.chunk >= chunks_) break;
    start(flight);
  }
  for (Flight& flight : flights)
    if (flight.in_air) finish(flight);
}

// False if there can be no more lanes now.
bool Pipeline::add_lane(std::vector<Flight>& flights)
{
  try {
    const LaneNeeds needs{.device = route_.uses_device_buffer(), .pinned = uses_pinned_};
    LaneLease lease = lanes_.acquire(device_, needs, flights.empty() && patient_ ? Wait::for_a_lane : Wait::never);
    if (!lease) return false;
    flights.push_back(Flight{.lane = std::move(lease)});
    return true;
  } catch (const DeviceError& error) {
    if (flights.empty() || error.kind() != DeviceError::Kind::out_of_memory) throw;
    return false;
  }
}

// Where a chunk, or the sample of one, passes through pinned memory.
std::uint8_t* Pipeline::slot_of(const Lane& lane) const { return uses_pinned_ ? lane.pinned.data() + check_area_ : nullptr; }

void Pipeline::start(Flight& flight)
{
  const Range range = range_of(flight.chunk);
  const Range sample = sample_of(flight.chunk, range);
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
  if (route_.drain != Drain::direct) stream.copy(route_.drain == Drain::copied ? out : slot, lane.device.data(), range.bytes);
  flight.in_air = true;
  if (route_.check_bytes > 0 && !host_can_access(offer_.out)) stream.copy(slot, request_.out + sample.offset, sample.bytes);
}

void Pipeline::finish(Flight& flight)
{
  flight.in_air = false;
  const Range range = range_of(flight.chunk);
  try {
    flight.lane->stream->wait();
    if (route_.check_bytes > 0) check(flight, range);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    input_destroyed_ = input_destroyed_ || changes_in_place_;
    throw;
  }
  std::uint8_t* const out = request_.out + range.offset;
  const std::uint8_t* const slot = slot_of(*flight.lane);
  if (route_.drain == Drain::staged) std::memcpy(out, slot, range.bytes);
  if (route_.drain == Drain::xored) xor_bytes(out, request_.in + range.offset, slot, range.bytes, Stores::streaming);
  done_[flight.chunk] = 1;
}

void Pipeline::check(const Flight& flight, Range range)
{
  const Range sample = sample_of(flight.chunk, range);
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
  throw DeviceError(DeviceError::Kind::lost, "The device returned a wrong result.");
}

}  // namespace gpuaes
