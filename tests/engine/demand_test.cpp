#include "engine/demand.h"

#include <gtest/gtest.h>

namespace gpuaes {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kGiB = std::size_t{1} << 30;
const Demand::Clock::time_point kNoon{10000s};

TEST(Demand, EnoughInAShortTime)
{
  Demand demand{Startup{}};
  EXPECT_FALSE(demand.add(kGiB, kNoon));
  EXPECT_FALSE(demand.add(kGiB - 1, kNoon + 2s));
  EXPECT_TRUE(demand.add(1, kNoon + 3s));
}

TEST(Demand, SlowStreamsDontAddUp)
{
  Demand demand{Startup{}};
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(demand.add(kGiB / 4, kNoon + i * 1s)) << i;
}

TEST(Demand, AFastStretchOfASlowStreamCounts)
{
  Demand demand{Startup{}};
  EXPECT_FALSE(demand.add(kGiB, kNoon));
  EXPECT_FALSE(demand.add(kGiB, kNoon + 60s));
  EXPECT_TRUE(demand.add(kGiB, kNoon + 61s));
}

TEST(Demand, ANumberOfBytesHasNoHurry)
{
  Demand demand{Startup{.when = Startup::When::after_bytes, .bytes = 100}};
  EXPECT_FALSE(demand.add(99, kNoon));
  EXPECT_TRUE(demand.add(1, kNoon + 3600s));
}

}  // namespace
}  // namespace gpuaes
