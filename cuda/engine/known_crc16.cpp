#include "known_crc16.h"

#include "../core/crc16.h"
#include "../core/crc16_host.h"
#include "buffer.h"

#include <algorithm>

namespace gpuaes {
namespace {

// RevEng's check value, at the start of the buffer; then a longer message, at an odd address and of an odd length.
constexpr std::uint8_t kDigits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
constexpr std::uint16_t kCheck = 0x6f91;
constexpr std::size_t kBytes = std::size_t{1} << 20;

std::uint16_t digest(Stream& stream, const std::uint8_t* data, std::size_t bytes)
{
  Crc16Answer answer;
  const Crc16Job job{.data = data, .bytes = bytes, .answer = &answer};
  stream.run(job);
  stream.wait();
  return crc16_after(kCrc16Mcrf4xx.init, job);
}

}  // namespace

bool passes_crc16_known_answers(Device& device)
{
  const Buffer on_device(device, MemoryKind::device, kBytes);
  const Buffer pinned(device, MemoryKind::pinned, kBytes);
  // After the buffers, so that it has waited for its work before they go.
  const std::unique_ptr<Stream> stream = device.make_stream();

  for (std::size_t i = 0; i < kBytes; ++i) pinned.data()[i] = static_cast<std::uint8_t>(i % 251);
  std::copy(std::begin(kDigits), std::end(kDigits), pinned.data());
  stream->copy(on_device.data(), pinned.data(), kBytes);

  const std::size_t odd = sizeof kDigits;
  const std::uint16_t expected = crc16_units().back().update(kCrc16Mcrf4xx.init, pinned.data() + odd, kBytes - odd);
  return digest(*stream, on_device.data(), sizeof kDigits) == kCheck &&
         digest(*stream, on_device.data() + odd, kBytes - odd) == expected;
}

}  // namespace gpuaes
