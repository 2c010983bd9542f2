// Bring-up's states and what causes them.
#include "engine/bring_up.h"

#include "engine/known_answers.h"
#include "gated_platform.h"
#include "host/host_faults.h"
#include "support/child.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <atomic>

namespace gpuaes {
namespace {

class BringUpTest : public test::OnStandIn {
 protected:
  ~BringUpTest() override { host_faults::set({}); }

  BringUp make(std::vector<int> ordinals = {})
  {
    return BringUp(*platform_, std::move(ordinals), run_known_answer_tests, [this] { ++changes_; });
  }

  std::unique_ptr<Platform> platform_ = make_host_platform();
  std::atomic<int> changes_{0};
};

TEST_F(BringUpTest, IsIdleUntilAskedTo)
{
  host_faults::set({});
  {
    const BringUp bring_up = make();
    EXPECT_EQ(bring_up.state(), State::idle);
    EXPECT_FALSE(bring_up.reason().empty());
    EXPECT_EQ(bring_up.device_name(), "");
  }
  EXPECT_EQ(host_faults::calls(), 0u);
}

TEST_F(BringUpTest, IsReadyWithADeviceThatPassesItsTests)
{
  BringUp bring_up = make();
  bring_up.start();
  bring_up.wait();
  EXPECT_EQ(bring_up.state(), State::ready);
  EXPECT_EQ(bring_up.device_name(), "host (stand-in)");
  EXPECT_EQ(changes_.load(), 2);
  bring_up.start();
  bring_up.wait();  // changes nothing
  EXPECT_EQ(changes_.load(), 2);
}

TEST_F(BringUpTest, IsAbsentIfTheDeviceAskedForIsNotThere)
{
  BringUp bring_up = make({7});
  bring_up.start();
  bring_up.wait();
  EXPECT_EQ(bring_up.state(), State::absent);
  EXPECT_NE(bring_up.reason().find("device 0"), std::string::npos) << bring_up.reason();
}

TEST_F(BringUpTest, IsAbsentIfAnyOfItsTestsFails)
{
  for (std::size_t job = 1; job <= 9; ++job) {
    host_faults::set({.corrupt_job = job});
    BringUp bring_up = make();
    bring_up.start();
    bring_up.wait();
    EXPECT_EQ(bring_up.state(), State::absent) << job;
    EXPECT_NE(bring_up.reason().find("known-answer"), std::string::npos) << bring_up.reason();
  }
}

TEST_F(BringUpTest, IsAbsentWhateverCallFails)
{
  host_faults::set({});
  {
    BringUp clean = make();
    clean.start();
    clean.wait();
    ASSERT_EQ(clean.state(), State::ready);
  }
  const std::size_t calls = host_faults::calls();
  ASSERT_GT(calls, 20u);
  for (const bool when_executed : {false, true})
    for (std::size_t n = 1; n <= calls; ++n) {
      host_faults::set({.fail_at = n, .when_executed = when_executed});
      BringUp bring_up = make();
      bring_up.start();
      bring_up.wait();
      EXPECT_EQ(bring_up.state(), State::absent) << n;
      EXPECT_NE(bring_up.reason().find("Fault injected"), std::string::npos) << bring_up.reason();
    }
}

TEST_F(BringUpTest, LosesOnlyADeviceThatWasReady)
{
  BringUp bring_up = make();
  bring_up.lose("too early");
  EXPECT_EQ(bring_up.state(), State::idle);
  bring_up.start();
  bring_up.wait();
  bring_up.lose("It fell off the bus.");
  EXPECT_EQ(bring_up.state(), State::lost);
  EXPECT_EQ(bring_up.reason(), "It fell off the bus.");
  bring_up.lose("again");
  EXPECT_EQ(bring_up.reason(), "It fell off the bus.");
}

TEST_F(BringUpTest, StopsAtTheEndOfItsStage)
{
  test::GatedPlatform gated;
  BringUp bring_up(gated, {}, run_known_answer_tests, [] {});
  bring_up.start();
  gated.wait_until_entered();
  EXPECT_EQ(bring_up.state(), State::starting);
  std::thread stopper([&] { bring_up.stop(); });
  gated.let_through();
  stopper.join();
  EXPECT_NE(bring_up.state(), State::starting);
  EXPECT_NE(bring_up.state(), State::idle);
}

TEST_F(BringUpTest, DoesNotStartOnceStopped)
{
  BringUp bring_up = make();
  bring_up.stop();
  bring_up.start();
  bring_up.wait();
  EXPECT_EQ(bring_up.state(), State::idle);
}

// What was never started belongs to nobody: the child may bring up a device of its own.
TEST_F(BringUpTest, IdleIsAdoptedByAForkedChild)
{
  BringUp bring_up = make();
  EXPECT_TRUE(test::succeeds_in_child([&] { return bring_up.state() == State::idle; }));
}

TEST_F(BringUpTest, ReadyIsForkedInAChild)
{
  BringUp bring_up = make();
  bring_up.start();
  bring_up.wait();
  EXPECT_TRUE(test::succeeds_in_child([&] {
    bring_up.start();
    bring_up.wait();
    return bring_up.state() == State::forked && bring_up.reason().find("parent") != std::string::npos;
  }));
  EXPECT_EQ(bring_up.state(), State::ready);
}

TEST_F(BringUpTest, StartingIsForkedInAChild)
{
  test::GatedPlatform gated;
  BringUp bring_up(gated, {}, run_known_answer_tests, [] {});
  bring_up.start();
  gated.wait_until_entered();
  const bool right = test::succeeds_in_child([&] {
    bring_up.start();
    bring_up.wait();
    return bring_up.state() == State::forked;
  });
  gated.let_through();
  EXPECT_TRUE(right);
}

}  // namespace
}  // namespace gpuaes
