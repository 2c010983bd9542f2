#include "xor_bytes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>

namespace gpuaes {
namespace {

// Stores that cross the border of a cache line take two turns, and streaming stores must not.
constexpr std::size_t kWorthAligning = 256;

using Xor = void (*)(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes);

void xor_portable(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  for (std::size_t i = 0; i < bytes; ++i) out[i] = a[i] ^ b[i];  // the compiler makes vectors of the baseline's width of it
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

// Up to 64 bytes.
[[gnu::target("avx512f,avx512bw")]] inline void xor_part_avx512(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b,
                                                                std::size_t bytes)
{
  const __mmask64 part = bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - bytes);
  _mm512_mask_storeu_epi8(out, part, _mm512_xor_si512(_mm512_maskz_loadu_epi8(part, a), _mm512_maskz_loadu_epi8(part, b)));
}

template <Stores kStores>
[[gnu::target("avx512f,avx512bw")]] void xor_avx512(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b,
                                                    std::size_t bytes)
{
  constexpr std::size_t kWidth = sizeof(__m512i);
  const std::size_t head = bytes < kWorthAligning ? 0 : misaligned_head(out, kWidth, bytes);
  xor_part_avx512(out, a, b, head);
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
  xor_part_avx512(out + i, a + i, b + i, bytes - i);
}

template <Stores kStores>
[[gnu::target("avx2")]] void xor_avx2(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  constexpr std::size_t kWidth = sizeof(__m256i);
  const std::size_t head = bytes < kWorthAligning ? 0 : misaligned_head(out, kWidth, bytes);
  xor_portable(out, a, b, head);
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
  xor_portable(out + i, a + i, b + i, bytes - i);
}
#endif

struct Chosen {
  Xor cached = xor_portable;
  Xor streaming = xor_portable;
};

Chosen widest()
{
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
    return {xor_avx512<Stores::cached>, xor_avx512<Stores::streaming>};
  if (__builtin_cpu_supports("avx2")) return {xor_avx2<Stores::cached>, xor_avx2<Stores::streaming>};
#endif
  return {};
}

const Chosen chosen = widest();

}  // namespace

void xor_bytes(std::uint8_t* out, const std::uint8_t* data, const std::uint8_t* keystream, std::size_t bytes, Stores stores)
{
  const bool past_caches = stores == Stores::streaming && bytes >= kWorthAligning && out != data && out != keystream;
  (past_caches ? chosen.streaming : chosen.cached)(out, data, keystream, bytes);
}

}  // namespace gpuaes
