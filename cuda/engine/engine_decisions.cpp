// Which calls the engine takes, and why it doesn't take the others: the policy asked with what is going on now.
#include "engine.h"
#include "names.h"

#include <algorithm>
#include <limits>

namespace gpuaes {

void Engine::refresh_offers()
{
  const std::lock_guard lock(offers_mutex_);
  const State state = this->state();
  const bool hopeless = state == State::absent || state == State::lost || state == State::forked || closing_.load();
  // With mode = always, hopeless work is still offered, to be refused.
  const bool never = hopeless && policy_.options.mode != Mode::always;
  const auto set = [never](SmallestOffers& offers, const auto& smallest) {
    constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
    offers.ordinary.store(never ? kNever : smallest(MemoryKind::ordinary), std::memory_order_relaxed);
    offers.pinned.store(never ? kNever : smallest(MemoryKind::pinned), std::memory_order_relaxed);
  };
  set(smallest_crc16_offers_, [this](MemoryKind kind) { return crc16_smallest_offer(policy_.options, kind); });
  for (const AesMode mode : {AesMode::ecb_encrypt, AesMode::ecb_decrypt, AesMode::ctr})
    for (const int rounds : {10, 12, 14})
      set(smallest_offers_[static_cast<std::size_t>(mode)][static_cast<std::size_t>(rounds - 10) / 2],
          [&](MemoryKind kind) { return policy().smallest_offer(mode, rounds, kind); });
}

bool Engine::required_for(const Offer& offer) const { return policy_.options.mode == Mode::always || !offer.on_host(); }

// With what is under way now.
bool Engine::finds_better(const Offer& offer, Route& route) const
{
  const Load load{
      .idle_helpers = useful_helpers(), .calls = calls_in_flight_.load(std::memory_order_relaxed) + 1, .crowded = crowded()};
  return policy().find_route(offer, route, load) && policy().prefers(offer, route);
}

// A forked child has none of its parent's threads but one.
std::atomic<std::size_t>& Engine::busy_threads() noexcept
{
  const unsigned now = fork_generation();
  if (busy_in_.load(std::memory_order_relaxed) != now && busy_in_.exchange(now) != now) busy_threads_.store(0);
  return busy_threads_;
}

// Then all memory is busy too, of which a thread takes more to combine keystream, or to copy through pinned memory, than to
// encrypt.
bool Engine::crowded() const noexcept
{
  const auto busy = static_cast<int>(busy_threads_.load(std::memory_order_relaxed));
  return busy > 1 && 2 * busy > processors_;
}

// Those that have nothing to do and, where other threads have large calls too, a processor to themselves.
int Engine::useful_helpers() const noexcept
{
  const auto busy = static_cast<int>(busy_threads_.load(std::memory_order_relaxed));
  if (busy <= 1) return helpers_.idle();
  return crowded() ? 0 : std::clamp(processors_ - busy, 0, helpers_.idle());
}

void Engine::note_demand(const Offer& offer)
{
  if (state() != State::idle) return;
  // A process with pinned or device memory has CUDA running already: the rest of bring-up is short.
  const bool cheap = policy_.options.startup.when == Startup::When::automatic &&
                     (offer.in != MemoryKind::ordinary || offer.out != MemoryKind::ordinary);
  if (cheap || demand_.add(offer.bytes)) start();
}

bool Engine::wants(const Offer& offer)
{
  if (required_for(offer)) return true;
  if (policy_.options.mode == Mode::never) return false;
  if (usable()) {
    Route route;
    return finds_better(offer, route);
  }
  note_demand(offer);
  return state() == State::starting && offer.bytes > kPieceWhileStarting;
}

bool Engine::ring_would_do(Offer offer) const
{
  if (ring_after() == 0 || offer.mode != AesMode::ctr || crowded()) return false;
  offer.has_ring = true;
  Route route;
  return !finds_better(offer, route);
}

// Before the device is ready: nobody has asked the policy about it yet.
void Engine::calibrate_policy(Device& device)
{
  if (!calibration_.cipher || policy_.options.mode != Mode::automatic) return;
  const std::string machine = device.info().name + ", driver " + platform_->software().driver + ", " + std::to_string(processors_) +
                              " processors, " + std::to_string(policy_.helpers) + " helpers";
  auto rates = calibration_.recall ? calibration_.recall(machine) : std::nullopt;
  measured_policy_.rates_from = rates ? "measured by earlier processes" : "measured";
  if (!rates) {
    rates = measure(device, helpers_, calibration_.cipher);
    if (calibration_.keep) rates = calibration_.keep(machine, *rates);
  }
  measured_policy_.rates = calibrate(*rates, policy_.rates);
  policy_in_force_.store(&measured_policy_, std::memory_order_release);
}

Reason Engine::why_not(const Offer& offer) const
{
  return usable() ? why_not_device(policy(), offer, useful_helpers()) : why_not_usable();
}

Reason Engine::why_not_usable() const noexcept
{
  if (policy_.options.mode == Mode::never) return Reason::never;
  const State state = this->state();
  return state == State::idle || state == State::starting ? Reason::not_ready : Reason::no_device;
}

Reason Engine::why_small_calls_stay(std::size_t smallest) const noexcept
{
  if (smallest != std::numeric_limits<std::size_t>::max()) return Reason::too_small;
  // None is large enough: because the processor is faster at every size, or because nothing is offered any more.
  const Reason reason = why_not_usable();
  return usable() || reason == Reason::not_ready ? Reason::cpu_faster : reason;
}

Decision Engine::decision(const Offer& offer, const std::string& route, Reason reason) const
{
  Route on_device;
  const bool possible = policy().find_route(offer, on_device, {.idle_helpers = useful_helpers()});
  return {.algorithm = name_of(offer.mode, offer.rounds),
          .bytes = offer.bytes,
          .in = offer.in,
          .out = offer.out,
          .route = route,
          .reason = reason,
          .device_seconds = possible ? on_device.seconds : 0,
          .cpu_seconds = policy().fallback_seconds(offer)};
}

}  // namespace gpuaes
