// Positions beyond 4 GiB, without 4 GiB of data: requests that begin where such a message has got to.
#include "engine/engine.h"

#include "support/default_aes.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

using test::Bytes;
using test::DefaultAes;

using CounterPositionsTest = test::OnDevice<>;

TEST_F(CounterPositionsTest, TheCarryCrossesEveryBorderInsideAndBetweenChunks)
{
  Options options;
  options.mode = Mode::always;
  Engine engine(options, test::make_test_platform());
  constexpr std::size_t kBytes = kLaneBytes + 4096;
  const Bytes input = test::pattern(kBytes);
  const Bytes key_bytes = test::test_key(32);
  for (const char* start : {
           "000000000000000000000000ffffff00",  // 2^32 blocks = 64 GiB are reached within the first chunk
           "00000000000000000000000010000000",  // 4 GiB into a message
           "000000000000000000000000fffc0000",  // exactly at the edge of the 4 MiB chunk
           "000000000000000000000000fffbffff",  // one block before it
           "0000000000000000fffffffffffc0000",  // 2^64 blocks at the edge
           "0000000000000000fffffffffffffff1",
           "ffffffffffffffffffffffffffffffff",
           "fffffffffffffffffffffffffffc0001",
       }) {
    const DefaultAes reference(AesMode::ctr, key_bytes, test::from_hex(start));
    const AesKey key = reference.engine_key();
    Bytes output(kBytes);
    engine.process(reference.request(key, input.data(), output.data(), kBytes));
    EXPECT_EQ(test::first_difference(output, reference.run(input)), "") << start;
  }
}

}  // namespace
}  // namespace gpuaes
