// CRC-16 with AVX-512 and VPCLMULQDQ, in vectors of four lanes of 16 bytes.
//
// The window takes two instructions for 64 bytes, any of two ports, where multiplications take three, of which two on one port. But
// it leaves 16 vectors, so it is for long messages, and multiplications do the rest.
#include "crc16_clmul.h"
#include "crc16_lanes.h"
#include "crc16_units.h"
#include "processor.h"

#ifdef __x86_64__
#include <immintrin.h>

#define GPUAES_AVX512 [[gnu::target("avx512f,avx512dq,vpclmulqdq,pclmul,sse4.1")]]

namespace gpuaes {
namespace {

constexpr std::size_t kVector = sizeof(__m512i);
constexpr std::size_t kFour = 4 * kVector;
constexpr std::size_t kWindow = 16 * kVector;
constexpr std::size_t kWindowFrom = 3 * kWindow;

// The processor's own prefetching stops at each page. Data that can't be in its second cache comes a twentieth faster with the page
// after asked for; data that is there comes at half the speed.
constexpr std::size_t kAskAheadFrom = std::size_t{4} << 20;
constexpr std::size_t kAhead = 4096;

constexpr Crc16Fold kOneLane = crc16_fold_over(128);
constexpr Crc16Fold kOneVector = crc16_fold_over(512);
constexpr Crc16Fold kTwoVectors = crc16_fold_over(2 * 512);
constexpr Crc16Fold kThreeVectors = crc16_fold_over(3 * 512);
constexpr Crc16Fold kFourVectors = crc16_fold_over(4 * 512);
constexpr Crc16Fold kTwoLanes = crc16_fold_over(2 * 128);
constexpr Crc16Fold kThreeLanes = crc16_fold_over(3 * 128);

GPUAES_AVX512 inline __m512i load(const std::uint8_t* at) { return _mm512_loadu_si512(at); }
GPUAES_AVX512 inline __m512i load(std::uint16_t state) { return _mm512_zextsi128_si512(_mm_cvtsi32_si128(state)); }
GPUAES_AVX512 inline __m512i xor3(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }

GPUAES_AVX512 inline __m512i multiply_and_add(__m512i vector, __m512i factors, __m512i next)
{
  return xor3(_mm512_clmulepi64_epi128(vector, factors, 0x00), _mm512_clmulepi64_epi128(vector, factors, 0x11), next);
}

GPUAES_AVX512 inline __m512i move_and_add(__m512i vector, Crc16Fold over, __m512i next)
{
  return multiply_and_add(vector, _mm512_set4_epi64(over.second, over.first, over.second, over.first), next);
}

// Moves the first three lanes of a vector over the last.
GPUAES_AVX512 inline __m128i lane_of(__m512i vector)
{
  const __m512i factors = _mm512_set_epi64(0, 0, kOneLane.second, kOneLane.first, kTwoLanes.second, kTwoLanes.first,
                                           kThreeLanes.second, kThreeLanes.first);
  const __m512i last = _mm512_maskz_mov_epi64(0xc0, vector);
  alignas(kVector) __m128i lane[4];
  _mm512_store_si512(lane, multiply_and_add(vector, factors, last));
  return _mm_xor_si128(_mm_xor_si128(lane[0], lane[1]), _mm_xor_si128(lane[2], lane[3]));
}

// Four vectors that stand for all that came before `data`, and what is left of the message.
GPUAES_AVX512 inline std::uint16_t finish(__m512i a, __m512i b, __m512i c, __m512i d, const std::uint8_t* data, std::size_t bytes)
{
  for (; bytes >= kFour; data += kFour, bytes -= kFour) {
    a = move_and_add(a, kFourVectors, load(data));
    b = move_and_add(b, kFourVectors, load(data + kVector));
    c = move_and_add(c, kFourVectors, load(data + 2 * kVector));
    d = move_and_add(d, kFourVectors, load(data + 3 * kVector));
  }
  d = move_and_add(a, kThreeVectors, move_and_add(b, kTwoVectors, move_and_add(c, kOneVector, d)));
  for (; bytes >= kVector; data += kVector, bytes -= kVector) d = move_and_add(d, kOneVector, load(data));
  __m128i lane = lane_of(d);
  for (; bytes >= kCrc16LaneBytes; data += kCrc16LaneBytes, bytes -= kCrc16LaneBytes) {
    const __m128i factors = _mm_set_epi64x(kOneLane.second, kOneLane.first);
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
    lane = _mm_xor_si128(_mm_clmulepi64_si128(lane, factors, 0x00), _mm_xor_si128(_mm_clmulepi64_si128(lane, factors, 0x11), next));
  }
  const auto first = static_cast<std::uint64_t>(_mm_cvtsi128_si64(lane));
  const auto second = static_cast<std::uint64_t>(_mm_extract_epi64(lane, 1));
  return crc16_short(crc16_of_lane(first, second), data, bytes);
}

// The fold of crc16_window.h, with its ring in 16 of the 32 registers.
template <bool AskAhead>
GPUAES_AVX512 std::uint16_t fold_through(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  __m512i f[16] = {load(state)};
  for (; bytes >= kWindow; data += kWindow, bytes -= kWindow) {
#pragma GCC unroll 16
    for (int t = 0; t < 16; ++t) {
      if constexpr (AskAhead) _mm_prefetch(reinterpret_cast<const char*>(data + kAhead + 64 * t), _MM_HINT_T1);
      f[t] = _mm512_xor_si512(xor3(f[t], f[(t + 5) % 16], load(data + 64 * t)), f[(t + 12) % 16]);
    }
  }
#pragma GCC unroll 12
  for (int t = 15; t >= 4; --t) f[t] = t >= 11 ? xor3(f[t], f[t - 4], f[t - 11]) : _mm512_xor_si512(f[t], f[t - 4]);
#pragma GCC unroll 12
  for (int t = 4; t < 16; ++t) f[t] = move_and_add(f[t - 4], kFourVectors, f[t]);
  return finish(f[12], f[13], f[14], f[15], data, bytes);
}

}  // namespace

GPUAES_AVX512 std::uint16_t crc16_avx512(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  if (bytes < kFour) return crc16_pclmul(state, data, bytes);
  if (bytes >= kAskAheadFrom) return fold_through<true>(state, data, bytes);
  if (bytes >= kWindowFrom) return fold_through<false>(state, data, bytes);
  const __m512i first = _mm512_xor_si512(load(data), load(state));
  return finish(first, load(data + kVector), load(data + 2 * kVector), load(data + 3 * kVector), data + kFour, bytes - kFour);
}

bool has_avx512() { return CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(VPCLMULQDQ) && has_pclmul(); }

}  // namespace gpuaes
#endif
