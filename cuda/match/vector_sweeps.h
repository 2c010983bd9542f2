// The two sweeps over a text, each with 64-byte vectors, 32-byte vectors or none, whatever the processor has.
#pragma once

#include "cpu_search.h"

#ifdef __x86_64__
// g++ 12 takes the intrinsics' deliberately undefined operands for mistakes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include <algorithm>
#include <bit>

namespace gpuaes::match {

enum class Vectors { none, avx2, avx512 };

// The widest that this processor has; less if limit_vectors() said so.
Vectors usable_vectors();
// For tests: `most` at most from now on.
void limit_vectors(Vectors most);

namespace detail {

// A processor's own fetching ahead ends with each page of memory. In bytes.
constexpr std::size_t kFetchAhead = 4096;

// The lowest `count` bits, at most 64.
inline std::uint64_t low_bits(std::size_t count) { return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

// A sweep's own order of the probes. Where the text nearly matches at many places, what tells that it doesn't is in the same few
// bytes of the pattern: those come second from then on.
class ProbeOrder {
 public:
  explicit ProbeOrder(const Probes& probes) : probes_(probes.data()), count_(probes.size()) {}
  const Probe& operator[](std::size_t i) const { return probes_[i]; }
  std::size_t size() const { return count_; }
  // No place was left behind the probes from `i` on.
  void note_end(std::size_t i)
  {
    if (i <= kProbesAtOnce) return;
    if (own_.empty()) own_.assign(probes_, probes_ + count_);
    std::swap_ranges(own_.begin() + kProbesAtOnce, own_.begin() + 2 * kProbesAtOnce, own_.begin() + static_cast<std::ptrdiff_t>(i));
    probes_ = own_.data();
  }

 private:
  const Probe* probes_;
  std::size_t count_;
  Probes own_;
};

// On vectors, the bytes are compared one below the other: each probe at all places of a row, as long as any place is left. Thus a
// text in which every place nearly matches takes longer by a factor of the pattern's length over four, and not by one of 64.
template <typename OnPlaces>
void one_portable(ProbeOrder probes, const MatchText& text, OnPlaces on_places)
{
  for (std::size_t at = text.from; at < text.to; at += 64) {
    std::uint8_t apart[64] = {};  // bits in which any probe so far differs; loops that the compiler makes vectors of
    std::uint8_t least = 0;
    for (std::size_t i = 0; i < probes.size() && least == 0; i += kProbesAtOnce) {
      for (std::size_t j = i; j < i + kProbesAtOnce; ++j)
        for (unsigned place = 0; place < 64; ++place)
          apart[place] |= static_cast<std::uint8_t>((text.bytes[at + probes[j].offset + place] ^ probes[j].value) & probes[j].mask);
      least = 0xff;
      for (unsigned place = 0; place < 64; ++place) least = std::min(least, apart[place]);
      if (least != 0) probes.note_end(i);
    }
    if (least != 0) continue;
    std::uint64_t left = 0;
    for (unsigned place = 0; place < 64; ++place) left |= std::uint64_t{apart[place] == 0} << place;
    left &= low_bits(text.to - at);
    if (left != 0) on_places(at, left);
  }
}

template <int Words, typename OnMatch>
void many_portable(const MatchTables& tables, const MatchSweep& sweep, const MatchText& text, std::size_t from, std::size_t end,
                   OnMatch& on_match)
{
  const auto* const filter = tables.at<std::uint32_t>(sweep.filter);
  for (std::size_t at = from; at < end; ++at) {
    const std::uint32_t hash = hash_at<Words>(text.bytes + at, sweep.fold);
    if (passes_filter(filter, hash, sweep.filter_bits)) check_window(tables, sweep, hash, text, at, on_match);
  }
}

#ifdef __x86_64__
inline bool is_exact(const Probes& probes)
{
  return std::all_of(probes.begin(), probes.begin() + kProbesAtOnce, [](const Probe& probe) { return probe.mask == 0xff; });
}

// Bits in which any of four probes differs from the text, at each of 64 places. Of exact probes no bit is left out: 0xf6 is a | (b
// ^ c).
template <bool Exact>
[[gnu::target("avx512f,avx512bw")]] inline __m512i apart_avx512(const std::uint8_t* row, const Probe* probes, const __m512i* values,
                                                                const __m512i* masks)
{
  const auto differs = [&](int i) __attribute__((target("avx512f,avx512bw")))
  {
    return _mm512_and_si512(_mm512_xor_si512(_mm512_loadu_si512(row + probes[i].offset), values[i]), masks[i]);
  };
  if constexpr (!Exact) return _mm512_or_si512(_mm512_or_si512(differs(0), differs(1)), _mm512_or_si512(differs(2), differs(3)));
  __m512i apart = _mm512_xor_si512(_mm512_loadu_si512(row + probes[0].offset), values[0]);
  apart = _mm512_ternarylogic_epi64(apart, _mm512_loadu_si512(row + probes[1].offset), values[1], 0xf6);
  apart = _mm512_ternarylogic_epi64(apart, _mm512_loadu_si512(row + probes[2].offset), values[2], 0xf6);
  return _mm512_ternarylogic_epi64(apart, _mm512_loadu_si512(row + probes[3].offset), values[3], 0xf6);
}

template <bool Exact, typename OnPlaces>
[[gnu::target("avx512f,avx512bw")]] void one_avx512(ProbeOrder probes, const MatchText& text, OnPlaces on_places)
{
  __m512i values[kProbesAtOnce], masks[kProbesAtOnce];
  for (std::size_t i = 0; i < kProbesAtOnce; ++i) {
    values[i] = _mm512_set1_epi8(static_cast<char>(probes[i].value));
    masks[i] = _mm512_set1_epi8(static_cast<char>(probes[i].mask));
  }
  for (std::size_t at = text.from; at < text.to; at += 64) {
    const std::uint8_t* const row = text.bytes + at;
    _mm_prefetch(reinterpret_cast<const char*>(row + kFetchAhead), _MM_HINT_T1);
    const __m512i apart = apart_avx512<Exact>(row, &probes[0], values, masks);
    __mmask64 left = _mm512_testn_epi8_mask(apart, apart);
    if (left == 0) continue;
    left &= low_bits(text.to - at);
    for (std::size_t i = kProbesAtOnce; i < probes.size() && left != 0; i += kProbesAtOnce) {
      for (std::size_t j = i; j < i + kProbesAtOnce; ++j)
        left = _mm512_mask_testn_epi8_mask(
            left,
            _mm512_xor_si512(_mm512_loadu_si512(row + probes[j].offset), _mm512_set1_epi8(static_cast<char>(probes[j].value))),
            _mm512_set1_epi8(static_cast<char>(probes[j].mask)));
      if (left == 0) probes.note_end(i);
    }
    if (left != 0) on_places(at, std::uint64_t{left});
  }
}

// ff in every byte that agrees with a probe.
[[gnu::target("avx2")]] inline __m256i agrees_avx2(const std::uint8_t* row, const Probe& probe)
{
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + probe.offset));
  const __m256i apart = _mm256_xor_si256(bytes, _mm256_set1_epi8(static_cast<char>(probe.value)));
  return _mm256_cmpeq_epi8(_mm256_and_si256(apart, _mm256_set1_epi8(static_cast<char>(probe.mask))), _mm256_setzero_si256());
}

template <typename OnPlaces>
[[gnu::target("avx2")]] void one_avx2(ProbeOrder probes, const MatchText& text, OnPlaces on_places)
{
  for (std::size_t at = text.from; at < text.to; at += 32) {
    const std::uint8_t* const row = text.bytes + at;
    _mm_prefetch(reinterpret_cast<const char*>(row + kFetchAhead), _MM_HINT_T1);
    std::uint32_t left = ~std::uint32_t{0};
    for (std::size_t i = 0; i < probes.size() && left != 0; i += kProbesAtOnce) {
      const __m256i agree01 = _mm256_and_si256(agrees_avx2(row, probes[i]), agrees_avx2(row, probes[i + 1]));
      const __m256i agree23 = _mm256_and_si256(agrees_avx2(row, probes[i + 2]), agrees_avx2(row, probes[i + 3]));
      left &= static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_and_si256(agree01, agree23)));
      if (left == 0) probes.note_end(i);
    }
    const std::uint64_t places = left & low_bits(text.to - at);
    if (places != 0) on_places(at, places);
  }
}

// The windows of 16 neighbouring places come out of 32 bytes by two shuffles: each quarter of the vector gets two words of the
// text, and then the four windows that start in the first of them.
[[gnu::target("avx512f,avx512bw")]] inline __m512i windows_avx512(const std::uint8_t* text)
{
  const __m512i pairs = _mm512_set_epi32(0, 0, 4, 3, 0, 0, 3, 2, 0, 0, 2, 1, 0, 0, 1, 0);
  const __m512i starts = _mm512_set4_epi32(0x06050403, 0x05040302, 0x04030201, 0x03020100);
  const __m512i bytes = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text)));
  return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(pairs, bytes), starts);
}

template <int Words, typename OnMatch>
[[gnu::target("avx512f,avx512bw")]] void many_avx512(const MatchTables& tables, const MatchSweep& sweep, const MatchText& text,
                                                     std::size_t from, std::size_t end, OnMatch& on_match)
{
  const auto* const filter = tables.at<std::uint32_t>(sweep.filter);
  const __m512i fold = _mm512_set1_epi32(static_cast<int>(sweep.fold));
  const __m512i one = _mm512_set1_epi32(1), low5 = _mm512_set1_epi32(31);
  const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(22 - sweep.filter_bits));
  std::size_t at = from;
  for (; at + 16 <= end; at += 16) {
    const auto product = [&](int word, std::uint32_t factor) __attribute__((target("avx512f,avx512bw")))
    {
      return _mm512_mullo_epi32(_mm512_and_si512(windows_avx512(text.bytes + at + 4 * word), fold),
                                _mm512_set1_epi32(static_cast<int>(factor)));
    };
    __m512i hash = product(0, kWindowFactor0);
    if constexpr (Words > 1) hash = _mm512_add_epi32(hash, product(1, kWindowFactor1));
    if constexpr (Words > 2) hash = _mm512_add_epi32(hash, product(2, kWindowFactor2));
    const __m512i top = _mm512_srl_epi32(hash, shift);
    const __m512i word = _mm512_i32gather_epi32(_mm512_srli_epi32(top, 10), filter, 4);
    const __m512i bits = _mm512_or_si512(_mm512_sllv_epi32(one, _mm512_and_si512(_mm512_srli_epi32(top, 5), low5)),
                                         _mm512_sllv_epi32(one, _mm512_and_si512(top, low5)));
    unsigned left = _mm512_cmpeq_epi32_mask(_mm512_and_si512(word, bits), bits);
    for (; left != 0; left &= left - 1) {
      const std::size_t place = at + static_cast<unsigned>(std::countr_zero(left));
      check_window(tables, sweep, hash_at<Words>(text.bytes + place, sweep.fold), text, place, on_match);
    }
  }
  many_portable<Words>(tables, sweep, text, at, end, on_match);
}
#endif

template <int Words, typename OnMatch>
void many(const MatchTables& tables, const MatchSweep& sweep, const MatchText& text, OnMatch& on_match)
{
  const std::size_t end = std::min(text.to + sweep.anchor, text.size);
#ifdef __x86_64__
  if (usable_vectors() == Vectors::avx512) return many_avx512<Words>(tables, sweep, text, text.from, end, on_match);
#endif
  many_portable<Words>(tables, sweep, text, text.from, end, on_match);
}

}  // namespace detail

// Calls on_places(at, places) for rows of up to 64 places, from the first to the last, that the pattern matches somewhere in: bit i
// of `places` is the place at + i. The pattern must fit into the text wherever the text admits a start.
template <typename OnPlaces>
void sweep_for_one(const Probes& probes, const MatchText& text, OnPlaces on_places)
{
  switch (usable_vectors()) {
#ifdef __x86_64__
    case Vectors::avx512:
      return detail::is_exact(probes) ? detail::one_avx512<true>(detail::ProbeOrder(probes), text, on_places)
                                      : detail::one_avx512<false>(detail::ProbeOrder(probes), text, on_places);
    case Vectors::avx2:
      return detail::one_avx2(detail::ProbeOrder(probes), text, on_places);
#endif
    default:
      return detail::one_portable(detail::ProbeOrder(probes), text, on_places);
  }
}

// Calls on_match(start, pattern) for every match of a hashed sweep's patterns.
template <typename OnMatch>
void sweep_for_many(const MatchTables& tables, const MatchSweep& sweep, const MatchText& text, OnMatch on_match)
{
  switch (sweep.words) {
    case 1:
      return detail::many<1>(tables, sweep, text, on_match);
    case 2:
      return detail::many<2>(tables, sweep, text, on_match);
    default:
      return detail::many<3>(tables, sweep, text, on_match);
  }
}

}  // namespace gpuaes::match
