#include "engine/xor_bytes.h"

#include "support/bytes.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

using test::Bytes;
using test::pattern;

Bytes expected_of(const Bytes& a, std::size_t a_at, const Bytes& b, std::size_t b_at, std::size_t bytes)
{
  Bytes result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::uint8_t>(a[a_at + i] ^ b[b_at + i]);
  return result;
}

TEST(XorBytes, EveryLengthAndAlignment)
{
  const Bytes a = pattern(400);
  const Bytes b = pattern(400, 97);
  for (std::size_t bytes = 0; bytes < 260; ++bytes)
    for (const auto& [shift, stores] :
         {std::pair{0u, Stores::cached}, {1u, Stores::cached}, {15u, Stores::streaming}, {33u, Stores::streaming}}) {
      Bytes out(400, 0xee);
      xor_bytes(out.data() + 3, a.data() + shift, b.data() + 64 - shift, bytes, stores);
      ASSERT_EQ(Bytes(out.begin() + 3, out.begin() + 3 + static_cast<std::ptrdiff_t>(bytes)),
                expected_of(a, shift, b, 64 - shift, bytes));
      ASSERT_EQ(out[2], 0xee);
      ASSERT_EQ(out[3 + bytes], 0xee);
    }
}

TEST(XorBytes, OutMayBeEitherInput)
{
  const Bytes a = pattern(1000);
  const Bytes b = pattern(1000, 50);
  const Bytes expected = expected_of(a, 0, b, 0, 1000);
  Bytes first = a;
  xor_bytes(first.data(), first.data(), b.data(), 1000, Stores::streaming);
  EXPECT_EQ(first, expected);
  Bytes second = b;
  xor_bytes(second.data(), a.data(), second.data(), 1000, Stores::streaming);
  EXPECT_EQ(second, expected);
}

}  // namespace
}  // namespace gpuaes
