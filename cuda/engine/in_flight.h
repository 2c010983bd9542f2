// Counts bytes as long as they are under way.
#pragma once

#include <atomic>
#include <cstddef>

namespace gpuaes {

class InFlight {
 public:
  InFlight(std::atomic<std::size_t>& total, std::size_t bytes) : total_(total), bytes_(bytes) { total_.fetch_add(bytes_); }
  ~InFlight() { total_.fetch_sub(bytes_); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  std::atomic<std::size_t>& total_;
  const std::size_t bytes_;
};

}  // namespace gpuaes
