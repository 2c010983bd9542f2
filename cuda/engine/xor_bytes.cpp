#include "xor_bytes.h"

#include "core/processor.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>

namespace gpuaes {
namespace {

// Stores that cross the border of a cache line take two turns, and streaming stores must not.
constexpr std::size_t kWorthAligning = 256;

// Fewer bytes than this aren't worth a call to wide vectors.
constexpr std::size_t kShort = 64;

using Xor = void (*)(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes);

template <typename Word>
[[gnu::always_inline]] inline std::size_t xor_words(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b,
                                                    std::size_t from, std::size_t bytes)
{
  for (; from + sizeof(Word) <= bytes; from += sizeof(Word)) {
    Word x, y;
    std::memcpy(&x, a + from, sizeof x);
    std::memcpy(&y, b + from, sizeof y);
    x ^= y;
    std::memcpy(out + from, &x, sizeof x);
  }
  return from;
}

// Touches nothing but these bytes, not even by a load that is masked: what lies beside a few bytes is often being changed, and such
// a load waits for that. Always inlined, since SSE instructions in the middle of AVX-512 ones cost 0.2 us.
[[gnu::always_inline]] inline void xor_plainly(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  using Vector [[gnu::vector_size(16)]] = std::uint8_t;
  std::size_t done = xor_words<Vector>(out, a, b, 0, bytes);
  done = xor_words<std::uint64_t>(out, a, b, done, bytes);
  done = xor_words<std::uint32_t>(out, a, b, done, bytes);
  done = xor_words<std::uint16_t>(out, a, b, done, bytes);
  xor_words<std::uint8_t>(out, a, b, done, bytes);
}

void xor_portable(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  xor_plainly(out, a, b, bytes);
}

#ifdef __x86_64__
// Keystream comes from the last cache at best. The processor fetches ahead by itself, but not across pages: this many bytes ahead
// it is told.
constexpr std::size_t kFetchAhead = 2048;

// Bytes before the first address that aligned stores of `width` can start at.
std::size_t misaligned_head(const std::uint8_t* out, std::size_t width, std::size_t bytes)
{
  return std::min((width - reinterpret_cast<std::uintptr_t>(out) % width) % width, bytes);
}

template <Stores kStores>
[[gnu::target("avx512f")]] void xor_avx512(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  constexpr std::size_t kWidth = sizeof(__m512i);
  const std::size_t head = bytes < kWorthAligning ? 0 : misaligned_head(out, kWidth, bytes);
  xor_plainly(out, a, b, head);
  std::size_t i = head;
  for (; i + kWidth <= bytes; i += kWidth) {
    _mm_prefetch(reinterpret_cast<const char*>(b + i + kFetchAhead), _MM_HINT_T0);
    const __m512i result = _mm512_xor_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i));
    if constexpr (kStores == Stores::streaming)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), result);
    else
      _mm512_storeu_si512(out + i, result);
  }
  if constexpr (kStores == Stores::streaming) _mm_sfence();
  xor_plainly(out + i, a + i, b + i, bytes - i);
}

template <Stores kStores>
[[gnu::target("avx2")]] void xor_avx2(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  constexpr std::size_t kWidth = sizeof(__m256i);
  const std::size_t head = bytes < kWorthAligning ? 0 : misaligned_head(out, kWidth, bytes);
  xor_plainly(out, a, b, head);
  std::size_t i = head;
  for (; i + kWidth <= bytes; i += kWidth) {
    if ((i - head) % 64 == 0) _mm_prefetch(reinterpret_cast<const char*>(b + i + kFetchAhead), _MM_HINT_T0);
    const __m256i result = _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i)),
                                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + i)));
    if constexpr (kStores == Stores::streaming)
      _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i), result);
    else
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), result);
  }
  if constexpr (kStores == Stores::streaming) _mm_sfence();
  xor_plainly(out + i, a + i, b + i, bytes - i);
}
#endif

struct Chosen {
  Xor cached = xor_portable;
  Xor streaming = xor_portable;
};

Chosen widest()
{
#ifdef __x86_64__
  if (CPU_FEATURE_ACTIVE(AVX512F)) return {xor_avx512<Stores::cached>, xor_avx512<Stores::streaming>};
  if (CPU_FEATURE_ACTIVE(AVX2)) return {xor_avx2<Stores::cached>, xor_avx2<Stores::streaming>};
#endif
  return {};
}

const Chosen chosen = widest();

}  // namespace

void xor_bytes(std::uint8_t* out, const std::uint8_t* data, const std::uint8_t* keystream, std::size_t bytes, Stores stores)
{
  if (bytes < kShort) return xor_portable(out, data, keystream, bytes);
  const bool past_caches = stores == Stores::streaming && bytes >= kWorthAligning && out != data && out != keystream;
  (past_caches ? chosen.streaming : chosen.cached)(out, data, keystream, bytes);
}

}  // namespace gpuaes
