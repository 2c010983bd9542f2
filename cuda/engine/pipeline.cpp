#include "pipeline.h"

#include "../core/secret_bytes.h"
#include "xor_bytes.h"

#include <algorithm>
#include <cstring>

namespace gpuaes {
namespace {

// Copy engines alone need four to be always busy in both directions; a thread that copies itself keeps up with fewer.
constexpr std::size_t kLanesWithoutThreads = 4;
constexpr std::size_t kLanesPerThread = 3;

// A sample of data that only the device can reach costs about 20 us in copies: under 1 % of a kernel's time from this size on.
constexpr std::size_t kSampleDeviceDataFrom = std::size_t{1} << 30;

std::size_t bytes_to_check(Verify verify, const Offer& offer, const Route& route)
{
  if (verify == Verify::off) return 0;
  if (verify == Verify::all) return route.chunk_bytes;
  const bool on_host = host_can_access(offer.in) && host_can_access(offer.out);
  return on_host || offer.bytes >= kSampleDeviceDataFrom ? kBlockBytes : 0;
}

// Some block of a chunk, another one in each chunk.
std::size_t sample_offset(std::size_t chunk, std::size_t chunk_bytes, std::size_t sample_bytes)
{
  if (sample_bytes >= chunk_bytes) return 0;
  const std::uint64_t mixed = (chunk + 1) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  return (mixed >> 32) % (chunk_bytes / kBlockBytes) * kBlockBytes;
}

}  // namespace

struct Pipeline::Flight {
  LaneLease lane;
  std::size_t chunk = 0;
  bool in_air = false;
  Range sample{0, 0};  // in the request
  SecretBytes input_copy{};
  SecretBytes output_copy{};
};

Pipeline::Pipeline(Device& device, LanePool& lanes, const AesRequest& request, const Offer& offer, const Route& route,
                   Verify verify)
    : device_(device),
      lanes_(lanes),
      request_(request),
      offer_(offer),
      route_(route),
      chunks_((request.bytes + route.chunk_bytes - 1) / route.chunk_bytes),
      checked_bytes_(bytes_to_check(verify, offer, route)),
      done_(chunks_)
{
}

Range Pipeline::range_of(std::size_t chunk) const
{
  const std::size_t offset = chunk * route_.chunk_bytes;
  return {offset, std::min(route_.chunk_bytes, request_.bytes - offset)};
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
  // What is still in the air may write to memory that is about to be done again: wait until it can't.
  for (Flight& flight : flights) {
    try {
      if (flight.lane) flight.lane->stream->wait();
    } catch (const DeviceError&) {
    }
  }
}

void Pipeline::fly(std::vector<Flight>& flights)
{
  const bool by_thread = route_.uses_pinned_buffer();
  const std::size_t wanted = std::min(chunks_, by_thread ? kLanesPerThread : kLanesWithoutThreads);
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
    LaneLease lease = lanes_.acquire(device_, {.device = route_.uses_device_buffer(), .pinned = route_.uses_pinned_buffer()});
    if (!lease) return false;
    flights.push_back(Flight{.lane = std::move(lease)});
    return true;
  } catch (const DeviceError& error) {
    if (flights.empty() || error.kind() != DeviceError::Kind::out_of_memory) throw;
    return false;
  }
}

void Pipeline::start(Flight& flight)
{
  const Range range = range_of(flight.chunk);
  Lane& lane = *flight.lane;
  const std::uint8_t* const in = request_.in + range.offset;
  std::uint8_t* const out = request_.out + range.offset;

  if (lives_on_device(offer_.in) || lives_on_device(offer_.out)) lane.stream->follow_application();

  flight.sample = {range.offset + sample_offset(flight.chunk, range.bytes, checked_bytes_), std::min(checked_bytes_, range.bytes)};
  if (checked_bytes_ > 0 && !host_can_access(offer_.in)) {
    flight.input_copy.resize(flight.sample.bytes);
    lane.stream->copy(flight.input_copy.data(), request_.in + flight.sample.offset, flight.sample.bytes);
  }

  AesJob job{.mode = request_.mode,
             .rounds = request_.key->rounds(),
             .keys = request_.key->schedule(request_.mode),
             .counter = request_.counter.plus(range.offset / kBlockBytes),
             .in = in,
             .out = out,
             .blocks = range.bytes / kBlockBytes};
  flight.in_air = true;
  if (route_.uses_device_buffer()) lane.device_used = std::max(lane.device_used, range.bytes);
  if (route_.uses_pinned_buffer()) lane.pinned_used = std::max(lane.pinned_used, range.bytes);

  switch (route_.feed) {
    case Feed::direct:
      break;
    case Feed::none:
      job.in = nullptr;
      break;
    case Feed::staged:
      std::memcpy(lane.pinned.data(), in, range.bytes);
      lane.stream->copy(lane.device.data(), lane.pinned.data(), range.bytes);
      job.in = lane.device.data();
      break;
    case Feed::copied:
      lane.stream->copy(lane.device.data(), in, range.bytes);
      job.in = lane.device.data();
      break;
  }
  if (route_.drain != Drain::direct) job.out = lane.device.data();
  lane.stream->run(job);
  explicit_bzero(&job.keys, sizeof job.keys);
  if (route_.drain == Drain::copied)
    lane.stream->copy(out, lane.device.data(), range.bytes);
  else if (route_.drain != Drain::direct)
    lane.stream->copy(lane.pinned.data(), lane.device.data(), range.bytes);

  if (checked_bytes_ > 0 && !host_can_access(offer_.out) && !route_.uses_pinned_buffer()) {
    flight.output_copy.resize(flight.sample.bytes);
    lane.stream->copy(flight.output_copy.data(), request_.out + flight.sample.offset, flight.sample.bytes);
  }
}

void Pipeline::finish(Flight& flight)
{
  flight.lane->stream->wait();
  flight.in_air = false;
  if (checked_bytes_ > 0) check(flight);
  const Range range = range_of(flight.chunk);
  std::uint8_t* const out = request_.out + range.offset;
  const std::uint8_t* const slot = flight.lane->pinned.data();
  if (route_.drain == Drain::staged) std::memcpy(out, slot, range.bytes);
  if (route_.drain == Drain::xored) xor_bytes(out, request_.in + range.offset, slot, range.bytes);
  done_[flight.chunk] = 1;
}

void Pipeline::check(const Flight& flight)
{
  const Range& sample = flight.sample;
  SecretBytes expected(sample.bytes);  // zeros: what keystream is combined with
  if (route_.drain != Drain::xored) {
    const std::uint8_t* input = flight.input_copy.empty() ? request_.in + sample.offset : flight.input_copy.data();
    std::memcpy(expected.data(), input, sample.bytes);
  }
  request_.reference(sample.offset, expected.data(), expected.data(), sample.bytes);

  const bool in_slot = route_.drain == Drain::staged || route_.drain == Drain::xored;
  const std::uint8_t* got = in_slot ? flight.lane->pinned.data() + (sample.offset - range_of(flight.chunk).offset)
                            : flight.output_copy.empty() ? request_.out + sample.offset
                                                         : flight.output_copy.data();
  if (std::memcmp(got, expected.data(), sample.bytes) == 0) return;
  {
    const std::lock_guard lock(mutex_);
    wrong_result_ = true;
  }
  throw DeviceError(DeviceError::Kind::lost, "The device returned a wrong result.");
}

}  // namespace gpuaes
