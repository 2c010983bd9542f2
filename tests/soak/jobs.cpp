#include "jobs.h"

#include "support/both.h"
#include "support/crc16_reference.h"
#include "support/digest.h"
#include "support/test_memory.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>

namespace gpuaes::test {
namespace {

const std::string kCiphers[] = {"AES-128-CTR", "AES-192-CTR", "AES-256-CTR", "AES-128-ECB", "AES-192-ECB", "AES-256-ECB"};
constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::ordinary, MemoryKind::ordinary, MemoryKind::pinned,
                                 MemoryKind::pinned,   MemoryKind::managed,  MemoryKind::device};
// A stream of small calls gets keystream ahead on the way.
constexpr std::size_t kSmallCalls = 400;
constexpr std::size_t kLargestSmallCall = std::size_t{16} << 10;
constexpr std::size_t kMostLargeCalls = 4;
// The reference for digests takes a bit at a time.
constexpr std::size_t kLargestDigested = std::size_t{1} << 20;
constexpr std::size_t kLargestShift = 17;

// Input of any length, at some place in bytes that all jobs share.
std::span<const std::uint8_t> any_bytes(std::size_t bytes, Random& random, std::size_t largest)
{
  static const Bytes all = random_bytes(largest + (std::size_t{64} << 10), 1);
  return std::span(all).subspan(random.below(all.size() - bytes), bytes);
}

MemoryKind any_kind(Random& random, const JobLimits& limits)
{
  const MemoryKind kind = random.pick(kKinds);
  const bool allowed = kind == MemoryKind::pinned ? limits.pinned_memory : !lives_on_device(kind) || limits.device_memory;
  return allowed ? kind : MemoryKind::ordinary;
}

Placement any_place(Random& random, const JobLimits& limits)
{
  Placement place{.in = any_kind(random, limits), .out = any_kind(random, limits), .one_buffer = random.one_in(2)};
  // Half of them aligned.
  place.in_at = random.one_in(2) ? 0 : random.below(kLargestShift);
  place.out_at = random.one_in(2) ? place.in_at : random.below(kLargestShift);
  if (place.one_buffer) {
    place.in = place.out;
    place.out_at = place.in_at;
  }
  return place;
}

// With a new key, a new IV, both, or neither.
void begin_again(Both& both, Random& random, bool with_key)
{
  const Bytes key = test_key(32, static_cast<std::uint8_t>(random.below(256)));
  Bytes iv = pattern(16, random.below(251));
  if (random.one_in(2)) std::fill(iv.begin(), iv.end() - 2, std::uint8_t{0xff});  // the counter overflows before long
  const bool has_key = with_key || random.one_in(2);
  const bool has_iv = with_key || random.one_in(2);
  // Without a new key, the direction stays: an ECB key is for one.
  const int encrypt = has_key ? static_cast<int>(random.below(2)) : -1;
  both.init(nullptr, has_key ? &key : nullptr, has_iv ? &iv : nullptr, encrypt, nullptr);
  const int padding = random.one_in(2) ? 1 : 0;
  both.call("padding", [&](EVP_CIPHER_CTX* context, bool) { return Seen{{EVP_CIPHER_CTX_set_padding(context, padding)}, {}}; });
}

class StreamJob {
 public:
  StreamJob(const Library& library, Random& random, const JobLimits& limits)
      : random_(random), limits_(limits), both_(std::make_unique<Both>(library, random.pick(kCiphers)))
  {
    begin_again(*both_, random_, true);
  }

  JobsDone run()
  {
    const bool small = random_.one_in(3);
    const std::size_t calls = small ? kSmallCalls : 1 + random_.below(kMostLargeCalls);
    const std::size_t largest = small ? std::min(kLargestSmallCall, limits_.largest) : limits_.largest;
    Placement place = any_place(random_, limits_);
    for (std::size_t i = 0; i < calls; ++i) {
      // A stream's buffers change seldom.
      if (!small || random_.one_in(100)) place = any_place(random_, limits_);
      update(*both_, largest, place);
      if (random_.one_in(small ? 150 : 4)) step_aside(largest);
    }
    both_->compare_position();
    both_->final(any_kind(random_, limits_));
    done_.jobs = 1;
    return done_;
  }

 private:
  void update(Both& both, std::size_t largest, const Placement& place)
  {
    const auto in = any_bytes(random_.size(largest), random_, limits_.largest);
    both.update(in, place);
    done_.calls += 1;
    done_.bytes += in.size();
  }

  void step_aside(std::size_t largest)
  {
    both_->compare_position();
    switch (random_.below(3)) {
      case 0:
        begin_again(*both_, random_, false);
        break;
      case 1: {
        Both copy(*both_);
        update(copy, largest, any_place(random_, limits_));
        break;
      }
      default:
        both_ = std::make_unique<Both>(*both_);
        break;
    }
  }

  Random& random_;
  const JobLimits& limits_;
  std::unique_ptr<Both> both_;
  JobsDone done_;
};

JobsDone do_digest(const Library& library, Random& random, const JobLimits& limits)
{
  Digesting digesting(library, "CRC16");
  std::uint16_t expected = 0xffff;
  JobsDone done{.jobs = 1};
  for (std::size_t left = 1 + random.below(kMostLargeCalls); left > 0; --left) {
    const auto in = any_bytes(random.size(std::min(kLargestDigested, limits.largest)), random, limits.largest);
    const std::size_t at = random.below(kLargestShift);
    TestMemory memory(any_kind(random, limits), at + in.size());
    memory.upload(Bytes(in.begin(), in.end()), at);
    digesting.update(memory.data() + at, in.size());
    expected = crc16_by_bits(expected, in);
    done.calls += 1;
    done.bytes += in.size();
  }
  const Bytes value = {static_cast<std::uint8_t>(expected >> 8), static_cast<std::uint8_t>(expected)};
  if (const std::string got = digesting.final(); got != to_hex(value))
    throw Difference("CRC16: " + got + " instead of " + to_hex(value));
  return done;
}

JobsDone do_load(Random& random, const JobLimits& limits)
{
  const Library own = Library::with_environment();
  if (random.one_in(2)) own.settled_state();
  JobsDone done = do_stream(own, random, limits);
  done.loads = 1;
  return done;
}

}  // namespace

std::size_t Random::size(std::size_t largest)
{
  const std::size_t end = std::size_t{1} << below(static_cast<std::size_t>(std::bit_width(largest)));
  return below(end + 1);
}

JobsDone& JobsDone::operator+=(const JobsDone& more)
{
  jobs += more.jobs;
  calls += more.calls;
  bytes += more.bytes;
  loads += more.loads;
  return *this;
}

JobsDone do_stream(const Library& library, Random& random, const JobLimits& limits)
{
  return StreamJob(library, random, limits).run();
}

JobsDone do_any_job(const Library& library, Random& random, const JobLimits& limits)
{
  steps_so_far().clear();
  if (random.one_in(12)) return do_load(random, limits);
  if (random.one_in(4)) return do_digest(library, random, limits);
  return do_stream(library, random, limits);
}

}  // namespace gpuaes::test
