// One engine a provider context (or command): its device, lanes, helper threads, policy and counters.
//
// It does every request to the end: on the device where the policy prefers that, else, and after any failure, through the request's
// own reference function. All members may be called from any thread.
#pragma once

#include "bring_up.h"
#include "calibration.h"
#include "counters.h"
#include "crc16_run.h"
#include "demand.h"
#include "helpers.h"
#include "known_answers.h"
#include "lanes.h"
#include "pipeline.h"
#include "policy.h"
#include "request.h"
#include "rings.h"
#include "trace.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>

namespace gpuaes {

class Engine final : private ExitListener {
 public:
  Engine(Options options, std::unique_ptr<Platform> platform, Calibration calibration = {});
  // No request may be under way.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Destroys an engine, or leaks it on purpose where nothing of it can be freed: in a forked child that inherited its device, and
  // after exit() has begun.
  static void dispose(std::unique_ptr<Engine> engine) noexcept;

  State state() const noexcept { return bring_up_.state(); }
  std::string reason() const;
  std::string device_name() const { return bring_up_.device_name(); }
  std::optional<DeviceInfo> device_info() const { return bring_up_.device_info(); }
  Software software() const { return platform_->software(); }
  // Of the device that was last brought up, or refused.
  std::vector<TestResult> test_results() const;
  // Starts the device unless that was done before, and waits until it is clear whether there is one. Returns whether it can be
  // used.
  bool start_and_wait(std::chrono::seconds longest);
  Counters& counters() noexcept { return counters_; }
  const LanePool& lanes() const noexcept { return lanes_; }
  // The policy as it is now: its rates change when they have been measured.
  const Policy& policy() const noexcept { return *policy_in_force_.load(std::memory_order_acquire); }

  // Requests on host memory of fewer bytes than this are never better off on a device: the caller may serve them without asking
  // further. They change with the state.
  struct SmallestOffers {
    std::atomic<std::size_t> ordinary{0};
    std::atomic<std::size_t> pinned{0};  // if the memory may be pinned

    std::size_t of(bool may_be_pinned) const noexcept
    {
      return (may_be_pinned ? pinned : ordinary).load(std::memory_order_relaxed);
    }
  };
  const SmallestOffers& smallest_offers(AesMode mode, int rounds) const noexcept
  {
    return smallest_offers_[static_cast<std::size_t>(mode)][static_cast<std::size_t>(rounds - 10) / 2];
  }

  // The same for pieces of a message to digest.
  const SmallestOffers& smallest_crc16_offers() const noexcept { return smallest_crc16_offers_; }

  // Impossible in a forked child: what was on a device there belongs to the parent, and CUDA can't be asked.
  DevicePointers device_pointers() const noexcept
  {
    return state() == State::forked ? DevicePointers::impossible : platform_->device_pointers();
  }
  // The kind of `bytes` bytes at `memory`, as this engine's device sees them. Asks the driver once or twice.
  MemoryKind kind_of(const void* memory, std::size_t bytes) const noexcept;

  // How many threads are in the middle of a call that is large enough to be offered, whoever does it. For callers to count
  // themselves.
  std::atomic<std::size_t>& busy_threads() noexcept;

  // A call as the policy sees it; asks for the kinds of its memory unless that is known to be ordinary.
  Offer describe(AesMode mode, int rounds, const void* in, const void* out, std::size_t bytes, bool known_ordinary = false) const;

  // Whether a call should come to process(). If not, the caller serves it in its own way and has lost nothing.
  bool wants(const Offer& offer);
  // Why not: for the caller to count.
  Reason why_not(const Offer& offer) const;
  // Why calls stay with the caller that are below `smallest`, a smallest offer.
  Reason why_small_calls_stay(std::size_t smallest) const noexcept;
  // For a call that the caller serves although it was large enough to be offered.
  auto trace_kept(const Offer& offer, const Reason& reason) const
  {
    return TracedCall(trace_, offer.bytes, reason, [this, &offer, &reason] { return decision(offer, "", reason); });
  }

  // Does the whole request, whose memory `offer` describes. Throws DeviceError if that wasn't possible: data only a device can
  // reach and no device, or a failure where the options say that a failure is an error. What the output then holds is undefined.
  void process(const AesRequest& request, const Offer& offer);
  void process(const AesRequest& request);

  // CRC-16's register after `bytes` bytes more, at least one, in memory of that kind; by whoever is better off. Throws DeviceError
  // as process() does.
  std::uint16_t crc16(std::uint16_t state, const std::uint8_t* data, std::size_t bytes, MemoryKind kind);

  // Keystream ahead, for CTR contexts whose calls are too small to be offered. A context that has done this many bytes in a row
  // should ask for a ring; 0: it shouldn't.
  std::size_t ring_after() const noexcept { return policy_.ring_shape().bytes(); }
  // Whether a context with a ring would do such a call by it.
  bool ring_would_do(Offer offer) const;
  // What such contexts do by themselves from then on: it counts towards starting the device.
  void note_stream(std::size_t bytes);
  // A ring for the keystream from the block of `origin` on; null if there can be none now.
  std::shared_ptr<KeystreamRing> start_ring(const AesKey& key, const Counter& origin, KeystreamRing::Reference reference);
  void drop_ring(const std::shared_ptr<KeystreamRing>& ring) noexcept;
  // Combines as many bytes as the ring has keystream for from `position` on, and returns their number: in a crowd none of data that
  // no cache holds. Throws DeviceError, after which nobody knows how many, only if the options say that a failure is an error.
  std::size_t combine(KeystreamRing& ring, std::int64_t position, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes,
                      Stores stores);

  // Copies between host and device memory and waits. Throws DeviceError.
  void copy(void* to, const void* from, std::size_t bytes);

 private:
  // While the device comes up, work is done in pieces of this size, so that a long call can change over in the middle.
  static constexpr std::size_t kPieceWhileStarting = std::size_t{8} << 20;
  // Of data that goes through host memory because the processor can't reach it.
  static constexpr std::size_t kBouncePiece = std::size_t{1} << 20;

  void on_exit() noexcept override;
  void try_out(Device& device);
  void calibrate_policy(Device& device);
  void refresh_offers();
  void note_demand(const Offer& offer);
  bool usable() const noexcept { return state() == State::ready && !closing_.load(); }
  // Whether only the device can do it.
  bool required_for(const Offer& offer) const;
  bool finds_better(const Offer& offer, Route& route) const;
  Reason why_not_usable() const noexcept;
  Decision decision(const Offer& offer, const std::string& route, Reason reason) const;
  int useful_helpers() const noexcept;
  bool crowded() const noexcept;
  void start();
  void require_device(const char* what);
  // Returns what it did not do, and why, and counts what it did.
  std::vector<Range> run(const AesRequest& request, const Offer& offer, const Route& route, Reason& why_left);
  void refuse_if_always() const;
  void note_failure(const DeviceError& error, bool wrong_result);
  void lose_device(const std::string& why);
  void redo(const AesRequest& request, const Offer& offer, const Range& range);
  void require_device_for_digest();
  std::optional<std::uint16_t> try_crc16_on_device(std::uint16_t state, const Crc16Piece& piece, Reason& why_not);
  std::uint16_t crc16_by_processor(std::uint16_t state, const Crc16Piece& piece);

  const std::unique_ptr<Platform> platform_;
  const Policy policy_;  // as built in
  Policy measured_policy_;
  std::atomic<const Policy*> policy_in_force_{&policy_};
  const Calibration calibration_;
  const Trace trace_;
  Counters counters_;
  std::vector<TestResult> test_results_;  // written by the thread that brings the device up, and read when that is over
  std::mutex offers_mutex_;               // for writing what follows
  std::array<std::array<SmallestOffers, 3>, kAesModes> smallest_offers_{};  // by mode and key size
  SmallestOffers smallest_crc16_offers_;
  std::atomic<std::uint64_t> turns_{0};  // of samples
  const int processors_;
  Demand demand_;
  std::atomic<std::size_t> bytes_in_flight_{0};
  std::atomic<std::size_t> calls_in_flight_{0};
  std::atomic<std::size_t> busy_threads_{0};
  std::atomic<unsigned> busy_in_{fork_generation()};  // of which process they are
  std::atomic<int> failures_in_a_row_{0};
  std::atomic<bool> closing_{false};
  Helpers helpers_;
  BringUp bring_up_;
  LanePool lanes_;  // after the device that its buffers are of, so that they go first
  Rings rings_;     // after the lanes that it holds
};

}  // namespace gpuaes
