// Whole requests through the engine, in every kind of memory, compared with OpenSSL's default provider.
#include "engine/engine.h"

#include "support/default_aes.h"
#include "support/print.h"
#include "support/scale.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <gtest/gtest.h>

#include <tuple>

namespace gpuaes {
namespace {

using test::Bytes;
using test::DefaultAes;
using test::TestMemory;

std::uint64_t bytes_of(Engine& engine, Carrier carrier)
{
  return engine.counters().bytes[static_cast<std::size_t>(carrier)].load();
}

// An engine that sends everything to the device.
Options always()
{
  Options options;
  options.mode = Mode::always;
  options.helper_threads = 0;
  return options;
}

struct Call {
  AesMode mode = AesMode::ctr;
  std::size_t key_bytes = 16;
  std::size_t bytes = 0;
  MemoryKind in = MemoryKind::ordinary;
  MemoryKind out = MemoryKind::ordinary;
  std::size_t in_shift = 0;
  std::size_t out_shift = 0;
  bool in_place = false;
};

// The counter before the last that fits in 32 bits, so that the carry leaves them in the first few blocks.
const Bytes kCounter = test::from_hex("00112233445566778899aabbfffffffe");

void expect_right(Engine& engine, const Call& call)
{
  const DefaultAes reference(call.mode, test::test_key(call.key_bytes), kCounter);
  const AesKey key = reference.engine_key();
  const Bytes input = test::pattern(call.bytes);
  TestMemory in(call.in, call.bytes + call.in_shift);
  TestMemory apart(call.out, call.bytes + call.out_shift + 1);
  in.upload(input, call.in_shift);
  apart.upload(Bytes(call.bytes + call.out_shift + 1, 0xee));
  TestMemory& out = call.in_place ? in : apart;
  const std::size_t out_shift = call.in_place ? call.in_shift : call.out_shift;

  engine.process(reference.request(key, in.data() + call.in_shift, out.data() + out_shift, call.bytes));
  EXPECT_EQ(test::first_difference(out.download(out_shift, call.bytes), reference.run(input)), "")
      << text_of(call.mode) << ", key of " << call.key_bytes << " bytes, " << call.bytes << " bytes, " << text_of(call.in) << " + "
      << call.in_shift << " -> " << text_of(call.out) << " + " << call.out_shift << (call.in_place ? ", in place" : "");
  if (call.in_place) return;
  EXPECT_EQ(apart.download(out_shift + call.bytes, 1), Bytes{0xee});
  EXPECT_EQ(test::first_difference(in.download(call.in_shift, call.bytes), input), "");
}

constexpr AesMode kModes[] = {AesMode::ecb_encrypt, AesMode::ecb_decrypt, AesMode::ctr};
constexpr MemoryKind kKinds[] = {MemoryKind::ordinary, MemoryKind::pinned, MemoryKind::managed, MemoryKind::device};

using EngineTest = test::OnDevice<>;

TEST_F(EngineTest, TheChosenDeviceIsTheActiveOne)
{
  Engine engine(always(), test::make_test_platform());
  expect_right(engine, {.bytes = 160});
  EXPECT_EQ(engine.state(), State::ready);
  EXPECT_EQ(engine.device_name() == "host (stand-in)", !test::on_cuda()) << engine.device_name();
}

TEST_F(EngineTest, EveryModeAndKeySize)
{
  Engine engine(always(), test::make_test_platform());
  for (const AesMode mode : kModes)
    for (const std::size_t key_bytes : {16u, 24u, 32u})
      for (const std::size_t blocks : {1u, 2u, 255u, 256u, 257u, 4096u})
        expect_right(engine, {.mode = mode, .key_bytes = key_bytes, .bytes = 16 * blocks});
  EXPECT_EQ(bytes_of(engine, Carrier::fallback), 0u);
}

class EngineMemoryTest : public test::OnDevice<::testing::TestWithParam<std::tuple<AesMode, MemoryKind, MemoryKind>>> {};

TEST_P(EngineMemoryTest, EverySizeAroundTheChunks)
{
  const auto [mode, in, out] = GetParam();
  Engine engine(always(), test::make_test_platform());
  for (const std::size_t bytes :
       {std::size_t{16}, std::size_t{4096}, (std::size_t{256} << 10) + 16, kLaneBytes - 16, kLaneBytes + 16})
    expect_right(engine, {.mode = mode, .bytes = bytes, .in = in, .out = out});
  expect_right(engine, {.mode = mode, .bytes = 2 * kLaneBytes + 16, .in = in, .out = out});
  EXPECT_EQ(bytes_of(engine, Carrier::fallback), 0u);
}

TEST_P(EngineMemoryTest, EveryAlignment)
{
  const auto [mode, in, out] = GetParam();
  Engine engine(always(), test::make_test_platform());
  for (const std::size_t shift : {1u, 4u, 8u, 15u}) {
    expect_right(engine, {.mode = mode, .bytes = 528, .in = in, .out = out, .in_shift = shift});
    expect_right(engine, {.mode = mode, .bytes = 528, .in = in, .out = out, .out_shift = shift});
    expect_right(engine, {.mode = mode, .bytes = 528, .in = in, .out = out, .in_shift = shift, .out_shift = 16 - shift});
  }
}

TEST_P(EngineMemoryTest, EverythingVerified)
{
  const auto [mode, in, out] = GetParam();
  Options options = always();
  options.verify = Verify::all;
  Engine engine(options, test::make_test_platform());
  expect_right(engine, {.mode = mode, .bytes = (std::size_t{1} << 20) + 48, .in = in, .out = out});
  EXPECT_EQ(engine.counters().verify_failures.load(), 0u);
}

TEST_P(EngineMemoryTest, InPlace)
{
  const auto [mode, in, out] = GetParam();
  if (in != out) return;
  for (const Verify verify : {Verify::off, Verify::all}) {
    Options options = always();
    options.verify = verify;
    Engine engine(options, test::make_test_platform());
    for (const std::size_t shift : {0u, 5u})
      for (const std::size_t bytes : {std::size_t{48}, (std::size_t{1} << 20) + 16})
        expect_right(engine, {.mode = mode, .bytes = bytes, .in = in, .out = in, .in_shift = shift, .in_place = true});
  }
}

std::string name_of_case(const ::testing::TestParamInfo<EngineMemoryTest::ParamType>& chosen)
{
  const auto [mode, in, out] = chosen.param;
  return std::string(text_of(mode)) + "_" + text_of(in) + "_" + text_of(out);
}

INSTANTIATE_TEST_SUITE_P(All, EngineMemoryTest,
                         ::testing::Combine(::testing::ValuesIn(kModes), ::testing::ValuesIn(kKinds), ::testing::ValuesIn(kKinds)),
                         name_of_case);

TEST_F(EngineTest, HelpersAndKeystreamChangeNoByte)
{
  const std::size_t bytes = test::scaled(20, 6) * (std::size_t{1} << 20) + 16;
  for (const int helpers : {0, 4})
    for (const bool keystream : {false, true})
      for (const AesMode mode : {AesMode::ecb_decrypt, AesMode::ctr}) {
        Options options = always();
        options.helper_threads = helpers;
        options.keystream = keystream;
        Engine engine(options, test::make_test_platform());
        expect_right(engine, {.mode = mode, .bytes = bytes});
        expect_right(engine, {.mode = mode, .bytes = bytes, .in_place = true});
        const bool ahead = keystream && mode == AesMode::ctr;
        EXPECT_EQ(bytes_of(engine, ahead ? Carrier::keystream : Carrier::device), 2 * bytes);
      }
}

TEST_F(EngineTest, NeverIsNever)
{
  Options options = always();
  options.mode = Mode::never;
  Engine engine(options, test::make_test_platform());
  expect_right(engine, {.bytes = 1 << 20});
  EXPECT_EQ(engine.state(), State::idle);
  EXPECT_EQ(bytes_of(engine, Carrier::fallback), 1u << 20);
}

TEST_F(EngineTest, SmallWorkStartsNothing)
{
  Engine engine(Options{}, test::make_test_platform());
  for (int i = 0; i < 100; ++i) expect_right(engine, {.bytes = 4096});
  EXPECT_EQ(engine.state(), State::idle);
  EXPECT_EQ(bytes_of(engine, Carrier::fallback), 409'600u);
}

TEST_F(EngineTest, DeviceMemoryIsServedFromTheFirstCall)
{
  Engine engine(Options{}, test::make_test_platform());
  expect_right(engine, {.bytes = 160, .in = MemoryKind::device, .out = MemoryKind::device});
  EXPECT_EQ(engine.state(), State::ready);
  EXPECT_EQ(bytes_of(engine, Carrier::device), 160u);
}

TEST_F(EngineTest, DeviceMemoryWithoutADeviceIsAnError)
{
  Options options;
  options.mode = Mode::never;
  Engine engine(options, test::make_test_platform());
  const DefaultAes reference(AesMode::ctr, test::test_key(16));
  const AesKey key = reference.engine_key();
  TestMemory memory(MemoryKind::device, 160);
  EXPECT_THROW(engine.process(reference.request(key, memory.data(), memory.data(), 160)), DeviceError);
}

TEST_F(EngineTest, ADeviceThatDoesNotExistIsAnErrorOnlyWithAlways)
{
  for (const Mode mode : {Mode::automatic, Mode::always}) {
    Options options = always();
    options.mode = mode;
    options.devices = {99};
    options.startup.when = Startup::When::on_load;
    Engine engine(options, test::make_test_platform());
    if (mode == Mode::automatic) {
      expect_right(engine, {.bytes = 4096});
    } else {
      const DefaultAes reference(AesMode::ctr, test::test_key(16));
      const AesKey key = reference.engine_key();
      Bytes data(4096);
      EXPECT_THROW(engine.process(reference.request(key, data.data(), data.data(), data.size())), DeviceError);
      EXPECT_EQ(engine.state(), State::absent);
    }
  }
}

TEST_F(EngineTest, CopyCrossesEitherWay)
{
  Engine engine(Options{}, test::make_test_platform());
  TestMemory memory(MemoryKind::device, 1000);
  const Bytes data = test::pattern(1000);
  engine.copy(memory.data(), data.data(), 1000);
  EXPECT_EQ(memory.download(0, 1000), data);
  Bytes back(1000);
  engine.copy(back.data(), memory.data(), 1000);
  EXPECT_EQ(back, data);
  engine.copy(nullptr, nullptr, 0);
}

}  // namespace
}  // namespace gpuaes
