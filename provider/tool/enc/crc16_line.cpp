#include "crc16_line.h"

#include "core/crc16.h"
#include "core/crc16_host.h"

namespace gpuaes::enc {

static_assert(kCrc16Mcrf4xx.init == 0xffff && kCrc16Mcrf4xx.xorout == 0);

void Crc16Line::add(std::uint64_t position, const std::uint8_t* data, std::size_t bytes)
{
  if (bytes == 0) return;
  const std::uint16_t crc = crc16_update(kCrc16Mcrf4xx.init, data, bytes);
  const std::lock_guard lock(mutex_);
  waiting_[position] = {crc, bytes};
  for (auto turn = waiting_.find(next_); turn != waiting_.end(); turn = waiting_.find(next_)) {
    crc_ = crc16_combine(crc_, turn->second.crc, turn->second.bytes);
    next_ += turn->second.bytes;
    waiting_.erase(turn);
  }
}

void Crc16Line::add_head(const std::uint8_t* data, std::size_t bytes)
{
  const std::lock_guard lock(mutex_);
  crc_ = crc16_update(crc_, data, bytes);
}

std::uint16_t Crc16Line::value() const
{
  const std::lock_guard lock(mutex_);
  return crc_;
}

}  // namespace gpuaes::enc
