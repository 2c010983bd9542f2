// Adds to a total as long as something is under way.
#pragma once

#include <atomic>
#include <cstddef>

namespace gpuaes {

class InFlight {
 public:
  InFlight(std::atomic<std::size_t>& total, std::size_t amount) : total_(total), amount_(amount) { total_.fetch_add(amount_); }
  ~InFlight() { total_.fetch_sub(amount_); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  std::atomic<std::size_t>& total_;
  const std::size_t amount_;
};

}  // namespace gpuaes
