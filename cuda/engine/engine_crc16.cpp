// The part of the engine that digests.
#include "engine.h"

#include "../core/crc16_host.h"
#include "../core/secret_bytes.h"
#include "crc16_run.h"
#include "in_flight.h"

#include <algorithm>

namespace gpuaes {

std::uint16_t Engine::crc16(std::uint16_t state, const std::uint8_t* data, std::size_t bytes, MemoryKind kind)
{
  Crc16Piece piece{.data = data, .bytes = bytes, .kind = kind};
  const Options& options = policy_.options;
  if (options.mode == Mode::always || !host_can_access(kind)) {
    const bool was_ready = usable();
    require_device_for_digest();
    // Which device memory is on matters only now that one has been chosen.
    if (!was_ready && kind != MemoryKind::ordinary) piece.kind = kind_of(data, bytes);
  }
  const Crc16Offer offer{bytes, piece.kind};
  Reason reason{};
  const char* route = "";
  const TracedCall traced(trace_, bytes, reason, [&] {
    return Decision{"CRC-16", bytes, piece.kind, piece.kind, route, reason, crc16_device_seconds(offer), crc16_cpu_seconds(offer)};
  });
  if (crc16_prefers_device(options, offer, bytes_in_flight_.load())) {
    if (const auto after = try_crc16_on_device(state, piece, reason)) {
      reason = crc16_why_device(options, offer);
      route = crc16_reads_directly(piece.kind) ? "direct" : "copied";
      counters_.add(reason);
      return *after;
    }
  } else {
    reason = crc16_why_not_device(options, offer);
  }
  counters_.add(Carrier::fallback, 1, bytes);
  counters_.add(reason);
  return crc16_by_processor(state, piece);
}

// The register after the piece; nothing if the device isn't ready, has no room, or failed where the processor may do it again.
std::optional<std::uint16_t> Engine::try_crc16_on_device(std::uint16_t state, const Crc16Piece& piece, Reason& why_not)
{
  if (!usable()) {
    why_not = why_not_usable();
    note_demand({.bytes = piece.bytes, .in = piece.kind, .out = piece.kind});
    return std::nullopt;
  }
  const std::size_t check_bytes = crc16_check_bytes(policy_.options, {piece.bytes, piece.kind});
  const bool patient = policy_.options.mode == Mode::always || !host_can_access(piece.kind);
  const MarkedRange marked(*bring_up_.device(), "gpuaes CRC-16", piece.bytes);
  try {
    const InFlight counted(bytes_in_flight_, piece.bytes);
    LaneLease lane = lanes_.acquire(*bring_up_.device(), crc16_needs(piece, check_bytes), patient ? Wait::for_a_lane : Wait::never);
    if (!lane) {
      why_not = Reason::no_room;
      refuse_if_always();
      return std::nullopt;
    }
    const std::uint16_t after = crc16_on_device(*lane, state, piece, check_bytes, turns_.fetch_add(1, std::memory_order_relaxed));
    failures_in_a_row_.store(0, std::memory_order_relaxed);
    counters_.add(Carrier::device, 1, piece.bytes);
    return after;
  } catch (const DeviceError& error) {
    why_not = Reason::device_failed;
    note_failure(error, dynamic_cast<const WrongResult*>(&error) != nullptr);
    if (policy_.options.fail_on_error || policy_.options.mode == Mode::always) throw;
    counters_.redone_on_cpu.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
}

// Through host memory, if the processor can't reach the data itself.
std::uint16_t Engine::crc16_by_processor(std::uint16_t state, const Crc16Piece& piece)
{
  if (host_can_access(piece.kind)) return crc16_update(state, piece.data, piece.bytes);
  SecretBytes bounce(std::min(piece.bytes, kBouncePiece));
  for (std::size_t at = 0; at < piece.bytes; at += bounce.size()) {
    const std::size_t bytes = std::min(bounce.size(), piece.bytes - at);
    copy(bounce.data(), piece.data + at, bytes);
    state = crc16_update(state, bounce.data(), bytes);
  }
  return state;
}

}  // namespace gpuaes
