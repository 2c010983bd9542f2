#include "engine.h"

#include "../core/processors.h"
#include "../core/secret_bytes.h"
#include "in_flight.h"
#include "names.h"
#include "why_unusable.h"

#include <algorithm>
#include <new>

namespace gpuaes {
namespace {

constexpr int kFailuresBeforeGivingUp = 3;
constexpr const char* kNoDeviceForData = "The data is in device memory, but no device can be used: ";

int default_helpers() { return std::min(4, usable_processors() / 4); }

Policy make_policy(Options options)
{
  const int helpers = options.helper_threads.value_or(default_helpers());
  return {.options = std::move(options), .helpers = helpers};
}

bool is_aligned(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % kBlockBytes == 0; }

}  // namespace

Engine::Engine(Options options, std::unique_ptr<Platform> platform, Calibration calibration)
    : platform_(std::move(platform)),
      policy_(make_policy(std::move(options))),
      measured_policy_(policy_),
      calibration_(std::move(calibration)),
      trace_(policy_.options.trace),
      processors_(usable_processors()),
      demand_(policy_.options.startup),
      helpers_(policy_.helpers),
      bring_up_(
          *platform_, policy_.options.devices, [this](Device& device) { try_out(device); }, [this] { refresh_offers(); }),
      lanes_(policy_.options),
      rings_(lanes_, counters_)
{
  refresh_offers();
  if (policy_.options.startup.when == Startup::When::on_load && policy_.options.mode != Mode::never) start();
}

Engine::~Engine()
{
  remove_exit_listener(*this);
  closing_.store(true);
  bring_up_.stop();
  rings_.close();
}

void Engine::dispose(std::unique_ptr<Engine> engine) noexcept
{
  if (engine == nullptr) return;
  if (engine->state() == State::forked || process_is_exiting()) static_cast<void>(engine.release());
}

void Engine::on_exit() noexcept
{
  if (state() == State::forked) return;
  closing_.store(true);
  refresh_offers();
  bring_up_.stop();
  rings_.close();
  // CUDA takes its pinned memory away in a handler of its own, which runs after this one.
  lanes_.wipe_idle();
}

std::string Engine::reason() const { return policy_.options.mode == Mode::never ? why::kModeNever : bring_up_.reason(); }

std::vector<TestResult> Engine::test_results() const
{
  const State state = this->state();
  // While the thread is at it, and in a child that was forked meanwhile, nobody may look.
  return state == State::starting || state == State::forked ? std::vector<TestResult>() : test_results_;
}

bool Engine::start_and_wait(std::chrono::seconds longest)
{
  if (policy_.options.mode != Mode::never && !closing_.load()) {
    start();
    bring_up_.wait_for(longest);
  }
  return usable();
}

MemoryKind Engine::kind_of(const void* memory, std::size_t bytes) const noexcept
{
  // In a forked child, of an idle engine too, the driver may not be asked: a thread of the parent may have held its locks.
  if (bytes == 0 || device_pointers() == DevicePointers::impossible) return MemoryKind::ordinary;
  const MemoryPlace first = platform_->place_of(memory);
  // Pages locked in part only are as good as none: copy engine and kernel would fail at the seam.
  if (first.kind == MemoryKind::pinned && bytes > 1 &&
      platform_->place_of(static_cast<const std::uint8_t*>(memory) + bytes - 1).kind != MemoryKind::pinned)
    return MemoryKind::ordinary;
  if (first.kind == MemoryKind::device && state() == State::ready && first.ordinal != bring_up_.device()->info().ordinal)
    return MemoryKind::peer;
  return first.kind;
}

Offer Engine::describe(AesMode mode, int rounds, const void* in, const void* out, std::size_t bytes, bool known_ordinary) const
{
  Offer offer{.mode = mode, .rounds = rounds, .bytes = bytes, .aligned = is_aligned(in) && is_aligned(out), .in_place = in == out};
  if (known_ordinary || device_pointers() == DevicePointers::impossible) return offer;
  offer.in = kind_of(in, bytes);
  offer.out = offer.in_place ? offer.in : kind_of(out, bytes);
  return offer;
}

void Engine::note_stream(std::size_t bytes)
{
  if (state() == State::idle && demand_.add(bytes)) start();
}

std::shared_ptr<KeystreamRing> Engine::start_ring(const AesKey& key, const Counter& origin, KeystreamRing::Reference reference)
{
  if (!usable() || crowded()) return nullptr;
  auto ring = std::make_shared<KeystreamRing>(key, origin, policy_.ring_shape(), policy_.options.verify, std::move(reference));
  if (!rings_.add(*bring_up_.device(), ring, policy().most_rings(key.rounds()))) return nullptr;
  return ring;
}

void Engine::drop_ring(const std::shared_ptr<KeystreamRing>& ring) noexcept
{
  if (state() != State::forked) return rings_.drop(ring);
  // What a forked child has inherited of a ring it must neither use nor free: all but the key is leaked on purpose.
  ring->forget_key();
  static_cast<void>(new (std::nothrow) std::shared_ptr<KeystreamRing>(ring));
}

std::size_t Engine::combine(KeystreamRing& ring, std::int64_t position, const std::uint8_t* in, std::uint8_t* out,
                            std::size_t bytes, Stores stores)
{
  const bool in_memory = stores == Stores::streaming;
  if (!usable() || (in_memory && crowded()) || !ring.claim()) return 0;
  std::size_t done = 0;
  try {
    ring.combine(position, in, out, bytes, stores, done);
    const bool fill = ring.take_call_for_fill();
    ring.release();
    if (fill) {
      failures_in_a_row_.store(0, std::memory_order_relaxed);
      rings_.call_for_fill();
    }
  } catch (const DeviceError& error) {
    ring.retire();
    note_failure(error, ring.found_wrong_result());
    if (policy_.options.fail_on_error) throw;
    counters_.redone_on_cpu.fetch_add(1, std::memory_order_relaxed);
  }
  return done;
}

// In a child that has inherited an idle engine, the list of listeners is a new one.
void Engine::start()
{
  if (process_is_exiting()) return;
  add_exit_listener(*this);
  bring_up_.start();
}

// Waits for the device; throws, with `what` before the reason, if there is none.
void Engine::require_device(const char* what)
{
  if (policy_.options.mode != Mode::never && !closing_.load()) {
    start();
    bring_up_.wait();
  }
  if (!usable()) throw DeviceError(state() == State::lost ? DeviceError::Kind::lost : DeviceError::Kind::absent, what + reason());
}

void Engine::require_device_for_digest()
{
  require_device(policy_.options.mode == Mode::always ? "mode = always: " : kNoDeviceForData);
}

void Engine::try_out(Device& device)
{
  const MarkedRange marked(device, "gpuaes known-answer tests", 0);
  note_known_answer_tests(device, test_results_);
  calibrate_policy(device);
}

void Engine::process(const AesRequest& request)
{
  const Offer offer = describe(request.mode, request.key->rounds(), request.in, request.out, request.bytes);
  wants(offer);  // for the demand that it notes; done here it is in any case
  process(request, offer);
}

void Engine::process(const AesRequest& request, const Offer& whole)
{
  if (required_for(whole)) {
    const bool was_ready = usable();
    require_device(policy_.options.mode == Mode::always ? "mode = always: " : kNoDeviceForData);
    // Which device memory is on matters only now that one has been chosen.
    if (!was_ready) return process(request, describe(whole.mode, whole.rounds, request.in, request.out, request.bytes));
  }
  Carrier carrier = Carrier::fallback;
  Reason reason = Reason::no_device;
  Route route;
  const TracedCall traced(trace_, whole.bytes, reason, [&] {
    return decision(whole, reason == Reason::shared || carrier != Carrier::fallback ? name_of(route) : std::string(), reason);
  });
  for (std::size_t at = 0; at < request.bytes;) {
    AesRequest rest = request;
    rest.in += at;
    rest.out += at;
    rest.bytes -= at;
    rest.counter = request.counter.plus(at / kBlockBytes);
    rest.reference = [&request, at](std::size_t offset, const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
      request.reference(at + offset, from, to, count);
    };
    Offer offer = whole;
    offer.bytes = rest.bytes;
    offer.aligned = is_aligned(rest.in) && is_aligned(rest.out);
    offer.in_place = rest.in == rest.out;

    if (usable() && finds_better(offer, route)) {
      std::size_t left = 0;
      Reason why_left{};
      for (const Range& range : run(rest, offer, route, why_left)) {
        redo(rest, offer, range);
        left += range.bytes;
      }
      if (left < rest.bytes) carrier = route.carrier();
      reason = left < rest.bytes ? why_device(policy(), offer, route) : why_left;
      break;
    }
    reason = why_not(offer);
    refuse_if_always();
    const std::size_t piece = state() == State::starting ? std::min(rest.bytes, kPieceWhileStarting) : rest.bytes;
    redo(rest, offer, {0, piece});
    at += piece;
  }
  counters_.add(carrier, 1, 0);
  counters_.add(reason);
}

// For work that no lane could be had for.
void Engine::refuse_if_always() const
{
  if (policy_.options.mode == Mode::always)
    throw DeviceError(DeviceError::Kind::out_of_memory,
                      "mode = always: pinned_bytes or device_bytes leaves no room for this call.");
}

std::vector<Range> Engine::run(const AesRequest& request, const Offer& offer, const Route& route, Reason& why_left)
{
  const MarkedRange marked(*bring_up_.device(), route.carrier() == Carrier::keystream ? "gpuaes keystream" : "gpuaes AES",
                           request.bytes);
  Pipeline pipeline(*bring_up_.device(), lanes_, request, offer, route, check_area(policy_.options.verify), required_for(offer));
  {
    const InFlight bytes(bytes_in_flight_, request.bytes);
    const InFlight calls(calls_in_flight_, route.lanes_each > 0 ? 1 : 0);
    pipeline.run(helpers_);
  }
  std::vector<Range> unfinished = pipeline.unfinished();
  std::size_t left = 0;
  for (const Range& range : unfinished) left += range.bytes;
  counters_.add(Carrier::fallback, 0, pipeline.bytes_by_processor());
  counters_.add(route.carrier(), 0, request.bytes - left - pipeline.bytes_by_processor());

  const auto& error = pipeline.error();
  why_left = error ? Reason::device_failed : Reason::no_room;
  if (!error) {
    failures_in_a_row_.store(0, std::memory_order_relaxed);
    if (left > 0) refuse_if_always();
    return unfinished;
  }
  note_failure(*error, pipeline.found_wrong_result());
  if (pipeline.input_destroyed())
    throw DeviceError(error->kind(), std::string("Data that was being changed in place on the device is lost: ") + error->what());
  if (policy_.options.fail_on_error || policy_.options.mode == Mode::always) throw *error;
  counters_.redone_on_cpu.fetch_add(1, std::memory_order_relaxed);
  return unfinished;
}

void Engine::note_failure(const DeviceError& error, bool wrong_result)
{
  counters_.device_errors.fetch_add(1, std::memory_order_relaxed);
  if (wrong_result) counters_.verify_failures.fetch_add(1, std::memory_order_relaxed);
  if (error.kind() == DeviceError::Kind::lost) return lose_device(error.what());
  // Memory that others hold now they may give back later.
  if (error.kind() == DeviceError::Kind::out_of_memory) return;
  if (failures_in_a_row_.fetch_add(1, std::memory_order_relaxed) + 1 >= kFailuresBeforeGivingUp)
    lose_device(std::string("The device failed several times in a row, last with: ") + error.what());
}

// What it was still to wipe, the processor wipes.
void Engine::lose_device(const std::string& why)
{
  bring_up_.lose(why);
  lanes_.wipe_idle();
}

// Does a range on the processor; through host memory, if it can't reach the data itself.
void Engine::redo(const AesRequest& request, const Offer& offer, const Range& range)
{
  if (offer.on_host()) {
    request.reference(range.offset, request.in + range.offset, request.out + range.offset, range.bytes);
  } else {
    SecretBytes bounce(std::min(range.bytes, kBouncePiece));
    for (std::size_t done = 0; done < range.bytes; done += bounce.size()) {
      const std::size_t at = range.offset + done;
      const std::size_t count = std::min(bounce.size(), range.bytes - done);
      copy(bounce.data(), request.in + at, count);
      request.reference(at, bounce.data(), bounce.data(), count);
      copy(request.out + at, bounce.data(), count);
    }
  }
  counters_.add(Carrier::fallback, 0, range.bytes);
}

void Engine::copy(void* to, const void* from, std::size_t bytes)
{
  if (bytes == 0) return;
  require_device(kNoDeviceForData);
  try {
    LaneLease lane = lanes_.acquire(*bring_up_.device(), {});
    lane->stream->follow_application();
    lane->stream->copy(to, from, bytes);
    lane->stream->wait();
  } catch (const DeviceError& error) {
    // What merely failed may be the caller's pointer.
    if (error.kind() == DeviceError::Kind::lost) note_failure(error, false);
    throw;
  }
}

}  // namespace gpuaes
