// Digests through EVP of messages in every kind of memory, in any pieces, compared with the definition.
#include "core/crc16.h"
#include "support/crc16_reference.h"
#include "support/digest.h"
#include "support/print.h"
#include "support/repeated_mapping.h"
#include "support/scale.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <random>

namespace gpuaes::test {
namespace {

std::string hex_of(std::uint16_t value)
{
  return to_hex({static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)});
}
std::string expected_of(const Bytes& data) { return hex_of(crc16_by_bits(0xffff, data)); }
Bytes part(const Bytes& data, std::size_t from, std::size_t to)
{
  return Bytes(data.begin() + static_cast<std::ptrdiff_t>(from), data.begin() + static_cast<std::ptrdiff_t>(to));
}

using DiffDigest = OnDevice<>;

TEST_F(DiffDigest, RandomSplits)
{
  const Bytes data = random_bytes(300'000, 31);
  for (const Settings& settings : {Settings{}, Settings{{"min_bytes_crc16", "5000"}, {"startup", "load"}}}) {
    const Library library = Library::with_gpuaes(settings);
    library.settled_state();
    std::minstd_rand random(32);
    for (int round = 0; round < 20; ++round) {
      Digesting digesting(library, "CRC16");
      for (std::size_t at = 0; at < data.size();) {
        const std::size_t most = round % 2 == 0 ? 100 : 40'000;
        const std::size_t bytes = std::min<std::size_t>(random() % most, data.size() - at);
        digesting.update(data.data() + at, bytes);
        at += bytes;
      }
      EXPECT_EQ(digesting.final(), expected_of(data));
    }
    if (!settings.empty()) {
      EXPECT_GT(library.number("gpuaes.bytes.device"), 1'000'000u);
    }
  }
}

TEST_F(DiffDigest, DevicePointersFromTheFirstCallInOneMessageWithOthers)
{
  const Bytes data = random_bytes(200'003, 33);
  for (const MemoryKind kind : {MemoryKind::device, MemoryKind::pinned, MemoryKind::managed}) {
    const TestMemory memory(kind, data);  // CUDA must be running when the context is initialised
    const Library library = Library::with_gpuaes();
    Digesting digesting(library, "CRC16");
    std::size_t at = 0;
    for (const std::size_t bytes : {1u, 0u, 15u, 4096u, 3u, 100'000u}) {
      digesting.update(memory.data() + at, bytes);
      digesting.update(data.data() + at + bytes, 7);  // the same bytes from ordinary memory
      at += bytes + 7;
    }
    digesting.update(memory.data() + at, data.size() - at);
    EXPECT_EQ(digesting.final(), expected_of(data)) << text_of(kind);
    if (kind == MemoryKind::device) {
      EXPECT_EQ(library.number("gpuaes.bytes.device"), data.size() - 42);
    }
  }
}

TEST_F(DiffDigest, CopiesInMidMessage)
{
  const Bytes data = random_bytes(10'000, 34);
  const TestMemory memory(MemoryKind::device, data);
  const Library library = Library::with_gpuaes();
  Digesting first(library, "CRC16");
  first.update(part(data, 0, 3333));
  Digesting second(first);
  Digesting third(library, "CRC16");
  third.update(part(data, 0, 77));
  ASSERT_EQ(EVP_MD_CTX_copy_ex(third.get(), first.get()), 1);  // over a context in use: copyctx, where OpenSSL has it
  first.update(part(data, 3333, 10'000));
  second.update(memory.data() + 3333, 10);
  third.update(part(data, 3333, 3334));
  EXPECT_EQ(first.final(), expected_of(data));
  EXPECT_EQ(second.final(), expected_of(part(data, 0, 3343)));
  EXPECT_EQ(third.final(), expected_of(part(data, 0, 3334)));
}

TEST_F(DiffDigest, ContextsStartAnew)
{
  const Bytes data = random_bytes(1000, 35);
  const Library library = Library::with_gpuaes();
  Digesting digesting(library, "CRC16");
  digesting.update(data);
  digesting.start();
  digesting.update(data);
  EXPECT_EQ(digesting.final(), expected_of(data));
  digesting.start();
  EXPECT_EQ(digesting.final(), "ffff");
}

TEST_F(DiffDigest, Zeros)
{
  const Library library = Library::with_gpuaes();
  EXPECT_EQ(digest_of(library, "CRC16", Bytes(1)), "0f87");
  EXPECT_EQ(digest_of(library, "CRC16", Bytes(2)), "f0b8");
  EXPECT_EQ(digest_of(library, "CRC16", Bytes(32767)), "ffff");
  EXPECT_EQ(digest_of(library, "CRC16-KERMIT", Bytes(12345)), "0000");
}

TEST_F(DiffDigest, OneUpdateOfMoreThan4GiB)
{
  const Bytes block = random_bytes(RepeatedMapping::kBlock, 36);
  const std::size_t times = scaled(257, 5);
  const RepeatedMapping mapping(block, times);
  const Library library = Library::with_gpuaes();
  Digesting digesting(library, "CRC16");
  digesting.update(mapping.data(), mapping.size());
  const std::uint16_t of_block = crc16_by_bits(0, block);
  std::uint16_t expected = 0xffff;
  for (std::size_t i = 0; i < times; ++i) expected = static_cast<std::uint16_t>(crc16_shift(expected, block.size()) ^ of_block);
  EXPECT_EQ(digesting.final(), hex_of(expected));
}

#if OPENSSL_VERSION_NUMBER >= 0x40000000L
TEST_F(DiffDigest, SerializedContextsGoOn)
{
  const Bytes data = random_bytes(5000, 37);
  const Library library = Library::with_gpuaes();
  Digesting first(library, "CRC16");
  first.update(part(data, 0, 1234));
  std::size_t bytes = 0;
  ASSERT_EQ(EVP_MD_CTX_serialize(first.get(), nullptr, &bytes), 1);
  Bytes state(bytes);
  ASSERT_EQ(EVP_MD_CTX_serialize(first.get(), state.data(), &bytes), 1);
  Digesting second(library, "CRC16");
  ASSERT_EQ(EVP_MD_CTX_deserialize(second.get(), state.data(), bytes), 1);
  second.update(part(data, 1234, 5000));
  EXPECT_EQ(second.final(), expected_of(data));

  Digesting other(library, "CRC16-KERMIT");
  EXPECT_EQ(EVP_MD_CTX_deserialize(other.get(), state.data(), bytes), 0);
  EXPECT_EQ(EVP_MD_CTX_deserialize(second.get(), state.data(), bytes - 1), 0);
  bytes -= 1;
  EXPECT_EQ(EVP_MD_CTX_serialize(first.get(), state.data(), &bytes), 0);
  take_errors();
}
#endif

}  // namespace
}  // namespace gpuaes::test
