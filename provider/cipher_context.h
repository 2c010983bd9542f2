// One cipher context of an application: the default provider's own context, which holds all running state, and what is needed to do
// part of the work elsewhere and put that state where it belongs afterwards.
#pragma once

#include "host_regions.h"
#include "keystream_ahead.h"
#include "provider_context.h"

#include <openssl/crypto.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace gpuaes {

// What is known of one of the six ciphers at compile time.
struct CipherTraits {
  bool counter_mode;
  std::size_t key_bytes;
};

inline constexpr std::array<CipherTraits, kCipherNames.size()> kCipherTraits = {
    {{false, 32}, {false, 24}, {false, 16}, {true, 32}, {true, 24}, {true, 16}}};

// The bytes of a key, wiped when it goes.
struct RawKey {
  std::array<std::uint8_t, 32> bytes{};
  ~RawKey() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
};

// Whether output would overwrite input that is still to be read.
inline bool overlaps(const unsigned char* out, const unsigned char* in, std::size_t bytes)
{
  const auto a = reinterpret_cast<std::uintptr_t>(out);
  const auto b = reinterpret_cast<std::uintptr_t>(in);
  return a != b && a < b + bytes && b < a + bytes;
}

class CipherContext {
 public:
  // Throws std::bad_alloc.
  CipherContext(ProviderContext& provider, std::size_t index);
  CipherContext(CipherContext& other);
  CipherContext& operator=(const CipherContext&) = delete;
  ~CipherContext();

  const Core& core() const { return provider_.core(); }
  Engine& engine() const { return engine_; }
  const DefaultCipher& defaults() const { return defaults_; }
  // The default provider's context, up to date.
  void* inner()
  {
    if (ahead_.leads()) catch_up();
    return inner_;
  }

  bool counter_mode() const { return traits_.counter_mode; }
  AesMode mode() const { return counter_mode() ? AesMode::ctr : encrypting_ ? AesMode::ecb_encrypt : AesMode::ecb_decrypt; }
  int rounds() const { return rounds_of(traits_.key_bytes); }
  const Engine::SmallestOffers& smallest_offers() const { return *smallest_offers_; }
  bool encrypting() const { return encrypting_; }

  // Tell what an init of the inner context did; `key` and `iv` are what was passed, null if nothing was.
  void begin_init(bool encrypting);
  void end_init(const unsigned char* key, const unsigned char* iv);
  // After an init that failed half way, or whose key can't be had, nobody knows what key the inner context has: it keeps its work
  // to itself until there is a new one.
  void fail_init(bool had_key, bool had_iv);
  // Hands an opaque key to `callback` as parameters; false if the default provider doesn't do that.
  bool export_skey(void* skeydata, OSSL_CALLBACK* callback, void* argument) const;
  // TLS mode frames and pads each record by rules of its own: the default provider keeps such a context.
  void leave_to_default() { leave_to_default_ = true; }

  // Whether work can be taken away from the inner context: it has a key, of this direction, and its buffer is accounted for.
  bool can_offload() const { return key_.has_value() && key_has_direction() && !leave_to_default_ && carried_known_; }
  const AesKey& expanded_key();

  // Serves an update of host memory by the inner context, and accounts for it.
  // `calls` is 0 for a piece of a call that is counted elsewhere.
  int update_inner(unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in, std::size_t inl,
                   unsigned calls = 1)
  {
    const int result = defaults_.update(inner(), out, outl, outsize, in, inl);
    if (result == 1)
      carried_ += inl - *outl;
    else
      carried_known_ = false;
    note_served(Carrier::fallback, inl, calls);
    note_in_use(in, out, inl);
    return result;
  }

  // The same for a one-shot call, which neither uses nor changes what is carried.
  int one_shot_inner(unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in, std::size_t inl,
                     unsigned calls = 1)
  {
    const int result = defaults_.cipher(inner(), out, outl, outsize, in, inl);
    note_served(Carrier::fallback, inl, calls);
    note_in_use(in, out, inl);
    return result;
  }

  // Whether calls are better served by update_ahead(), also one-shot calls: in CTR mode there is no difference.
  bool has_ring() const { return ahead_.has_ring(); }
  // Serves an update of ordinary memory by keystream that is there already and, where there is none, by the inner context. Throws
  // DeviceError.
  int update_ahead(unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in, std::size_t inl);
  // Counts bytes of this stream that were done elsewhere and that a ring would have done.
  void note_stream(std::size_t bytes) noexcept;
  // For what comes after a change of position or key. The inner context must be up to date.
  void leave_ring() { ahead_.start_anew(); }
  // Does whole blocks, in CTR mode with the keystream from the block of `counter` on, without touching the inner context's state.
  // From any thread.
  void run_reference(const Counter& counter, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) const;

  // Bytes of input that the inner context holds back: up to 15, or 16 when decrypting with padding. Always 0 in CTR mode.
  std::size_t carried() const { return counter_mode() ? 0 : carried_; }
  // Makes the inner context forget what it holds back.
  void drop_carried();
  void note_final() { carried_ = 0; }

  // The inner context's parameters that matter to work done elsewhere.
  bool padding();
  unsigned used_of_keystream_block();
  Counter counter();
  // Puts the inner context at the start of the keystream block of this counter.
  void move_to(const Counter& counter);
  // What the inner context would report as the IV had it not been moved, or null.
  const std::uint8_t* hidden_iv() const { return moved_ ? iv_.data() : nullptr; }

  // Whether a pointer into device memory may be among the arguments of calls until the next init: then each call asks.
  bool asks_for_memory_kinds() const { return device_pointers_ != DevicePointers::impossible; }
  // Whether neither address of a call can be the device's; asks the driver if nothing else tells. If device pointers are unlikely,
  // what it says holds until the next init.
  bool is_host_memory(const void* in, const void* out)
  {
    return host_.remembered(in, out, answers_last()) || (host_.certain(in) && (in == out || host_.certain(out))) ||
           find_host_memory(in, out);
  }
  // Whether it was found out that neither is even pinned.
  bool known_ordinary_memory(const void* in, const void* out) const
  {
    return regions_ordinary_ && host_.remembered(in, out, answers_last());
  }
  void remember_host_memory(const void* in, const void* out, bool ordinary)
  {
    host_.remember(in, out);
    regions_ordinary_ = ordinary;
  }

  // Counts work that stays out of the engine's hands.
  void note_served(Carrier carrier, std::size_t bytes, unsigned calls)
  {
    Pending& pending = pending_[static_cast<std::size_t>(carrier)];
    pending.bytes += bytes;
    pending.calls += calls;
    if (pending.calls >= kFlushAfterCalls || pending.bytes >= kFlushAfterBytes) flush_and_note_stream();
  }
  // Counts a call that was large enough to be decided upon and stays here; its bytes are counted by who serves it.
  void count_kept(Reason reason)
  {
    engine_.counters().add(Carrier::fallback, 1, 0);
    engine_.counters().add(reason);
  }
  // Adds what was counted here to the engine's counters, which all threads share.
  void flush_counts() noexcept;

 private:
  struct Pending {
    unsigned calls = 0;
    std::size_t bytes = 0;
  };

  // Updates that are shorter on average don't make a stream that is worth a ring: of 64 bytes it was a draw, of 128 the ring won.
  // One that has a ring keeps it.
  static constexpr std::size_t kShortestAhead = 128;
  // A call longer than this looks more than once whether keystream has come.
  static constexpr std::size_t kPieceOfRing = std::size_t{256} << 10;
  // To look at the clock after a call is worth it from this size on: before, several calls share one question to the driver.
  static constexpr std::size_t kTakesAWhile = std::size_t{8} << 10;
  // Output of so many bytes has left the processor's caches when it is read.
  static constexpr std::size_t kLeavesCaches = std::size_t{1} << 20;
  int update_beside_ring(unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in, std::size_t inl,
                         unsigned calls);
  void flush_and_note_stream() noexcept;
  void start_ring();
  void catch_up();
  // CTR uses the same schedule in both directions.
  bool key_has_direction() const { return counter_mode() || key_encrypts_ == encrypting_; }
  static constexpr unsigned kFlushAfterCalls = 256;
  static constexpr std::size_t kFlushAfterBytes = std::size_t{256} << 10;
  bool answers_last() const { return device_pointers_ == DevicePointers::unlikely; }
  bool find_host_memory(const void* in, const void* out);
  // Host memory, to the end of a call.
  void note_in_use(const void* in, const void* out, std::size_t bytes)
  {
    if (bytes >= kTakesAWhile && device_pointers_ == DevicePointers::likely) host_.renew(in, out);
  }
  bool get_inner(OSSL_PARAM param);

  ProviderContext& provider_;
  Engine& engine_;
  const DefaultCipher& defaults_;
  const CipherTraits traits_;
  void* inner_;

  std::size_t carried_ = 0;
  std::array<Pending, kCarriers> pending_{};
  unsigned calls_past_ring_ = 0;  // of those pending: the ring that they were for was empty
  bool encrypting_ = true;
  const Engine::SmallestOffers* smallest_offers_ = &engine_.smallest_offers(mode(), rounds());  // for this direction
  bool key_encrypts_ = true;
  bool carried_known_ = true;
  bool leave_to_default_ = false;
  DevicePointers device_pointers_ = DevicePointers::impossible;
  bool moved_ = false;
  bool regions_ordinary_ = false;
  HostRegions host_;
  std::array<std::uint8_t, kBlockBytes> iv_{};
  std::optional<RawKey> key_;
  std::unique_ptr<AesKey> expanded_key_;  // made when first needed
  KeystreamAhead ahead_;
  std::mutex catching_up_;
};

}  // namespace gpuaes
