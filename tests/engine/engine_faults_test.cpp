// Every call of the device fails once, in every way: the output stays right, the counters tell, nothing leaks.
#include "faulty_run.h"
#include "support/scale.h"

namespace gpuaes::test {
namespace {

constexpr DeviceError::Kind kKinds[] = {DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost};

std::string name_of_case(const ::testing::TestParamInfo<Shape>& chosen) { return name_of_shape(chosen.param); }

void expect_consistent(Engine& engine, std::size_t bytes, DeviceError::Kind kind)
{
  Counters& counters = engine.counters();
  std::uint64_t total = 0;
  for (const auto& part : counters.bytes) total += part.load();
  EXPECT_EQ(total, bytes);
  // A lane more that couldn't be had is no error: the others do the work.
  if (kind != DeviceError::Kind::out_of_memory) {
    EXPECT_EQ(counters.device_errors.load(), 1u);
    EXPECT_EQ(counters.redone_on_cpu.load(), 1u);
  }
  EXPECT_EQ(counters.device_errors.load(), counters.redone_on_cpu.load());
  EXPECT_EQ(engine.state(), kind == DeviceError::Kind::lost ? State::lost : State::ready);
}

class EngineHostFaultsTest : public FaultyRun, public ::testing::WithParamInterface<Shape> {};

TEST_P(EngineHostFaultsTest, EveryCallFailsInEveryWayAndTheOutputIsRight)
{
  const Shape shape = GetParam();
  const std::size_t before = host_memory::live_allocations();
  const std::size_t calls = calls_of_clean_run(shape);
  ASSERT_GE(calls, 2u);
  for (const DeviceError::Kind kind : kKinds)
    for (const bool when_executed : {false, true})
      for (std::size_t n = 1; n <= calls; n += scaled(1, 3)) {
        SCOPED_TRACE(::testing::Message() << "call " << n << " of " << calls << ", kind " << static_cast<int>(kind)
                                          << (when_executed ? ", when executed" : ""));
        const End end =
            run(shape, {.fail_at = n, .kind = kind, .when_executed = when_executed}, [&](Engine& engine, const AesRequest&) {
              // The last calls of a clean run are the wipes of lanes that go back: they fail nobody.
              if (engine.counters().device_errors.load() > 0) expect_consistent(engine, shape.bytes, kind);
            });
        EXPECT_EQ(end, End::right);
        EXPECT_EQ(host_memory::live_allocations(), before);
      }
}

INSTANTIATE_TEST_SUITE_P(
    Memory, EngineHostFaultsTest,
    ::testing::Values(Shape{}, Shape{.in_place = true}, Shape{.keystream = false}, Shape{.in_place = true, .keystream = false},
                      Shape{.mode = AesMode::ecb_encrypt}, Shape{.mode = AesMode::ecb_decrypt, .in_place = true},
                      Shape{.mode = AesMode::ecb_encrypt, .in = MemoryKind::pinned, .out = MemoryKind::pinned},
                      Shape{.in = MemoryKind::pinned, .out = MemoryKind::pinned, .in_place = true},
                      Shape{.mode = AesMode::ecb_decrypt, .in = MemoryKind::pinned, .out = MemoryKind::pinned, .in_place = true},
                      Shape{.in = MemoryKind::pinned, .out = MemoryKind::pinned, .bytes = std::size_t{3} << 20},
                      Shape{.in = MemoryKind::managed, .out = MemoryKind::managed},
                      Shape{.in = MemoryKind::ordinary, .out = MemoryKind::managed}),
    name_of_case);

// Data out of the processor's reach can be lost with the device. What may never be is a wrong result that looks like a right one.
class EngineDeviceFaultsTest : public FaultyRun, public ::testing::WithParamInterface<Shape> {};

TEST_P(EngineDeviceFaultsTest, TheOutputIsRightOrTheCallFails)
{
  const Shape shape = GetParam();
  const std::size_t before = host_memory::live_allocations();
  const std::size_t calls = calls_of_clean_run(shape);
  for (const DeviceError::Kind kind : kKinds)
    for (const bool when_executed : {false, true})
      for (std::size_t n = 1; n <= calls; ++n) {
        SCOPED_TRACE(::testing::Message() << "call " << n << " of " << calls << ", kind " << static_cast<int>(kind)
                                          << (when_executed ? ", when executed" : ""));
        const End end = run(shape, {.fail_at = n, .kind = kind, .when_executed = when_executed});
        EXPECT_NE(end, End::wrong);
        EXPECT_EQ(host_memory::live_allocations(), before);
      }
}

INSTANTIATE_TEST_SUITE_P(
    Memory, EngineDeviceFaultsTest,
    ::testing::Values(Shape{.in = MemoryKind::device, .out = MemoryKind::device},
                      Shape{.in = MemoryKind::device, .out = MemoryKind::device, .in_place = true},
                      Shape{.mode = AesMode::ecb_decrypt, .in = MemoryKind::device, .out = MemoryKind::device, .in_place = true},
                      Shape{.in = MemoryKind::managed, .out = MemoryKind::managed, .in_place = true},
                      Shape{.in = MemoryKind::device, .out = MemoryKind::ordinary},
                      Shape{.mode = AesMode::ecb_encrypt, .in = MemoryKind::device, .out = MemoryKind::pinned},
                      Shape{.in = MemoryKind::pinned, .out = MemoryKind::device}),
    name_of_case);

}  // namespace
}  // namespace gpuaes::test
