#include "calibration.h"

#include "buffer.h"
#include "xor_bytes.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

namespace gpuaes {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
// Large enough that latencies matter little, small enough for several in a millisecond.
constexpr std::size_t kLarge = 4 * kMiB;
constexpr std::size_t kSmall = kMiB / 16;
constexpr std::size_t kZeroCopy = 2 * kMiB;
// What a cipher is measured on, and the memory that it walks through: more than a core's own caches hold.
constexpr std::size_t kCipherBytes = kMiB;
constexpr std::size_t kWalk = 5 * kLarge;
constexpr int kTimes = 5;

double now(clockid_t clock)
{
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double per_ns(std::size_t bytes, double ns) { return static_cast<double>(bytes) / std::max(ns, 1.0); }

class Bench {
 public:
  Bench(Device& device, Helpers& helpers, const ReferenceCipher& cipher, std::chrono::nanoseconds longest)
      : deadline_(now(CLOCK_MONOTONIC) + static_cast<double>(longest.count())),
        helpers_(helpers),
        cipher_(cipher),
        on_device_(device, MemoryKind::device, 2 * kLarge),
        pinned_(device, MemoryKind::pinned, 2 * kLarge),
        one_way_(device.make_stream()),
        other_way_(device.make_stream()),
        walk_(kWalk)
  {
    std::memset(pinned_.data(), 0, pinned_.size());
  }

  // In the order of what the policy would miss most.
  void run(Rates& rates)
  {
    measure_device(rates);
    measure_processors(rates);
    measure_threads(rates);
  }

 private:
  // The median time of `work`, or nothing when the time is over. The first time is for the caches.
  template <typename Work>
  std::optional<double> typical(clockid_t clock, const Work& work)
  {
    std::vector<double> times;
    for (int i = 0; i <= kTimes; ++i) {
      if (now(CLOCK_MONOTONIC) > deadline_) return {};
      const double begun = now(clock);
      work();
      if (i > 0) times.push_back(now(clock) - begun);
    }
    std::nth_element(times.begin(), times.begin() + kTimes / 2, times.end());
    return times[kTimes / 2];
  }

  template <typename Work>
  void set_rate(double& rate, std::size_t bytes, double latency_ns, clockid_t clock, const Work& work)
  {
    if (const auto ns = typical(clock, work)) rate = per_ns(bytes, *ns - std::min(latency_ns, *ns / 2));
  }

  template <typename Work>
  void set_latency(double& latency_ns, const Work& work)
  {
    if (const auto ns = typical(CLOCK_MONOTONIC, work)) latency_ns = *ns;
  }

  void encrypt(Stream& stream, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes)
  {
    AesJob job{.mode = AesMode::ctr, .rounds = key_.rounds(), .keys = key_.schedule(AesMode::ctr), .in = in, .out = out};
    job.blocks = bytes / kBlockBytes;
    stream.run(job);
  }

  void measure_device(Rates& rates)
  {
    std::uint8_t* const there = on_device_.data();
    std::uint8_t* const here = pinned_.data();
    Stream& up = *one_way_;
    Stream& down = *other_way_;
    set_latency(rates.direct_latency_ns, [&] {
      encrypt(up, there, there + kLarge, kSmall);
      up.wait();
    });
    double give_ns = 0;
    set_latency(rates.copied_latency_ns, [&] {
      const double begun = now(CLOCK_MONOTONIC);
      up.copy(there, here, kSmall);
      encrypt(up, there, there, kSmall);
      up.copy(here + kLarge, there, kSmall);
      up.done();
      give_ns = now(CLOCK_MONOTONIC) - begun;
      up.wait();
    });
    if (give_ns > 0) rates.chunk_ns = give_ns;
    set_rate(rates.kernel, kLarge, rates.direct_latency_ns, CLOCK_MONOTONIC, [&] {
      encrypt(up, there, there + kLarge, kLarge);
      up.wait();
    });
    set_rate(rates.zero_copy, kZeroCopy, rates.direct_latency_ns, CLOCK_MONOTONIC, [&] {
      encrypt(up, here, here + kLarge, kZeroCopy);
      up.wait();
    });
    double copy_ns = 0;
    set_latency(copy_ns, [&] {
      up.copy(there, here, kSmall);
      up.wait();
    });
    set_rate(rates.link_one_way, kLarge, copy_ns, CLOCK_MONOTONIC, [&] {
      up.copy(there, here, kLarge);
      up.wait();
    });
    set_rate(rates.link_both_ways, kLarge, copy_ns, CLOCK_MONOTONIC, [&] {
      up.copy(there, here, kLarge);
      down.copy(here + kLarge, there + kLarge, kLarge);
      up.wait();
      down.wait();
    });
  }

  // Another part of the memory each time.
  std::uint8_t* next(std::size_t bytes)
  {
    at_ = at_ + bytes > kWalk ? 0 : at_;
    return walk_.data() + std::exchange(at_, at_ + bytes);
  }

  void measure_processors(Rates& rates)
  {
    for (const AesMode mode : {AesMode::ctr, AesMode::ecb_encrypt, AesMode::ecb_decrypt})
      for (const int rounds : {10, 14, 12})
        set_rate(rates.cpu[static_cast<std::size_t>(mode)][(rounds - 10) / 2], kCipherBytes, 0, CLOCK_THREAD_CPUTIME_ID, [&] {
          std::uint8_t* const data = next(kCipherBytes);
          cipher_(mode, rounds, data, data, kCipherBytes);
        });
  }

  void measure_threads(Rates& rates)
  {
    std::uint8_t* const here = pinned_.data();
    set_rate(rates.ring_thread, kLarge, 0, CLOCK_THREAD_CPUTIME_ID, [&] {
      std::uint8_t* const data = next(kSmall);
      for (std::size_t i = 0; i < kLarge; i += kSmall) xor_bytes(data, data, here + i, kSmall, Stores::cached);
    });
    set_rate(rates.staging_thread, kLarge, 0, CLOCK_THREAD_CPUTIME_ID, [&] { std::memcpy(here, next(kLarge), kLarge); });
    const int helpers = std::min(helpers_.idle(), static_cast<int>(kWalk / kLarge) - 1);
    if (helpers > 0) set_latency(rates.helpers_latency_ns, [&] { gather(helpers); });
    // All at once, since they get into each other's way: each on a part of its own.
    set_rate(rates.xor_thread, kLarge, helpers > 0 ? rates.helpers_latency_ns : 0, CLOCK_MONOTONIC, [&] {
      std::atomic<std::size_t> next_part{0};
      helpers_.share(helpers, [&] {
        constexpr std::size_t kParts = 4;  // of kLarge
        constexpr std::size_t kBytes = kLarge / kParts;
        for (std::size_t part; (part = next_part.fetch_add(1)) < static_cast<std::size_t>(1 + helpers) * kParts;)
          xor_bytes(walk_.data() + part * kBytes, walk_.data() + part * kBytes, here + part % kParts * kBytes, kBytes,
                    Stores::streaming);
      });
    });
  }

  // Returns when all are at work, or one of them doesn't come.
  void gather(int helpers)
  {
    constexpr double kLongest = 1e6;
    std::atomic<int> there{0};
    const double begun = now(CLOCK_MONOTONIC);
    helpers_.share(helpers, [&] {
      there.fetch_add(1);
      while (there.load() <= helpers && now(CLOCK_MONOTONIC) < begun + kLongest) std::this_thread::yield();
    });
  }

  const double deadline_;
  Helpers& helpers_;
  const ReferenceCipher& cipher_;
  const AesKey key_{std::vector<std::uint8_t>(32)};
  const Buffer on_device_;
  const Buffer pinned_;
  // After the buffers, so that they have waited for their work before those go.
  const std::unique_ptr<Stream> one_way_;
  const std::unique_ptr<Stream> other_way_;
  std::vector<std::uint8_t> walk_;
  std::size_t at_ = 0;
};

}  // namespace

Rates measure(Device& device, Helpers& helpers, const ReferenceCipher& cipher, std::chrono::nanoseconds longest)
{
  Rates measured = kCalibratedOnReference;
  Bench(device, helpers, cipher, longest).run(measured);
  return measured;
}

Rates calibrate(const Rates& measured, const Rates& rates)
{
  Rates result = rates;
  Rates here = measured;
  Rates there = kCalibratedOnReference;
  const auto to = rates_by_name(result);
  const auto found = rates_by_name(here);
  const auto expected = rates_by_name(there);
  for (std::size_t i = 0; i < to.size(); ++i) *to[i].second *= *found[i].second / *expected[i].second;
  return result;
}

}  // namespace gpuaes
