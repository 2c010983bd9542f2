#include "device_feeder.h"

#include "engine/crc16_job.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace gpuaes::match {
namespace {

// The hits that fit into a flight's buffer. At least one for each pattern, so that those of a single place always do.
constexpr std::size_t kLeastHits = std::size_t{64} << 10;

// Hits that come along with their number; more are fetched when the number is known.
constexpr std::size_t kHitsAtOnce = 256;

constexpr std::size_t kHeader = sizeof(MatchHit);  // the number of hits stands before them, in as much room as one takes

std::size_t most_hits(const ChunkSearch& search) { return std::max(kLeastHits, search.plan().patterns()); }

}  // namespace

FlightSizes flight_sizes(const ChunkSearch& search, std::size_t starts, std::size_t overlap)
{
  return {.text = starts + overlap + kTextPadding,
          .results = search.wants_hits() ? kHeader + most_hits(search) * sizeof(MatchHit)
                                         : search.plan().patterns() * sizeof(std::uint64_t)};
}

// The life of a slot's memory: a chunk is read into `text_here` and stays there until it has landed, so that the processor can do
// it again; `text` gets a copy, which is decrypted in place; `results` are cleared, filled and copied to `results_here`.
struct DeviceFeeder::Flight {
  FlightSlot slot;
  Chunk chunk;
  Crc16Job crc16;
  std::unique_ptr<Crc16Answer> crc16_answer = std::make_unique<Crc16Answer>();  // flights move
  bool in_air = false;
};

DeviceFeeder::DeviceFeeder(Accelerator& accelerator, const ChunkSearch& search, Feeding& feeding, std::size_t starts)
    : accelerator_(accelerator), search_(search), feeding_(feeding), starts_(starts), most_hits_(most_hits(search))
{
  for (FlightSlot& slot : accelerator.flights().take(kFlights)) {
    flights_.emplace_back();
    flights_.back().slot = std::move(slot);
  }
}

DeviceFeeder::~DeviceFeeder()
{
  for (Flight& flight : flights_) {
    try {
      if (flight.in_air) flight.slot.stream->wait();
    } catch (const DeviceError&) {
    }
    accelerator_.flights().give_back(std::move(flight.slot));
  }
}

void DeviceFeeder::run(ChunkQueue& queue, bool may_help, const std::function<bool()>& enough)
{
  try {
    fly(queue, enough);
    return;
  } catch (const DeviceError& error) {
    accelerator_.give_up(error);
    if (!may_help) throw;
  }
  // In the order of their numbers: the report counts on it.
  std::vector<Flight*> left;
  for (Flight& flight : flights_)
    if (flight.in_air) left.push_back(&flight);
  std::sort(left.begin(), left.end(), [](const Flight* a, const Flight* b) { return a->chunk.number < b->chunk.number; });
  for (Flight* flight : left) {
    try {
      flight->slot.stream->wait();  // nothing may still be reading what is about to be decrypted in place
    } catch (const DeviceError&) {
    }
    flight->in_air = false;
    search_.search(flight->chunk, flight->slot.text_here.data());
  }
}

void DeviceFeeder::fly(ChunkQueue& queue, const std::function<bool()>& enough)
{
  using Clock = std::chrono::steady_clock;
  std::size_t turn = 0;
  for (;; ++turn) {
    Flight& flight = flights_[turn % kFlights];
    const Clock::time_point start = Clock::now();
    if (flight.in_air) flight.slot.stream->wait();
    const Clock::duration waited = Clock::now() - start;
    if (flight.in_air) land(flight);
    const Clock::time_point landed = Clock::now();
    if (enough() || !accelerator_.is_ready() || !queue.next(flight.chunk, flight.slot.text_here.data(), starts_)) break;
    // To wait for a stream's data isn't work, nor is to wait until it is a chunk's turn to be reported.
    const Clock::time_point begun = flight.chunk.input->reads_anywhere() ? landed : Clock::now();
    flight.in_air = true;
    launch(flight);
    feeding_.note(flight.chunk.text.to - flight.chunk.text.from, Clock::now() - begun, waited);
    if (flight.chunk.paused) land_all(turn + 1);  // what comes next may take a while
  }
  land_all(turn + 1);
}

void DeviceFeeder::land_all(std::size_t turn)
{
  for (std::size_t i = 0; i < kFlights; ++i)
    if (Flight& flight = flights_[(turn + i) % kFlights]; flight.in_air) land(flight);
}

MatchJob DeviceFeeder::job_for(const Flight& flight, const MatchText& part) const
{
  MatchJob job{.tables = accelerator_.tables(), .sweeps = search_.plan().sweeps(), .text = part};
  job.text.bytes = flight.slot.text.data();
  if (search_.wants_hits()) {
    job.found = reinterpret_cast<std::uint64_t*>(flight.slot.results.data());
    job.hits = reinterpret_cast<MatchHit*>(flight.slot.results.data() + kHeader);
    job.capacity = most_hits_;
  } else {
    job.counts = reinterpret_cast<std::uint64_t*>(flight.slot.results.data());
  }
  return job;
}

void DeviceFeeder::launch(Flight& flight)
{
  Stream& stream = *flight.slot.stream;
  const MatchText& text = flight.chunk.text;
  const std::size_t loaded = flight.chunk.loaded;
  if (loaded > 0) stream.copy(flight.slot.text.data(), flight.slot.text_here.data(), loaded);
  if (const Decryptor* decryptor = search_.decryptor(); decryptor != nullptr && loaded > 0) {
    AesJob job = decryptor->job(flight.chunk.offset, loaded);
    const WipedOnExit wipe(&job.keys, sizeof job.keys);
    job.in = job.out = flight.slot.text.data();
    stream.run(job);
  }
  if (search_.wants_crc16() && !flight.chunk.crc16) {
    const std::size_t begin = std::min(flight.chunk.begin, text.to);
    flight.crc16 = {.data = flight.slot.text.data() + begin, .bytes = text.to - begin, .answer = flight.crc16_answer.get()};
    if (flight.crc16.bytes > 0) stream.run(flight.crc16);
  }
  const bool lists = search_.wants_hits();
  stream.clear(flight.slot.results.data(), lists ? kHeader : flight.slot.results.size());
  if (text.from < text.to) stream.run(job_for(flight, text));
  const std::size_t bytes = lists ? kHeader + kHitsAtOnce * sizeof(MatchHit) : flight.slot.results.size();
  stream.copy(flight.slot.results_here.data(), flight.slot.results.data(), bytes);
}

// Once the flight has landed.
std::optional<PartCrc16> DeviceFeeder::crc16_of(const Flight& flight) const
{
  if (!search_.wants_crc16()) return std::nullopt;
  if (flight.chunk.crc16) return flight.chunk.crc16;
  const std::uint16_t init = kCrc16Mcrf4xx.init;
  return PartCrc16{flight.crc16.bytes > 0 ? crc16_after(init, flight.crc16) : init, flight.crc16.bytes};
}

void DeviceFeeder::land(Flight& flight)
{
  flight.slot.stream->wait();
  const std::size_t places = flight.chunk.text.to - flight.chunk.text.from;
  if (search_.wants_hits())
    land_hits(flight);
  else
    land_counts(flight);
  flight.in_air = false;
  bytes_ += places;
}

void DeviceFeeder::land_counts(Flight& flight)
{
  const auto* const counts = reinterpret_cast<const std::uint64_t*>(flight.slot.results_here.data());
  search_.deliver_counts(flight.chunk, {counts, counts + search_.plan().patterns()}, crc16_of(flight));
}

void DeviceFeeder::land_hits(Flight& flight)
{
  const std::uint64_t found = *reinterpret_cast<const std::uint64_t*>(flight.slot.results_here.data());
  list_part(flight, flight.chunk.text, {found, kHitsAtOnce}, true);
}

// Delivers the hits of a part of the chunk, which was searched last. If they didn't fit, does the part again in halves. What has
// been delivered isn't done again after a failure: the rest of the chunk begins behind it.
void DeviceFeeder::list_part(Flight& flight, const MatchText& part, Listed listed, bool complete)
{
  if (listed.found > most_hits_) {
    MatchText first = part, second = part;
    first.to = second.from = part.from + (part.to - part.from) / 2;
    list_part(flight, first, list_again(flight, first), false);
    list_part(flight, second, list_again(flight, second), complete);
    return;
  }
  if (listed.found > listed.here) {
    flight.slot.stream->copy(flight.slot.results_here.data(), flight.slot.results.data(),
                             kHeader + listed.found * sizeof(MatchHit));
    flight.slot.stream->wait();
  }
  const auto* const hits = reinterpret_cast<const MatchHit*>(flight.slot.results_here.data() + kHeader);
  std::vector<MatchHit> list(hits, hits + listed.found);
  std::sort(list.begin(), list.end(),
            [](const MatchHit& a, const MatchHit& b) { return a.at != b.at ? a.at < b.at : a.pattern < b.pattern; });
  search_.deliver_hits(flight.chunk, std::move(list), complete, complete ? crc16_of(flight) : std::nullopt);
  flight.chunk.text.from = part.to;
}

DeviceFeeder::Listed DeviceFeeder::list_again(Flight& flight, const MatchText& part)
{
  flight.slot.stream->clear(flight.slot.results.data(), kHeader);
  flight.slot.stream->run(job_for(flight, part));
  flight.slot.stream->copy(flight.slot.results_here.data(), flight.slot.results.data(), kHeader);
  flight.slot.stream->wait();
  return {*reinterpret_cast<const std::uint64_t*>(flight.slot.results_here.data()), 0};
}

}  // namespace gpuaes::match
