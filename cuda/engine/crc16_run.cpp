#include "crc16_run.h"

#include "../core/crc16_host.h"

#include <algorithm>

namespace gpuaes {
namespace {

std::uint16_t run(Stream& stream, std::uint16_t state, const void* data, std::size_t bytes)
{
  Crc16Answer answer;
  const Crc16Job job{.data = data, .bytes = bytes, .answer = &answer};
  stream.run(job);
  stream.wait();
  return crc16_after(state, job);
}

// Where the kernel can't read the data: by way of the lane's buffer.
std::uint16_t run_by_copies(Lane& lane, std::uint16_t state, const Crc16Piece& piece)
{
  for (std::size_t at = 0; at < piece.bytes; at += kLaneBytes) {
    const std::size_t bytes = std::min(kLaneBytes, piece.bytes - at);
    lane.device_used = std::max(lane.device_used, bytes);
    lane.stream->copy(lane.device.data(), piece.data + at, bytes);
    state = run(*lane.stream, state, lane.device.data(), bytes);
  }
  return state;
}

// The same by the processor, which gets what it can't reach through the lane's pinned buffer.
std::uint16_t recompute(Lane& lane, std::uint16_t state, const Crc16Piece& piece)
{
  if (host_can_access(piece.kind)) return crc16_update(state, piece.data, piece.bytes);
  for (std::size_t at = 0; at < piece.bytes; at += kLaneBytes) {
    const std::size_t bytes = std::min(kLaneBytes, piece.bytes - at);
    lane.pinned_used = std::max(lane.pinned_used, bytes);
    lane.stream->copy(lane.pinned.data(), piece.data + at, bytes);
    lane.stream->wait();
    state = crc16_update(state, lane.pinned.data(), bytes);
  }
  return state;
}

void check_sample(Lane& lane, const Crc16Piece& piece, std::size_t check_bytes, std::uint64_t turn)
{
  const std::uint64_t mixed = (turn + 1) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  const std::size_t offset = (mixed >> 16) % (piece.bytes - check_bytes + 1);
  const Crc16Piece sample{.data = piece.data + offset, .bytes = check_bytes, .kind = piece.kind};
  if (run(*lane.stream, 0, sample.data, sample.bytes) != recompute(lane, 0, sample)) throw WrongResult();
}

std::uint16_t run_and_check(Lane& lane, std::uint16_t state, const Crc16Piece& piece, std::size_t check_bytes, std::uint64_t turn)
{
  if (lives_on_device(piece.kind)) lane.stream->follow_application();
  const std::uint16_t after =
      crc16_reads_directly(piece.kind) ? run(*lane.stream, state, piece.data, piece.bytes) : run_by_copies(lane, state, piece);
  if (check_bytes == piece.bytes) {
    if (after != recompute(lane, state, piece)) throw WrongResult();
  } else if (check_bytes > 0) {
    check_sample(lane, piece, check_bytes, turn);
  }
  return after;
}

}  // namespace

LaneNeeds crc16_needs(const Crc16Piece& piece, std::size_t check_bytes)
{
  return {.device = !crc16_reads_directly(piece.kind), .pinned = check_bytes > 0 && !host_can_access(piece.kind)};
}

std::uint16_t crc16_on_device(Lane& lane, std::uint16_t state, const Crc16Piece& piece, std::size_t check_bytes, std::uint64_t turn)
{
  try {
    return run_and_check(lane, state, piece, check_bytes, turn);
  } catch (const DeviceError&) {
    try {
      lane.stream->wait();
    } catch (const DeviceError&) {
    }
    throw;
  }
}

}  // namespace gpuaes
