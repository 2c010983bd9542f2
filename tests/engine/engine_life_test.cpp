// An engine's end, at every moment it can come: unload, exit, fork.
#include "engine/engine.h"

#include "gated_platform.h"
#include "host/host_memory.h"
#include "support/child.h"
#include "support/default_aes.h"
#include "support/scale.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace gpuaes {
namespace {

using test::Bytes;
using test::DefaultAes;

Options eager()
{
  Options options;
  options.min_bytes_ctr = options.min_bytes_ecb = 1;
  options.startup.when = Startup::When::on_load;
  options.helper_threads = 2;
  return options;
}

bool does_right(Engine& engine, std::size_t bytes = 40'000)
{
  const DefaultAes reference(AesMode::ctr, test::test_key(16));
  const AesKey key = reference.engine_key();
  const Bytes input = test::pattern(bytes);
  Bytes output(bytes);
  engine.process(reference.request(key, input.data(), output.data(), bytes));
  return output == reference.run(input);
}

// Not even the reference may use OpenSSL, which cleans itself up at exit.
void work_without_openssl(Engine& engine)
{
  const AesKey key(test::test_key(16));
  Bytes data(600'000);
  AesRequest request;
  request.key = &key;
  request.in = data.data();
  request.out = data.data();
  request.bytes = data.size();
  request.reference = [](std::size_t, const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    std::memmove(to, from, count);
  };
  engine.process(request);
}

// As CUDA is to a forked child.
class UnspeakablePlatform final : public Platform {
 public:
  DevicePointers device_pointers() const noexcept override { return DevicePointers::impossible; }
  MemoryPlace place_of(const void*) const noexcept override
  {
    ADD_FAILURE() << "was asked";
    return {};
  }
  Software software() const override { return {}; }
  std::unique_ptr<Device> open(std::span<const int>, const std::function<void()>&) override
  {
    throw DeviceError(DeviceError::Kind::absent, "not to be opened");
  }
};

void make_ready(Engine& engine)
{
  test::TestMemory memory(MemoryKind::device, 16);
  engine.copy(memory.data(), Bytes(16).data(), 16);
}

using EngineLifeTest = test::OnStandIn;

TEST_F(EngineLifeTest, NothingIsLeftOfManyEngines)
{
  const std::size_t before = host_memory::live_allocations();
  for (std::size_t i = 0; i < test::scaled(100, 20); ++i) {
    Engine engine(eager(), make_host_platform());
    if (i % 2 == 0) make_ready(engine);
    EXPECT_TRUE(does_right(engine));
  }
  EXPECT_EQ(host_memory::live_allocations(), before);
}

TEST_F(EngineLifeTest, BoundsOfMemoryHold)
{
  Options options = eager();
  options.pinned_bytes = options.device_bytes = 2 * kLaneBytes;
  const std::size_t before = host_memory::live_allocations();
  Engine engine(options, make_host_platform());
  make_ready(engine);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round)
        if (!does_right(engine, std::size_t{1} << 20)) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_LE(host_memory::live_allocations(), before + 4);
}

TEST_F(EngineLifeTest, ManyThreadsShareAnEngine)
{
  Engine engine(eager(), make_host_platform());
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      for (std::size_t round = 0; round < test::scaled(20, 4); ++round)
        if (!does_right(engine, 16 * (1 + round * 1000 + static_cast<std::size_t>(i)))) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(EngineLifeTest, WorkGoesOnWhileTheDeviceComesUp)
{
  auto gated = std::make_unique<test::GatedPlatform>();
  test::GatedPlatform& gate = *gated;
  Engine engine(eager(), std::move(gated));
  gate.wait_until_entered();
  EXPECT_EQ(engine.state(), State::starting);
  EXPECT_TRUE(does_right(engine, std::size_t{20} << 20));
  gate.let_through();
  make_ready(engine);
  EXPECT_TRUE(does_right(engine));
  EXPECT_GT(engine.counters().bytes[static_cast<std::size_t>(Carrier::keystream)].load(), 0u);
}

TEST_F(EngineLifeTest, DestructionWaitsForBringUp)
{
  auto gated = std::make_unique<test::GatedPlatform>();
  test::GatedPlatform& gate = *gated;
  auto engine = std::make_unique<Engine>(eager(), std::move(gated));
  gate.wait_until_entered();
  std::thread opener([&] { gate.let_through(); });
  Engine::dispose(std::move(engine));
  opener.join();
}

TEST_F(EngineLifeTest, ExitWithALiveEngineIsClean)
{
  for (const bool ready : {false, true}) {
    EXPECT_TRUE(test::succeeds_in_child([&] {
      auto* leaked = new Engine(eager(), make_host_platform());
      if (ready) make_ready(*leaked);
      return does_right(*leaked);
    })) << ready;
  }
}

// At exit, other threads may still be in the middle of calls.
TEST_F(EngineLifeTest, ExitWhileThreadsWorkIsClean)
{
  EXPECT_TRUE(test::succeeds_in_child([&] {
    Options options = eager();
    options.verify = Verify::off;
    auto* leaked = new Engine(options, make_host_platform());
    for (int i = 0; i < 3; ++i)
      std::thread([leaked] {
        for (;;) work_without_openssl(*leaked);
      }).detach();
    make_ready(*leaked);
    return true;
  }));
}

TEST_F(EngineLifeTest, ThePlatformIsntAskedForPointersThatCantBeItsOwn)
{
  const Engine engine({}, std::make_unique<UnspeakablePlatform>());
  const Bytes data(64);
  EXPECT_EQ(engine.state(), State::idle);
  EXPECT_EQ(engine.kind_of(data.data(), data.size()), MemoryKind::ordinary);
}

TEST_F(EngineLifeTest, AForkedChildGoesOnWithoutTheDevice)
{
  for (const bool ready : {false, true}) {
    Options options = eager();
    if (!ready) options.startup.when = Startup::When::automatic;
    auto engine = std::make_unique<Engine>(options, make_host_platform());
    if (ready) make_ready(*engine);
    EXPECT_TRUE(does_right(*engine));
    EXPECT_TRUE(test::succeeds_in_child([&] {
      const bool right = does_right(*engine);
      const bool state = !ready || engine->state() == State::forked;
      Engine::dispose(std::move(engine));
      return right && state;
    })) << ready;
    EXPECT_TRUE(does_right(*engine));
  }
}

TEST_F(EngineLifeTest, AChildForkedDuringBringUpGoesOnWithoutTheDevice)
{
  auto gated = std::make_unique<test::GatedPlatform>();
  test::GatedPlatform& gate = *gated;
  auto engine = std::make_unique<Engine>(eager(), std::move(gated));
  gate.wait_until_entered();
  const bool right = test::succeeds_in_child([&] {
    const bool same = does_right(*engine) && engine->state() == State::forked;
    Engine::dispose(std::move(engine));
    return same;
  });
  gate.let_through();
  EXPECT_TRUE(right);
}

}  // namespace
}  // namespace gpuaes
