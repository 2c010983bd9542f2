// The memory and the stream of a piece that goes over the device, and as many of them as a thread keeps under way.
#pragma once

#include "engine/buffer.h"
#include "piece.h"

#include <array>
#include <cstddef>
#include <memory>

namespace gpuaes::enc {

// A piece is read into `in` and stays there until it has landed, so that the processor can do it again; `device` gets a copy, which
// is changed in place and copied to `out`.
struct Flight {
  Buffer in;
  Buffer out;
  Buffer device;
  std::unique_ptr<Stream> stream;  // after the buffers, so that it has waited for its work before they go
  Piece piece;
  bool in_air = false;
};

class Flights {
 public:
  // One is being read or written, one is on the link, one is in the kernel.
  static constexpr std::size_t kCount = 3;

  // For pieces that are read into `bytes` bytes. Throws DeviceError.
  Flights(Device& device, std::size_t bytes);
  ~Flights() { wipe(); }
  Flights(const Flights&) = delete;
  Flights& operator=(const Flights&) = delete;

  Flight& operator[](std::size_t turn) { return flights_[turn % kCount]; }
  std::size_t bytes() const { return bytes_; }

  // Overwrites all data. Nothing may be under way.
  void wipe() noexcept;

 private:
  const std::size_t bytes_;
  std::array<Flight, kCount> flights_;
};

}  // namespace gpuaes::enc
