#include "xor_bytes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>

namespace gpuaes {
namespace {

using Xor = void (*)(std::uint8_t*, const std::uint8_t*, const std::uint8_t*, std::size_t);

void xor_portable(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  for (std::size_t i = 0; i < bytes; ++i) out[i] = a[i] ^ b[i];  // the compiler makes vectors of the baseline's width of it
}

#ifdef __x86_64__
// Bytes before the first address that aligned stores of `width` can start at.
std::size_t misaligned_head(const std::uint8_t* out, std::size_t width, std::size_t bytes)
{
  return std::min((width - reinterpret_cast<std::uintptr_t>(out) % width) % width, bytes);
}

[[gnu::target("avx512f")]] void xor_avx512(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  constexpr std::size_t kWidth = sizeof(__m512i);
  std::size_t i = misaligned_head(out, kWidth, bytes);
  xor_portable(out, a, b, i);
  for (; i + kWidth <= bytes; i += kWidth) {
    const __m512i result = _mm512_xor_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i));
    if (out == a)
      _mm512_store_si512(out + i, result);
    else
      _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), result);
  }
  _mm_sfence();
  xor_portable(out + i, a + i, b + i, bytes - i);
}

[[gnu::target("avx2")]] void xor_avx2(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  constexpr std::size_t kWidth = sizeof(__m256i);
  std::size_t i = misaligned_head(out, kWidth, bytes);
  xor_portable(out, a, b, i);
  for (; i + kWidth <= bytes; i += kWidth) {
    const __m256i result = _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i)),
                                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + i)));
    if (out == a)
      _mm256_store_si256(reinterpret_cast<__m256i*>(out + i), result);
    else
      _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i), result);
  }
  _mm_sfence();
  xor_portable(out + i, a + i, b + i, bytes - i);
}
#endif

Xor widest()
{
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return xor_avx512;
  if (__builtin_cpu_supports("avx2")) return xor_avx2;
#endif
  return xor_portable;
}

}  // namespace

void xor_bytes(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  static const Xor chosen = widest();
  chosen(out, a, b, bytes);
}

}  // namespace gpuaes
