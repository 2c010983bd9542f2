#include "offload.h"

#include "errors.h"

#include "core/secret_bytes.h"
#include "engine/in_flight.h"
#include "engine/uncancelled.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace gpuaes {
namespace {

// Calls into the inner context for pieces of less than a block, or two; through host memory where the data is the device's.
class SmallPieces {
 public:
  SmallPieces(CipherContext& context, const Offer& offer)
      : context_(context), offer_(offer), in_reachable_(host_can_access(offer.in)), out_reachable_(host_can_access(offer.out))
  {
  }

  const Offer& offer() const { return offer_; }

  bool all_reachable() const { return in_reachable_ && out_reachable_; }

  // An update of `inl` bytes, at most 32, whose output has room; returns the bytes written. Throws DeviceError, or Refused if the
  // default provider has raised an error.
  struct Refused {};
  std::size_t update(unsigned char* out, const unsigned char* in, std::size_t inl)
  {
    unsigned char from[32];
    unsigned char to[sizeof from + kBlockBytes];
    const WipedOnExit wipe_from(from, sizeof from);
    const WipedOnExit wipe_to(to, sizeof to);
    std::size_t written = 0;
    if (!in_reachable_) {
      context_.engine().copy(from, in, inl);
      in = from;
    }
    if (context_.update_inner(out_reachable_ ? out : to, &written, inl + kBlockBytes, in, inl, 0) != 1) throw Refused{};
    if (!out_reachable_) context_.engine().copy(out, to, written);
    return written;
  }

 private:
  CipherContext& context_;
  const Offer offer_;
  const bool in_reachable_;
  const bool out_reachable_;
};

std::size_t whole_blocks(std::size_t bytes) { return bytes / kBlockBytes * kBlockBytes; }

// Whole blocks of a call in the kinds of memory of `offer`, by the engine; `counter` only matters in CTR mode.
void process_blocks(CipherContext& context, const Offer& offer, unsigned char* out, const unsigned char* in, std::size_t bytes,
                    const Counter& counter)
{
  AesRequest request{
      .mode = context.mode(), .key = &context.expanded_key(), .counter = counter, .in = in, .out = out, .bytes = bytes};
  request.reference = [&context, counter](std::size_t offset, const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    context.run_reference(counter.plus(offset / kBlockBytes), from, to, count);
  };
  context.engine().process(request, offer);
}

bool refuse_small_output(const CipherContext& context, std::size_t outsize, std::size_t needed)
{
  if (outsize >= needed) return false;
  context.core().raise(default_provider_reason(PROV_R_OUTPUT_BUFFER_TOO_SMALL));
  return true;
}

// A kernel reads and writes in no order: only the processor, which goes from the beginning to the end, can do such calls.
int refuse_overlap(const CipherContext& context)
{
  context.core().raise(static_cast<unsigned>(ErrorReason::device_failed),
                       "input and output overlap in device memory; allowed are the same address, and memory apart");
  return 0;
}

int update_ctr(CipherContext& context, SmallPieces& small, unsigned char* out, std::size_t* outl, std::size_t outsize,
               const unsigned char* in, std::size_t inl)
{
  if (refuse_small_output(context, outsize, inl)) return 0;
  if (overlaps(out, in, inl)) return refuse_overlap(context);  // host memory that does isn't offered
  const unsigned used = context.used_of_keystream_block();
  // What follows isn't the ring's work: it would be left behind.
  const bool is_stream = !context.has_ring() && context.engine().ring_would_do(small.offer());
  if (!is_stream) context.leave_ring();
  if (used >= kBlockBytes) throw std::runtime_error("CTR context with an impossible num");
  const std::size_t head = used == 0 ? 0 : std::min<std::size_t>(kBlockBytes - used, inl);
  const std::size_t blocks = whole_blocks(inl - head);
  if (head > 0) small.update(out, in, head);
  if (context.has_ring()) context.leave_ring();  // the head was what it needed to get one
  if (blocks > 0) {
    const Counter counter = context.counter();
    process_blocks(context, small.offer(), out + head, in + head, blocks, counter);
    context.move_to(counter.plus(blocks / kBlockBytes));
  }
  const std::size_t tail = inl - head - blocks;
  if (tail > 0) small.update(out + head + blocks, in + head + blocks, tail);
  if (is_stream) context.note_stream(blocks);
  *outl = inl;
  return 1;
}

int update_ecb(CipherContext& context, SmallPieces& small, unsigned char* out, std::size_t* outl, std::size_t outsize,
               const unsigned char* in, std::size_t inl)
{
  // Decrypting with padding, the last block is held back, because it may be the one with the padding.
  const bool holds_back = !context.encrypting() && context.padding();
  const auto complete = [&](std::size_t bytes) { return whole_blocks(holds_back && bytes > 0 ? bytes - 1 : bytes); };
  if (refuse_small_output(context, outsize, complete(context.carried() + inl))) return 0;

  std::size_t consumed = 0;
  std::size_t written = 0;
  if (context.carried() % kBlockBytes != 0) {
    const std::size_t head = std::min(kBlockBytes - context.carried(), inl);
    written += small.update(out, in, head);
    consumed += head;
  }
  if (context.carried() == kBlockBytes && consumed < inl) {
    // Any byte more makes the inner context let go of the block that it holds back; then it is made to forget that byte, which is
    // still to come.
    written += small.update(out + written, in + consumed, 1);
    context.drop_carried();
  }
  const std::size_t blocks = context.carried() == 0 ? complete(inl - consumed) : 0;
  if (blocks > 0) {
    if (overlaps(out + written, in + consumed, blocks)) {
      if (!small.all_reachable()) return refuse_overlap(context);
      std::size_t more = 0;
      const Reason reason = Reason::unsuitable;
      const auto traced = context.engine().trace_kept(small.offer(), reason);
      context.count_kept(reason);
      const int result = context.update_inner(out + written, &more, outsize - written, in + consumed, inl - consumed, 0);
      *outl = written + more;
      return result;
    }
    process_blocks(context, small.offer(), out + written, in + consumed, blocks, {});
    written += blocks;
    consumed += blocks;
  }
  if (consumed < inl) written += small.update(out + written, in + consumed, inl - consumed);
  *outl = written;
  return 1;
}

// Where a call's memory is, and who is to do it.
struct Plan {
  Offer offer;
  bool reachable = true;  // by the processor, both ends
  bool for_default = false;
  bool was_only_looked_at = false;  // too small for any device, once it is known where its memory is
  Reason why_default{};
};

Plan make_plan(CipherContext& context, const unsigned char* out, const unsigned char* in, std::size_t inl)
{
  Engine& engine = context.engine();
  const bool known_ordinary = !context.asks_for_memory_kinds() || context.known_ordinary_memory(in, out);
  Plan plan{.offer = engine.describe(context.mode(), context.rounds(), in, out, inl, known_ordinary)};
  plan.offer.has_ring = context.has_ring();
  const Offer& offer = plan.offer;
  plan.reachable = offer.on_host();
  if (plan.reachable && inl > 0)
    context.remember_host_memory(in, out, offer.in == MemoryKind::ordinary && offer.out == MemoryKind::ordinary);
  // ECB goes on to see what of it overlaps.
  const bool unsuitable = !context.can_offload() || (context.counter_mode() && overlaps(out, in, inl));
  plan.for_default = inl == 0 || (plan.reachable && (unsuitable || !engine.wants(offer)));
  if (!plan.for_default) return plan;
  const bool pinned = offer.in != MemoryKind::ordinary || offer.out != MemoryKind::ordinary;
  plan.was_only_looked_at = inl < context.smallest_offers().of(pinned);
  if (!plan.was_only_looked_at) plan.why_default = unsuitable ? Reason::unsuitable : engine.why_not(offer);
  return plan;
}

// By the default provider, or by what keystream there is; `serve` is told how many calls to count as small ones.
template <typename Serve>
int serve_here(CipherContext& context, const Plan& plan, const Serve& serve)
{
  if (plan.was_only_looked_at) return serve(1);
  const auto traced = context.engine().trace_kept(plan.offer, plan.why_default);
  if (context.has_ring()) return serve(1);
  context.count_kept(plan.why_default);
  return serve(0);
}

// Not a call that is only looked at because its memory may be a device's.
bool may_be_offered(const CipherContext& context, std::size_t inl) { return inl >= context.smallest_offers().of(true); }

int refuse_device_memory(const CipherContext& context)
{
  context.core().raise(static_cast<unsigned>(ErrorReason::device_failed),
                       "data in device memory, and a context without a key or in TLS mode");
  return 0;
}

}  // namespace

int offload_update(CipherContext& context, unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in,
                   std::size_t inl)
{
  // EVP of some releases lets a negative length through.
  if (inl > std::numeric_limits<std::size_t>::max() / 2) {
    context.core().raise(default_provider_reason(PROV_R_CIPHER_OPERATION_FAILED), "negative length");
    return 0;
  }
  const InFlight busy(context.engine().busy_threads(), may_be_offered(context, inl) ? 1 : 0);
  const Plan plan = make_plan(context, out, in, inl);
  if (plan.for_default)
    return serve_here(context, plan, [&](unsigned calls) {
      return context.has_ring() ? context.update_ahead(out, outl, outsize, in, inl)
                                : context.update_inner(out, outl, outsize, in, inl, calls);
    });
  if (!context.can_offload()) return refuse_device_memory(context);
  const Uncancelled uncancelled;
  SmallPieces small(context, plan.offer);
  try {
    return context.counter_mode() ? update_ctr(context, small, out, outl, outsize, in, inl)
                                  : update_ecb(context, small, out, outl, outsize, in, inl);
  } catch (const SmallPieces::Refused&) {
    return 0;
  }
}

int offload_one_shot(CipherContext& context, unsigned char* out, std::size_t* outl, std::size_t outsize, const unsigned char* in,
                     std::size_t inl)
{
  // In CTR mode, but for TLS, there is no difference; in ECB mode whole blocks are done, the rest of the input is ignored, and
  // nothing is carried.
  if ((context.counter_mode() && context.can_offload()) || inl > std::numeric_limits<std::size_t>::max() / 2)
    return offload_update(context, out, outl, outsize, in, inl);
  const InFlight busy(context.engine().busy_threads(), may_be_offered(context, inl) ? 1 : 0);
  Plan plan = make_plan(context, out, in, inl);
  if (!plan.reachable && overlaps(out, in, whole_blocks(inl))) return refuse_overlap(context);
  if (!plan.for_default && plan.reachable && overlaps(out, in, inl)) {
    plan.for_default = true;
    plan.why_default = Reason::unsuitable;
  }
  if (plan.for_default)
    return serve_here(context, plan, [&](unsigned calls) { return context.one_shot_inner(out, outl, outsize, in, inl, calls); });
  if (!context.can_offload()) return refuse_device_memory(context);
  if (refuse_small_output(context, outsize, inl)) return 0;
  const Uncancelled uncancelled;
  if (inl >= kBlockBytes) process_blocks(context, plan.offer, out, in, whole_blocks(inl), {});
  *outl = inl;
  return 1;
}

int offload_final(CipherContext& context, unsigned char* out, std::size_t* outl, std::size_t outsize)
{
  unsigned char block[kBlockBytes];
  const WipedOnExit wipe(block, sizeof block);
  const bool reachable =
      context.counter_mode() || !context.asks_for_memory_kinds() || out == nullptr || context.is_host_memory(out, out);
  const int result = context.defaults().final(context.inner(), reachable ? out : block, outl, outsize);
  if (result == 1) context.note_final();
  if (result == 1 && !reachable) context.engine().copy(out, block, std::min(*outl, sizeof block));
  return result;
}

}  // namespace gpuaes
