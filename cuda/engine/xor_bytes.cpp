#include "xor_bytes.h"

#include <cstring>

namespace gpuaes {
namespace {

// The vector type decides the width; without the instructions for it, the compiler splits it into what there is.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void xor_in_vectors(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b,
                                                  std::size_t bytes)
{
  using Vector [[gnu::vector_size(Bytes)]] = std::uint64_t;
  std::size_t i = 0;
  for (; i + Bytes <= bytes; i += Bytes) {
    Vector left, right;
    std::memcpy(&left, a + i, Bytes);
    std::memcpy(&right, b + i, Bytes);
    left ^= right;
    std::memcpy(out + i, &left, Bytes);
  }
  for (; i < bytes; ++i) out[i] = a[i] ^ b[i];
}

using Xor = void (*)(std::uint8_t*, const std::uint8_t*, const std::uint8_t*, std::size_t);

#ifdef __x86_64__
[[gnu::target("avx512f")]] void xor_avx512(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  xor_in_vectors<64>(out, a, b, bytes);
}

[[gnu::target("avx2")]] void xor_avx2(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  xor_in_vectors<32>(out, a, b, bytes);
}
#endif

void xor_portable(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes)
{
  xor_in_vectors<16>(out, a, b, bytes);
}

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
