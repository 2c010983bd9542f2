// Which memory is taken for the host's without asking.
#include "host_regions.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <thread>

namespace gpuaes {
namespace {

constexpr std::size_t kRegion = std::size_t{2} << 20;

// Three regions that nothing else is in.
class SafetyRegions : public ::testing::Test {
 protected:
  SafetyRegions()
      : mapped_(static_cast<char*>(
            mmap(nullptr, 4 * kRegion, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        first_(mapped_ + kRegion - reinterpret_cast<std::uintptr_t>(mapped_) % kRegion)
  {
  }
  ~SafetyRegions() override { munmap(mapped_, 4 * kRegion); }

  char* const mapped_;
  char* const first_;
  const ProgramHeap heap_;
};

TEST_F(SafetyRegions, StackHeapAndWhatIsBesideTheObjectAreCertain)
{
  const auto* const regions = new (first_ + 64) HostRegions(heap_);
  const int on_stack = 0;
  EXPECT_TRUE(regions->certain(&on_stack));
  EXPECT_TRUE(regions->certain(sbrk(64))) << "a piece more of the heap, which sanitizers leave empty";
  EXPECT_TRUE(regions->certain(first_));
  EXPECT_TRUE(regions->certain(first_ + kRegion - 1));
  EXPECT_FALSE(regions->certain(first_ - 1));
  EXPECT_FALSE(regions->certain(first_ + kRegion));
}

TEST_F(SafetyRegions, AnAnswerHoldsForItsRegionAndIfItLastsUntilForgotten)
{
  HostRegions regions(heap_);
  EXPECT_FALSE(regions.remembered(first_, first_, true));
  regions.remember(first_ + 1, first_ + kRegion);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(regions.remembered(first_ + kRegion - 1, first_, true));
  EXPECT_TRUE(regions.remembered(first_, first_ + 2 * kRegion - 1, true));
  EXPECT_FALSE(regions.remembered(first_, first_ + 2 * kRegion, true));
  EXPECT_FALSE(regions.remembered(first_, first_, false)) << "far more than a moment later";
  regions.forget();
  EXPECT_FALSE(regions.remembered(first_, first_, true));
}

// Of both regions together, in the order that they were asked about: else one that nobody used would seem to have been.
TEST_F(SafetyRegions, ACallRenewsWhatWasRememberedOfItsMemory)
{
  HostRegions regions(heap_);
  regions.remember(first_, first_ + kRegion);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  regions.renew(first_, first_);
  regions.renew(first_ + kRegion, first_ + kRegion);
  regions.renew(first_ + 2 * kRegion, first_ + kRegion);
  EXPECT_FALSE(regions.remembered(first_, first_ + kRegion, false));
  // A moment is short: now and then another thread gets the processor meanwhile.
  bool renewed = false;
  for (int tries = 0; tries < 10'000 && !renewed; ++tries) {
    regions.renew(first_ + 1, first_ + 2 * kRegion - 1);
    renewed = regions.remembered(first_, first_ + kRegion, false);
  }
  EXPECT_TRUE(renewed);
  regions.forget();
  regions.renew(first_, first_ + kRegion);
  EXPECT_FALSE(regions.remembered(first_, first_ + kRegion, true));
}

}  // namespace
}  // namespace gpuaes
