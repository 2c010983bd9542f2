// Digests through the engine, in every kind of memory, compared with the definition.
#include "engine/engine.h"

#include "core/crc16_host.h"

#include "host/host_faults.h"
#include "host/host_memory.h"
#include "support/crc16_reference.h"
#include "support/print.h"
#include "support/scale.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

using test::Bytes;
using test::crc16_by_bits;
using test::random_bytes;
using test::TestMemory;

constexpr std::uint16_t kStart = 0x1d0f;
constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed, MemoryKind::device};

std::uint64_t bytes_of(Engine& engine, Carrier carrier)
{
  return engine.counters().bytes[static_cast<std::size_t>(carrier)].load();
}

Options always()
{
  Options options;
  options.mode = Mode::always;
  return options;
}

std::uint16_t digest(Engine& engine, const TestMemory& memory, std::size_t shift, std::size_t bytes)
{
  const std::uint8_t* const data = memory.data() + shift;
  return engine.crc16(kStart, data, bytes, engine.kind_of(data, bytes));
}

using Crc16EngineTest = test::OnDevice<>;

TEST_F(Crc16EngineTest, EveryKindOfMemoryAndAlignment)
{
  Engine engine(always(), test::make_test_platform());
  const Bytes data = random_bytes(300'000, 21);
  std::uint64_t total = 0;
  for (const MemoryKind kind : kKinds) {
    const TestMemory memory(kind, data);
    for (const std::size_t shift : {0u, 1u, 7u, 15u, 16u, 255u})
      for (const std::size_t bytes :
           {1u, 2u, 15u, 16u, 17u, 31u, 33u, 4095u, 4096u, 4097u, 8192u, 32767u, 32768u, 32769u, 270'001u}) {
        EXPECT_EQ(digest(engine, memory, shift, bytes), crc16_by_bits(kStart, {data.data() + shift, bytes}))
            << text_of(kind) << " + " << shift << ", " << bytes;
        total += bytes;
      }
  }
  EXPECT_EQ(bytes_of(engine, Carrier::device), total);
  EXPECT_EQ(bytes_of(engine, Carrier::fallback), 0u);
}

// Every length around rows, steps of rows and blocks of the grid.
TEST_F(Crc16EngineTest, ManyLengthsInDeviceMemory)
{
  Engine engine(always(), test::make_test_platform());
  const Bytes data = random_bytes((std::size_t{8} << 20) + 100, 22);
  const TestMemory memory(MemoryKind::device, data);
  std::uint16_t expected = kStart;
  for (std::size_t bytes = 1; bytes <= test::scaled(4200, 600); ++bytes) {
    expected = crc16_by_bits(expected, {data.data() + bytes - 1, 1});
    ASSERT_EQ(digest(engine, memory, 0, bytes), expected) << bytes;
  }
  for (const std::size_t step : {32767u, 32768u, 16u * 32767u, 1u << 20, 8u * 528u * 4096u / 4u})
    for (const int more : {-17, -1, 0, 1, 17}) {
      const std::size_t bytes = step + static_cast<std::size_t>(more);
      EXPECT_EQ(digest(engine, memory, 3, bytes), crc16_by_bits(kStart, {data.data() + 3, bytes})) << bytes;
    }
}

TEST_F(Crc16EngineTest, LongerThanALaneWithEverythingChecked)
{
  Options options = always();
  options.verify = Verify::all;
  Engine engine(options, test::make_test_platform());
  const std::size_t bytes = kLaneBytes + 12'345;
  const Bytes data = random_bytes(bytes + 1, 23);
  const std::uint16_t expected = crc16_by_bits(kStart, {data.data() + 1, bytes});
  for (const MemoryKind kind : kKinds) {
    const TestMemory memory(kind, data);
    EXPECT_EQ(digest(engine, memory, 1, bytes), expected) << text_of(kind);
  }
}

TEST_F(Crc16EngineTest, ASampleIsChecked)
{
  Options options;
  options.startup.when = Startup::When::on_load;
  Engine engine(options, test::make_test_platform());
  const std::size_t bytes = std::size_t{160} << 20;
  ASSERT_EQ(crc16_check_bytes(options, {bytes, MemoryKind::pinned}), kCrc16SampleBytes);
  const Bytes block = random_bytes(std::size_t{1} << 20, 24);
  TestMemory memory(MemoryKind::pinned, bytes);
  for (std::size_t at = 0; at < bytes; at += block.size()) memory.upload(block, at);
  const TestMemory warm(MemoryKind::device, 16);
  digest(engine, warm, 0, 16);  // waits for the device
  EXPECT_EQ(digest(engine, memory, 0, bytes), crc16_update(kStart, memory.data(), bytes));
  EXPECT_EQ(bytes_of(engine, Carrier::device), bytes + 16);
  if (test::on_cuda()) return;
  // The first job from now on is the digest, the second the sample.
  host_faults::set({.corrupt_job = 2});
  EXPECT_EQ(digest(engine, memory, 0, bytes), crc16_update(kStart, memory.data(), bytes));
  host_faults::set({});
  EXPECT_EQ(engine.counters().verify_failures.load(), 1u);
  EXPECT_EQ(engine.state(), State::lost);
}

TEST_F(Crc16EngineTest, OrdinaryMemoryStartsNoDevice)
{
  Options options;
  options.startup = {.when = Startup::When::after_bytes, .bytes = 1};
  Engine engine(options, test::make_test_platform());
  const Bytes data = random_bytes(std::size_t{8} << 20, 25);
  EXPECT_EQ(engine.crc16(kStart, data.data(), data.size(), MemoryKind::ordinary), crc16_by_bits(kStart, data));
  EXPECT_EQ(engine.state(), State::idle);
  EXPECT_EQ(bytes_of(engine, Carrier::fallback), data.size());
}

TEST_F(Crc16EngineTest, PinnedMemoryIsDemandAndDeviceMemoryWaits)
{
  Engine engine(Options{}, test::make_test_platform());
  const Bytes data = random_bytes(std::size_t{8} << 20, 26);
  const TestMemory pinned(MemoryKind::pinned, data);
  EXPECT_EQ(digest(engine, pinned, 0, data.size()), crc16_by_bits(kStart, data));
  EXPECT_NE(engine.state(), State::idle);
  const TestMemory memory(MemoryKind::device, data);
  EXPECT_EQ(digest(engine, memory, 0, 1), crc16_by_bits(kStart, {data.data(), 1}));
  EXPECT_EQ(engine.state(), State::ready);
}

TEST_F(Crc16EngineTest, NeverIsAnErrorForDeviceMemoryOnly)
{
  Options options;
  options.mode = Mode::never;
  Engine engine(options, test::make_test_platform());
  const Bytes data = random_bytes(5000, 27);
  for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed}) {
    const TestMemory memory(kind, data);
    EXPECT_EQ(digest(engine, memory, 0, 5000), crc16_by_bits(kStart, data)) << text_of(kind);
  }
  const TestMemory memory(MemoryKind::device, data);
  EXPECT_THROW(digest(engine, memory, 0, 5000), DeviceError);
  EXPECT_EQ(engine.state(), State::idle);
}

TEST_F(Crc16EngineTest, WithoutRoomForBuffersAlwaysIsAnErrorAndAutoGoesOn)
{
  const Bytes data = random_bytes(5000, 28);
  for (const Mode mode : {Mode::always, Mode::automatic}) {
    Options options;
    options.mode = mode;
    options.min_bytes_crc16 = 1;
    options.device_bytes = 0;
    options.startup.when = Startup::When::on_load;
    Engine engine(options, test::make_test_platform());
    if (mode == Mode::always)
      EXPECT_THROW(engine.crc16(kStart, data.data(), 5000, MemoryKind::ordinary), DeviceError);
    else
      EXPECT_EQ(engine.crc16(kStart, data.data(), 5000, MemoryKind::ordinary), crc16_by_bits(kStart, data));
    // Memory that the kernel reads where it is needs no buffer.
    const TestMemory memory(MemoryKind::device, data);
    EXPECT_EQ(digest(engine, memory, 0, 5000), crc16_by_bits(kStart, data));
  }
}

// Faults.

class Crc16FaultsTest : public test::OnStandIn, public ::testing::WithParamInterface<MemoryKind> {
 protected:
  void TearDown() override { host_faults::set({}); }
};

constexpr std::size_t kFaultyBytes = 100'003;

// One digest on a ready engine with a plan in force; returns the calls of the stand-in.
std::size_t run(MemoryKind kind, Verify verify, const host_faults::Plan& plan, const std::function<void(Engine&, bool right)>& look)
{
  host_faults::set({});
  Options options;
  options.min_bytes_crc16 = 1;
  options.verify = verify;
  Engine engine(options, make_host_platform());
  const Bytes data = random_bytes(kFaultyBytes, 29);
  const TestMemory warm(MemoryKind::device, 16);
  digest(engine, warm, 0, 16);  // waits for the device
  const TestMemory memory(kind, data);
  host_faults::set(plan);
  bool right = false;
  try {
    const std::uint16_t got = digest(engine, memory, 0, kFaultyBytes);
    right = got == crc16_by_bits(kStart, data);
    EXPECT_TRUE(right) << "a wrong result";
  } catch (const DeviceError&) {
    EXPECT_FALSE(host_can_access(kind));
  }
  const std::size_t calls = host_faults::calls();
  host_faults::set({});
  look(engine, right);
  return calls;
}

TEST_P(Crc16FaultsTest, EveryCallFailsInEveryWay)
{
  const MemoryKind kind = GetParam();
  const std::size_t before = host_memory::live_allocations();
  for (const Verify verify : {Verify::off, Verify::all}) {
    const std::size_t calls = run(kind, verify, {}, [](Engine& engine, bool right) {
      EXPECT_TRUE(right);
      EXPECT_EQ(bytes_of(engine, Carrier::device), kFaultyBytes + 16);
    });
    for (const auto error : {DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost})
      for (const bool when_executed : {false, true})
        for (std::size_t n = 1; n <= calls; n += test::scaled(1, 3)) {
          SCOPED_TRACE(::testing::Message() << "call " << n << " of " << calls << ", kind " << static_cast<int>(error));
          run(kind, verify, {.fail_at = n, .kind = error, .when_executed = when_executed}, [&](Engine& engine, bool right) {
            if (host_can_access(kind)) {
              EXPECT_TRUE(right);
              EXPECT_EQ(engine.counters().redone_on_cpu.load(), engine.counters().device_errors.load());
              EXPECT_EQ(bytes_of(engine, Carrier::device) + bytes_of(engine, Carrier::fallback), kFaultyBytes + 16);
            }
            if (error == DeviceError::Kind::lost && engine.counters().device_errors.load() > 0) {
              EXPECT_EQ(engine.state(), State::lost);
            }
          });
          EXPECT_EQ(host_memory::live_allocations(), before);
        }
  }
}

TEST_P(Crc16FaultsTest, AWrongResultIsFoundAndEndsTheDevice)
{
  const MemoryKind kind = GetParam();
  run(kind, Verify::all, {.corrupt_job = 1}, [&](Engine& engine, bool right) {
    EXPECT_EQ(right, host_can_access(kind));
    EXPECT_EQ(engine.counters().verify_failures.load(), 1u);
    EXPECT_EQ(engine.state(), State::lost);
  });
}

INSTANTIATE_TEST_SUITE_P(Memory, Crc16FaultsTest, ::testing::ValuesIn(kKinds),
                         [](const auto& chosen) { return std::string(text_of(chosen.param)); });

}  // namespace
}  // namespace gpuaes
