#include "feeder.h"

#include "core/secret_bytes.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace gpuaes::enc {

// Who waits for a stream mustn't hold what has been read of it.
Feeder::Feeder(Accelerator& accelerator, Transfer& transfer, Flights& flights)
    : accelerator_(accelerator),
      transfer_(transfer),
      flights_(flights),
      under_way_(transfer.is_stream() ? 1 : Flights::kCount),
      context_(transfer.cipher().make_context())
{
}

void Feeder::run()
{
  try {
    try {
      fly();
    } catch (const DeviceError& error) {
      accelerator_.give_up(error);
      land_without_device();
    }
  } catch (...) {
    wait_for_all();
    for (std::size_t i = 0; i < Flights::kCount; ++i) flights_[i].in_air = false;
    throw;
  }
}

// Flights land in the order in which they were begun: an output may count on it.
void Feeder::fly()
{
  for (;; ++turn_) {
    Flight& flight = flights_[turn_];
    if (flight.in_air) land(flight);
    if (!accelerator_.is_ready() || !transfer_.take(flight.piece, flight.in.data(), flights_.bytes())) break;
    flight.in_air = true;
    launch(flight);
    if (under_way_ == 1) land(flight);
  }
  for (std::size_t i = 0; i < Flights::kCount; ++i)
    if (Flight& flight = flights_[turn_ + i]; flight.in_air) land(flight);
}

void Feeder::launch(Flight& flight)
{
  const std::size_t bytes = flight.piece.blocks() * kBlockBytes;
  if (bytes == 0) return;
  flight.stream->copy(flight.device.data(), flight.in.data(), bytes);
  AesJob job = transfer_.cipher().job(flight.piece.first_block(), flight.piece.blocks());
  const WipedOnExit wipe(&job.keys, sizeof job.keys);
  job.in = job.out = flight.device.data();
  flight.stream->run(job);
  flight.stream->copy(flight.out.data(), flight.device.data(), bytes);
}

void Feeder::land(Flight& flight)
{
  flight.stream->wait();
  check(flight);
  flight.in_air = false;  // whatever comes of writing it
  transfer_.put(flight.piece, flight.out.data());
  accelerator_.add_done(flight.piece.bytes);
}

// One block of each piece, another in each, is compared with the processor's.
void Feeder::check(const Flight& flight)
{
  const Piece& piece = flight.piece;
  if (piece.blocks() == 0) return;
  const std::size_t block = static_cast<std::size_t>(piece.number * 40503 % piece.blocks());
  std::uint8_t expected[kBlockBytes];
  const WipedOnExit wipe(expected, sizeof expected);
  const std::size_t at = block * kBlockBytes;
  transfer_.cipher().run(context_.get(), piece.first_block() + block, flight.in.data() + at, expected, 1);
  if (std::memcmp(expected, flight.out.data() + at, kBlockBytes) != 0)
    throw DeviceError(DeviceError::Kind::failed, "The device's result differs from the processor's.");
}

void Feeder::land_without_device()
{
  wait_for_all();
  std::vector<Flight*> left;
  for (std::size_t i = 0; i < Flights::kCount; ++i)
    if (flights_[i].in_air) left.push_back(&flights_[i]);
  std::sort(left.begin(), left.end(), [](const Flight* a, const Flight* b) { return a->piece.number < b->piece.number; });
  for (Flight* flight : left) {
    flight->in_air = false;
    transfer_.process(context_.get(), flight->piece, flight->in.data(), flight->out.data());
    transfer_.put(flight->piece, flight->out.data());
  }
}

// Afterwards no device reads or writes the buffers, whether it did well or not.
void Feeder::wait_for_all()
{
  for (std::size_t i = 0; i < Flights::kCount; ++i) {
    try {
      flights_[i].stream->wait();
    } catch (const DeviceError&) {
    }
  }
}

}  // namespace gpuaes::enc
