// A message longer than memory: one block, mapped many times in a row.
#pragma once

#include "bytes.h"

namespace gpuaes::test {

class RepeatedMapping {
 public:
  static constexpr std::size_t kBlock = std::size_t{16} << 20;

  // `block` has kBlock bytes. Throws std::runtime_error.
  RepeatedMapping(const Bytes& block, std::size_t times);
  ~RepeatedMapping();
  RepeatedMapping(const RepeatedMapping&) = delete;
  RepeatedMapping& operator=(const RepeatedMapping&) = delete;

  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::uint8_t* data_;
  const std::size_t size_;
};

}  // namespace gpuaes::test
