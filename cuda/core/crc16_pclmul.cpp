// CRC-16 with PCLMULQDQ: multiplications where there is little to fold, and a window of 16-byte vectors where there is much.
#include "crc16_clmul.h"
#include "crc16_lanes.h"
#include "crc16_units.h"
#include "crc16_window.h"
#include "processor.h"

#ifdef __x86_64__
#include <immintrin.h>

#define GPUAES_PCLMUL [[gnu::target("pclmul,sse4.1")]]

namespace gpuaes {
namespace {

constexpr Crc16Fold kOneLane = crc16_fold_over(128);
constexpr Crc16Fold kTwoLanes = crc16_fold_over(2 * 128);
constexpr Crc16Fold kThreeLanes = crc16_fold_over(3 * 128);
constexpr Crc16Fold kFourLanes = crc16_fold_over(4 * 128);

// From here on the window, which folds twice as fast, makes up for its residue.
constexpr std::size_t kWindowFrom = 2048;

GPUAES_PCLMUL inline __m128i load(const std::uint8_t* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

GPUAES_PCLMUL inline __m128i move_and_add(__m128i lane, Crc16Fold over, __m128i next)
{
  const __m128i factors = _mm_set_epi64x(over.second, over.first);
  const __m128i products = _mm_xor_si128(_mm_clmulepi64_si128(lane, factors, 0x00), _mm_clmulepi64_si128(lane, factors, 0x11));
  return _mm_xor_si128(products, next);
}

// `lane` stands for all that came before `data`.
GPUAES_PCLMUL inline std::uint16_t finish(__m128i lane, const std::uint8_t* data, std::size_t bytes)
{
  for (; bytes >= kCrc16LaneBytes; data += kCrc16LaneBytes, bytes -= kCrc16LaneBytes)
    lane = move_and_add(lane, kOneLane, load(data));
  const auto first = static_cast<std::uint64_t>(_mm_cvtsi128_si64(lane));
  const auto second = static_cast<std::uint64_t>(_mm_extract_epi64(lane, 1));
  return crc16_short(crc16_of_lane(first, second), data, bytes);
}

GPUAES_PCLMUL std::uint16_t multiply_through(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  if (bytes < kCrc16LaneBytes) return crc16_short(state, data, bytes);
  __m128i lane0 = _mm_xor_si128(load(data), _mm_cvtsi32_si128(state));
  if (bytes < 64) return finish(lane0, data + 16, bytes - 16);
  __m128i lane1 = load(data + 16);
  __m128i lane2 = load(data + 32);
  __m128i lane3 = load(data + 48);
  for (data += 64, bytes -= 64; bytes >= 64; data += 64, bytes -= 64) {
    lane0 = move_and_add(lane0, kFourLanes, load(data));
    lane1 = move_and_add(lane1, kFourLanes, load(data + 16));
    lane2 = move_and_add(lane2, kFourLanes, load(data + 32));
    lane3 = move_and_add(lane3, kFourLanes, load(data + 48));
  }
  const __m128i late = move_and_add(lane2, kOneLane, lane3);
  return finish(move_and_add(lane0, kThreeLanes, move_and_add(lane1, kTwoLanes, late)), data, bytes);
}

}  // namespace

std::uint16_t crc16_pclmul(std::uint16_t state, const std::uint8_t* data, std::size_t bytes)
{
  if (bytes >= kWindowFrom) {
    Crc16Window<Crc16Vector> window(state);
    bytes = window.append_all(data, bytes);
    state = multiply_through(0, window.residue(), window.kBytes);
  }
  return multiply_through(state, data, bytes);
}

bool has_pclmul() { return CPU_FEATURE_ACTIVE(PCLMULQDQ) && CPU_FEATURE_ACTIVE(SSE4_1); }

}  // namespace gpuaes
#endif
