// gpuaes info knows what to do about everything that can keep a device from being used.
#include "tool/info/advice.h"

#include "engine/why_unusable.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuaes::tool {
namespace {

TEST(Advice, KnowsEveryReason)
{
  const std::string fallback = advice_for("absent", "something that nobody has thought of");
  EXPECT_FALSE(fallback.empty());
  for (const char* const reason :
       {why::kWithoutCuda, why::kNoDriver, why::kNoDriverLibrary, why::kDriverTooOld, why::kNoGpu, why::kAfterFork,
        why::kFailedTest, why::kNoSuchDevice, why::kNoThread, why::kOutOfMemory, why::kUnavailable, why::kNoKernelImage,
        why::kNoKernel, why::kNoPinnedMemory, why::kVersionMismatch, why::kNotReady}) {
    const std::string advice = advice_for("absent", std::string("No device can be used. Device 0: ") + reason);
    EXPECT_NE(advice, "") << reason;
    EXPECT_NE(advice, fallback) << reason;
  }
}

TEST(Advice, IsOneSentence)
{
  for (const char* const state : {"not loaded", "bad setting", "inert", "starting", "forked", "absent", "lost"}) {
    const std::string advice = advice_for(state, "");
    ASSERT_FALSE(advice.empty()) << state;
    EXPECT_EQ(advice.back(), '.') << state;
    EXPECT_EQ(advice.find(". "), std::string::npos) << state;
  }
}

TEST(Advice, NeedsNoneWhereAllIsWell) { EXPECT_EQ(advice_for("ready", "The device passed its known-answer tests."), ""); }

}  // namespace
}  // namespace gpuaes::tool
