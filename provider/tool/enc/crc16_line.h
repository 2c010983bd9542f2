// The CRC-16/MCRF4XX of a sequence of bytes whose pieces come in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace gpuaes::enc {

class Crc16Line {
 public:
  // The first byte's position.
  explicit Crc16Line(std::uint64_t first) : next_(first) {}

  // From any thread; the pieces lie side by side.
  void add(std::uint64_t position, const std::uint8_t* data, std::size_t bytes);
  // Bytes that come before everything else.
  void add_head(const std::uint8_t* data, std::size_t bytes);
  // Of all pieces, once they are there.
  std::uint16_t value() const;

 private:
  struct Part {
    std::uint16_t crc;
    std::uint64_t bytes;
  };

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Part> waiting_;  // for the pieces before theirs, by position
  std::uint64_t next_;
  std::uint16_t crc_ = 0xffff;  // of what is before `next_`
};

}  // namespace gpuaes::enc
