// Sequences of calls on cipher contexts: everything that an application sees of gpuaes on the stand-in, whatever its settings and
// whatever fails, must be what it sees of the default provider.
#include "parameters.h"
#include "profiles.h"

#include "host/host_faults.h"
#include "support/both.h"

#include <fuzzer/FuzzedDataProvider.h>
#include <openssl/evp.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace gpuaes::test {
namespace {

const std::string kCiphers[] = {"AES-128-CTR", "AES-256-CTR", "AES-192-CTR", "AES-128-ECB", "AES-192-ECB", "AES-256-ECB"};
constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::ordinary, MemoryKind::ordinary, MemoryKind::ordinary,
                                 MemoryKind::pinned,   MemoryKind::pinned,   MemoryKind::managed,  MemoryKind::device};
constexpr std::size_t kLargest = 20'000;

enum class Step : std::uint8_t { update, burst, init, final, one_shot, copy, get, set, reset, pause, hold, kMaxValue = hold };

// A context, and whether its data may be where only the device reaches it: with a key, and unless something was refused, it may.
// Parameters may have brought TLS mode, in which it may not again.
struct Slot {
  std::unique_ptr<Both> both;
  bool device_memory = false;
  bool parameters = false;
};

class Program {
 public:
  Program(const Setup& setup, FuzzedDataProvider& input) : setup_(setup), input_(input)
  {
    for (Slot& slot : slots_) slot.both = std::make_unique<Both>(setup_.library(), input_.PickValueInArray(kCiphers));
  }
  ~Program()
  {
    if (held_) host_faults::set({});
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void run()
  {
    for (Slot& slot : slots_) init(slot);
    for (int steps = 0; steps < 200 && input_.remaining_bytes() > 0; ++steps)
      take(slots_[input_.ConsumeIntegralInRange<std::size_t>(0, 1)], input_.ConsumeEnum<Step>());
  }

 private:
  void take(Slot& slot, Step step)
  {
    switch (step) {
      case Step::update:
        return note(slot, slot.both->update(data(), place(slot)));
      case Step::burst:
        return burst(slot);
      case Step::init:
        return init(slot);
      case Step::final:
        return note(slot, slot.both->final(kind(slot)));
      case Step::one_shot:
        return one_shot(slot);
      case Step::copy: {
        const Slot& other = slots_[&slot == &slots_[0] ? 1 : 0];
        slot = {std::make_unique<Both>(*other.both), other.device_memory, other.parameters};
        return;
      }
      case Step::get:
        return get_parameters(*slot.both, input_);
      case Step::set:
        return set(slot);
      case Step::reset:
        slot.device_memory = slot.parameters = false;
        slot.both->reset(input_.PickValueInArray(kCiphers));
        return;
      case Step::pause:
        // The thread that fills rings gets a chance.
        return std::this_thread::sleep_for(std::chrono::microseconds(100));
      case Step::hold:
        return toggle_hold();
    }
  }

  void note(Slot& slot, bool succeeded) { slot.device_memory = slot.device_memory && succeeded; }

  void burst(Slot& slot)
  {
    const Bytes in = data(200);
    const Placement placement = place(slot);
    for (int left = input_.ConsumeIntegralInRange(1, 70); left > 0; --left) note(slot, slot.both->update(in, placement));
  }

  void one_shot(Slot& slot)
  {
    // A return value of any other number than 1 is a length.
    const bool device_memory = slot.device_memory;
    slot.both->one_shot(data(), place(slot));
    slot.device_memory = device_memory;
  }

  void init(Slot& slot)
  {
    const auto salt = input_.ConsumeIntegral<std::uint8_t>();
    const Bytes key = test_key(64, salt);
    Bytes iv = pattern(16, salt);
    // Counters that overflow soon, in 32 bits or in all.
    if (salt % 4 == 1) std::fill(iv.begin() + 12, iv.end() - 1, std::uint8_t{0xff});
    if (salt % 4 == 2) std::fill(iv.begin(), iv.end() - 1, std::uint8_t{0xff});
    const bool has_key = input_.ConsumeIntegralInRange(0, 3) != 0;
    const bool has_iv = input_.ConsumeIntegralInRange(0, 3) != 0;
    const int encrypt = input_.ConsumeIntegralInRange(-1, 1);
    const bool has_cipher = input_.ConsumeIntegralInRange(0, 7) == 0;
    const std::string cipher = has_cipher ? input_.PickValueInArray(kCiphers) : "";
    std::unique_ptr<SettingParameters> params;
    if (input_.ConsumeIntegralInRange(0, 7) == 0) params = std::make_unique<SettingParameters>(input_);
    const bool done = slot.both->init(has_cipher ? &cipher : nullptr, has_key ? &key : nullptr, has_iv ? &iv : nullptr, encrypt,
                                      params == nullptr ? nullptr : params->get());
    slot.parameters = slot.parameters || params != nullptr;
    slot.device_memory = done && has_key;
  }

  void set(Slot& slot)
  {
    if (input_.ConsumeBool()) {
      const int padding = input_.ConsumeIntegralInRange(0, 1);
      slot.both->call("padding", [&](EVP_CIPHER_CTX* context, bool) {
        return Seen{{EVP_CIPHER_CTX_set_padding(context, padding)}, {}};
      });
      return;
    }
    const SettingParameters params(input_);
    slot.parameters = true;
    slot.both->call("set_params", [&](EVP_CIPHER_CTX* context, bool) {
      return Seen{{EVP_CIPHER_CTX_set_params(context, params.get())}, {}};
    });
  }

  // While the device does nothing, rings run dry. Nobody may wait for it then.
  void toggle_hold()
  {
    if (setup_.profile().offers_host || setup_.faulty()) return;
    held_ = !held_;
    host_faults::set({.hold = held_});
  }

  Bytes data(std::size_t most = kLargest)
  {
    // Small ones, and those around the boundaries of blocks and slots, more often than others.
    const std::size_t bits = input_.ConsumeIntegralInRange<std::size_t>(0, 15);
    const std::size_t below = std::min(most, (std::size_t{1} << bits));
    return pattern(input_.ConsumeIntegralInRange<std::size_t>(0, below), input_.ConsumeIntegral<std::uint8_t>());
  }

  MemoryKind kind(const Slot& slot)
  {
    const MemoryKind kind = input_.PickValueInArray(kKinds);
    // What a device was changing in place when it failed is lost.
    if (lives_on_device(kind) && setup_.faulty()) return MemoryKind::ordinary;
    const bool device_memory = setup_.profile().device_memory && slot.device_memory && !slot.parameters && !held_;
    return host_can_access(kind) || device_memory ? kind : MemoryKind::ordinary;
  }

  Placement place(const Slot& slot)
  {
    Placement placement{.in = kind(slot), .out = kind(slot), .one_buffer = input_.ConsumeBool()};
    if (placement.one_buffer) placement.in = placement.out;
    placement.in_at = placement.out_at = input_.ConsumeIntegralInRange<std::size_t>(0, 17);
    // What comes of buffers that overlap is asked about host memory only.
    if (host_can_access(placement.in)) placement.out_at = input_.ConsumeIntegralInRange<std::size_t>(0, 40);
    if (placement.one_buffer && input_.ConsumeIntegralInRange(0, 7) != 0) placement.out_at = placement.in_at;
    return placement;
  }

  const Setup& setup_;
  FuzzedDataProvider& input_;
  bool held_ = false;
  Slot slots_[2];
};

}  // namespace
}  // namespace gpuaes::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes)
{
  using namespace gpuaes::test;
  FuzzedDataProvider input(data, bytes);
  const Setup setup(input, SampleFinds::every);
  return must_agree([&] { Program(setup, input).run(); });
}
