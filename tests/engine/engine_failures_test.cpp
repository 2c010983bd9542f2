// What a failure of the device means for the calls after it, and for an application that doesn't want a fallback.
#include "faulty_run.h"

namespace gpuaes::test {
namespace {

class EngineFailuresTest : public FaultyRun {};

// A passing failure of a call whose data stays where it was costs nothing but time, on the device as elsewhere.
TEST_F(EngineFailuresTest, ApartOnTheDeviceAPassingFailureIsMadeGood)
{
  const Shape shape{.in = MemoryKind::device, .out = MemoryKind::device};
  EXPECT_EQ(run(shape, {.fail_at = 2, .when_executed = true}), End::right);
}

TEST_F(EngineFailuresTest, AWrongResultIsFoundAndEndsTheDevice)
{
  for (const Verify verify : {Verify::sample, Verify::all})
    for (const AesMode mode : {AesMode::ecb_encrypt, AesMode::ecb_decrypt, AesMode::ctr})
      for (std::size_t job = 1; job <= 3; ++job) {
        const Shape shape{.mode = mode, .bytes = std::size_t{3} << 19};  // three chunks
        Options options = options_for(shape);
        options.verify = verify;
        host_faults::set({});
        Engine engine(options, make_host_platform());
        TestMemory warm(MemoryKind::device, 16);
        engine.copy(warm.data(), Bytes(16).data(), 16);

        const DefaultAes reference(mode, test_key(32));
        const AesKey key = reference.engine_key();
        const Bytes input = pattern(shape.bytes);
        Bytes output(shape.bytes);
        host_faults::set({.corrupt_job = job});
        engine.process(reference.request(key, input.data(), output.data(), shape.bytes));
        EXPECT_EQ(first_difference(output, reference.run(input)), "");
        EXPECT_EQ(engine.counters().verify_failures.load(), 1u);
        EXPECT_EQ(engine.counters().device_errors.load(), 1u);
        EXPECT_EQ(engine.state(), State::lost);
      }
}

TEST_F(EngineFailuresTest, OnceLostEverythingIsDoneByTheProcessor)
{
  run({}, {.fail_at = 3, .kind = DeviceError::Kind::lost}, [&](Engine& engine, const AesRequest& request) {
    EXPECT_EQ(engine.state(), State::lost);
    EXPECT_EQ(engine.smallest_offers(request.mode, 10).of(false), ~std::size_t{0});
    const std::size_t before = host_faults::calls();
    const std::uint64_t errors = engine.counters().device_errors.load();
    engine.process(request);
    EXPECT_EQ(host_faults::calls(), before);
    EXPECT_EQ(engine.counters().device_errors.load(), errors);
  });
}

TEST_F(EngineFailuresTest, FailuresInARowEndTheDeviceButASuccessForgivesThem)
{
  host_faults::set({});
  Engine engine(options_for({}), make_host_platform());
  TestMemory warm(MemoryKind::device, 16);
  engine.copy(warm.data(), Bytes(16).data(), 16);
  const DefaultAes reference(AesMode::ctr, test_key(16));
  const AesKey key = reference.engine_key();
  const Bytes input = pattern(4096);
  Bytes output(4096);
  const auto call = [&](bool fails) {
    host_faults::set({.fail_at = fails ? 2u : 0u});
    engine.process(reference.request(key, input.data(), output.data(), 4096));
    EXPECT_EQ(output, reference.run(input));
  };
  for (const bool fails : {true, true, false, true, true}) call(fails);
  EXPECT_EQ(engine.state(), State::ready);
  call(true);
  EXPECT_EQ(engine.state(), State::lost);
}

TEST_F(EngineFailuresTest, FailOnErrorAndAlwaysRaiseWhatHappened)
{
  for (const bool always : {false, true}) {
    Options options = options_for({});
    options.fail_on_error = !always;
    if (always) options.mode = Mode::always;
    host_faults::set({});
    Engine engine(options, make_host_platform());
    TestMemory warm(MemoryKind::device, 16);
    engine.copy(warm.data(), Bytes(16).data(), 16);
    const DefaultAes reference(AesMode::ctr, test_key(16));
    const AesKey key = reference.engine_key();
    Bytes data(4096);
    host_faults::set({.fail_at = 2});
    EXPECT_THROW(engine.process(reference.request(key, data.data(), data.data(), data.size())), DeviceError);
    EXPECT_EQ(engine.counters().redone_on_cpu.load(), 0u);
    EXPECT_EQ(engine.counters().device_errors.load(), 1u);
    host_faults::set({});
    EXPECT_NO_THROW(engine.process(reference.request(key, data.data(), data.data(), data.size())));
  }
}

}  // namespace
}  // namespace gpuaes::test
