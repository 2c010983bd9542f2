#include "crc16_job.h"

#include "../core/crc16.h"
#include "../core/crc16_host.h"

namespace gpuaes {

std::uint16_t crc16_after(std::uint16_t state, const Crc16Job& job)
{
  const Crc16Layout layout = crc16_layout(job.data, job.bytes);
  const Crc16Answer& answer = *job.answer;
  state = crc16_update(state, answer.head.at, layout.head);
  const std::size_t bytes = layout.columns * kCrc16ColumnBytes;
  const std::size_t zeros = answer.rows * kCrc16RowBytes - bytes;
  const std::uint16_t columns = crc16_multiply(answer.sum, crc16_inverse_power_of_x(8 * zeros));
  state = static_cast<std::uint16_t>(crc16_shift(state, bytes) ^ columns);
  return crc16_update(state, answer.tail.at, layout.tail);
}

}  // namespace gpuaes
