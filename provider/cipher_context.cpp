#include "cipher_context.h"

#include "core/secret_bytes.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace gpuaes {
namespace {

// By a context of the default provider that nothing else is done with; in CTR mode from the block of `counter` on.
void run_whole_blocks(const DefaultCipher& defaults, void* context, const Counter* counter, const std::uint8_t* from,
                      std::uint8_t* to, std::size_t bytes)
{
  bool done = true;
  if (counter != nullptr) {
    std::uint8_t start[kBlockBytes];
    store_counter(*counter, start);
    done = defaults.encrypt_init(context, nullptr, 0, start, sizeof start, nullptr) == 1;
  }
  std::size_t written = 0;
  if (!done || defaults.cipher(context, to, &written, bytes, from, bytes) != 1)
    throw std::runtime_error("The default provider failed.");
}

}  // namespace

CipherContext::CipherContext(ProviderContext& provider, std::size_t index)
    : provider_(provider),
      engine_(provider.engine()),
      defaults_(provider.cipher(index)),
      traits_(kCipherTraits[index]),
      inner_(defaults_.newctx(defaults_.provctx)),
      host_(provider_.program_heap()),
      ahead_(engine_)
{
  if (inner_ == nullptr) throw std::bad_alloc();
}

// The copy starts without a ring.
CipherContext::CipherContext(CipherContext& other)
    : provider_(other.provider_),
      engine_(other.engine_),
      defaults_(other.defaults_),
      traits_(other.traits_),
      inner_(defaults_.dupctx(other.inner())),
      carried_(other.carried_),
      encrypting_(other.encrypting_),
      key_encrypts_(other.key_encrypts_),
      carried_known_(other.carried_known_),
      leave_to_default_(other.leave_to_default_),
      device_pointers_(other.device_pointers_),
      moved_(other.moved_),
      host_(provider_.program_heap()),
      iv_(other.iv_),
      key_(other.key_),
      ahead_(engine_)
{
  if (inner_ == nullptr) throw std::bad_alloc();
}

CipherContext::~CipherContext()
{
  flush_counts();
  defaults_.freectx(inner_);
}

void CipherContext::begin_init(bool encrypting)
{
  inner();  // an init may leave the position as it is
  leave_ring();
  encrypting_ = encrypting;
  smallest_offers_ = &engine_.smallest_offers(mode(), rounds());
  carried_ = 0;
  carried_known_ = true;
  host_.forget();
  device_pointers_ = engine_.device_pointers();
}

void CipherContext::end_init(const unsigned char* key, const unsigned char* iv)
{
  if (key != nullptr) {
    std::copy_n(key, traits_.key_bytes, key_.emplace().bytes.begin());
    expanded_key_.reset();
    key_encrypts_ = encrypting_;
  }
  if (counter_mode() && iv != nullptr) {
    std::copy_n(iv, kBlockBytes, iv_.begin());
    moved_ = false;
  }
}

void CipherContext::fail_init(bool had_key, bool had_iv)
{
  if (had_key) {
    key_.reset();
    expanded_key_.reset();
  }
  if (had_iv) moved_ = false;
}

bool CipherContext::export_skey(void* skeydata, OSSL_CALLBACK* callback, void* argument) const
{
  const OSSL_DISPATCH* entry = provider_.skey_management(0).functions;
  for (; entry != nullptr && entry->function_id != 0; ++entry)
    if (entry->function_id == skey_export)
      return reinterpret_cast<SkeyExport*>(entry->function)(skeydata, kSelectSecretKey, callback, argument) == 1;
  return false;
}

bool CipherContext::find_host_memory(const void* in, const void* out)
{
  const MemoryKind from = engine_.kind_of(in, 1);
  const MemoryKind to = in == out ? from : engine_.kind_of(out, 1);
  if (!host_can_access(from) || !host_can_access(to)) return false;
  remember_host_memory(in, out, from == MemoryKind::ordinary && to == MemoryKind::ordinary);
  return true;
}

const AesKey& CipherContext::expanded_key()
{
  if (expanded_key_ == nullptr) expanded_key_ = std::make_unique<AesKey>(std::span(key_->bytes).first(traits_.key_bytes));
  return *expanded_key_;
}

void CipherContext::drop_carried()
{
  // An init also sets num to 0, which means nothing in ECB mode, but who has set it can ask for it.
  unsigned num = used_of_keystream_block();
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &num), OSSL_PARAM_construct_end()};
  (encrypting_ ? defaults_.encrypt_init : defaults_.decrypt_init)(inner_, nullptr, 0, nullptr, 0, params);
  carried_ = 0;
}

bool CipherContext::get_inner(OSSL_PARAM param)
{
  OSSL_PARAM params[] = {param, OSSL_PARAM_construct_end()};
  return defaults_.get_ctx_params(inner(), params) == 1;
}

bool CipherContext::padding()
{
  unsigned padding = 1;
  get_inner(OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding));
  return padding != 0;
}

unsigned CipherContext::used_of_keystream_block()
{
  unsigned num = 0;
  get_inner(OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &num));
  return num;
}

Counter CipherContext::counter()
{
  // By pointer: some releases, 3.3 and 3.5 among them, try that first and leave an error on the queue where a copy is wanted.
  void* now = nullptr;
  std::uint8_t bytes[kBlockBytes] = {};
  if (get_inner(OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_UPDATED_IV, &now, 0)) && now != nullptr)
    std::copy_n(static_cast<const std::uint8_t*>(now), sizeof bytes, bytes);
  return load_counter(bytes);
}

void CipherContext::move_to(const Counter& counter)
{
  std::uint8_t bytes[kBlockBytes];
  store_counter(counter, bytes);
  (encrypting_ ? defaults_.encrypt_init : defaults_.decrypt_init)(inner_, nullptr, 0, bytes, sizeof bytes, nullptr);
  moved_ = true;
}

void CipherContext::flush_counts() noexcept
{
  engine_.counters().add(engine_.why_small_calls_stay(smallest_offers().of(false)),
                         pending_[static_cast<std::size_t>(Carrier::fallback)].calls - calls_past_ring_);
  engine_.counters().add(Reason::ring_empty, calls_past_ring_);
  engine_.counters().add(Reason::ring, pending_[static_cast<std::size_t>(Carrier::keystream)].calls);
  calls_past_ring_ = 0;
  for (const Carrier carrier : {Carrier::keystream, Carrier::fallback}) {
    Pending& pending = pending_[static_cast<std::size_t>(carrier)];
    if (pending.calls > 0 || pending.bytes > 0) engine_.counters().add(carrier, pending.calls, pending.bytes);
    pending = {};
  }
}

// Every so many calls.
void CipherContext::flush_and_note_stream() noexcept
{
  const Pending small = pending_[static_cast<std::size_t>(Carrier::fallback)];
  flush_counts();
  if (counter_mode() && small.bytes >= small.calls * kShortestAhead) note_stream(small.bytes);
}

void CipherContext::note_stream(std::size_t bytes) noexcept
{
  try {
    if (!has_ring() && ahead_.note_served(bytes) && can_offload()) start_ring();
  } catch (const std::exception&) {
    // No memory for it, or no thread: the work goes on as before.
  }
}

void CipherContext::start_ring()
{
  const unsigned used = used_of_keystream_block();
  if (used >= kBlockBytes) return;
  // What is left of a block that was begun lies before the counter's block.
  const std::int64_t position = used == 0 ? 0 : static_cast<std::int64_t>(used) - static_cast<std::int64_t>(kBlockBytes);
  // It is another thread that checks the keystream, by a context of its own.
  const std::shared_ptr<void> scratch(defaults_.dupctx(inner()), defaults_.freectx);
  if (scratch == nullptr) throw std::bad_alloc();
  ahead_.start(expanded_key(), counter(), position,
               [&defaults = defaults_, scratch](const Counter& at, std::uint8_t* keystream, std::size_t bytes) {
                 std::fill_n(keystream, bytes, std::uint8_t{0});
                 run_whole_blocks(defaults, scratch.get(), &at, keystream, keystream, bytes);
               });
}

int CipherContext::update_ahead(unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in,
                                std::size_t inl)
{
  if (inl == 0 || inl > outsize || overlaps(out, in, inl)) return update_beside_ring(out, outl, outsize, in, inl, 1);
  const Stores stores = inl >= kLeavesCaches ? Stores::streaming : Stores::cached;
  bool by_ring = false;
  for (*outl = 0; *outl < inl;) {
    const std::size_t at = *outl;
    const std::size_t piece = std::min(inl - at, kPieceOfRing);
    const std::size_t done = ahead_.combine(in + at, out + at, piece, stores);
    by_ring = by_ring || done > 0;
    note_served(Carrier::keystream, done, 0);
    *outl += done;
    if (done == piece) continue;
    std::size_t rest = 0;
    const int result = update_beside_ring(out + at + done, &rest, piece - done, in + at + done, piece - done, 0);
    *outl += rest;
    if (result != 1) return result;
  }
  if (!by_ring) ++calls_past_ring_;
  note_served(by_ring ? Carrier::keystream : Carrier::fallback, 0, 1);
  note_in_use(in, out, inl);
  return 1;
}

int CipherContext::update_beside_ring(unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in,
                                      std::size_t inl, unsigned calls)
{
  // Without a ring, this may be the call that gets one: behind it.
  const bool had_ring = has_ring();
  const int result = update_inner(out, outl, outsize, in, inl, calls);
  if (had_ring && result == 1) ahead_.skip(inl);
  ahead_.drop_if_retired();
  return result;
}

// Several threads may copy a context, or ask for its parameters, at a time: to them nothing of it changes.
void CipherContext::catch_up()
{
  const std::lock_guard lock(catching_up_);
  if (!ahead_.leads()) return;
  move_to(ahead_.block());
  const std::size_t into_block = ahead_.bytes_into_block();
  if (into_block > 0) {
    std::uint8_t unused[kBlockBytes] = {};
    const WipedOnExit wipe(unused, sizeof unused);
    std::size_t written = 0;
    defaults_.update(inner_, unused, &written, sizeof unused, unused, into_block);
  }
  ahead_.caught_up();
}

// By a copy of the inner context: several threads may need one at once, and the original must keep its state.
void CipherContext::run_reference(const Counter& counter, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) const
{
  const std::unique_ptr<void, OSSL_FUNC_cipher_freectx_fn*> scratch(defaults_.dupctx(inner_), defaults_.freectx);
  if (scratch == nullptr) throw std::bad_alloc();
  run_whole_blocks(defaults_, scratch.get(), counter_mode() ? &counter : nullptr, from, to, bytes);
}

}  // namespace gpuaes
