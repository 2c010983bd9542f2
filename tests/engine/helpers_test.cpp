#include "engine/helpers.h"

#include "support/scale.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace gpuaes {
namespace {

// A pile of numbered pieces that callers of work() take from, as the pipeline does.
struct Pile {
  explicit Pile(int count) : taken(static_cast<std::size_t>(count)) {}
  void work()
  {
    for (std::size_t piece; (piece = next.fetch_add(1)) < taken.size();) taken[piece].fetch_add(1);
  }
  bool done_once() const
  {
    for (const auto& times : taken)
      if (times.load() != 1) return false;
    return true;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::atomic<int>> taken;
};

TEST(Helpers, NoneLeavesTheWorkToTheCaller)
{
  Helpers helpers(0);
  std::set<std::thread::id> threads;
  helpers.share(3, [&] { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(Helpers, EveryPieceIsDoneOnce)
{
  Helpers helpers(3);
  for (int round = 0; round < 200; ++round) {
    Pile pile(1 + round % 17);
    helpers.share(round % 5, [&] { pile.work(); });
    ASSERT_TRUE(pile.done_once()) << round;
  }
}

// An invitation lives on the caller's stack: no helper may touch it after share() has returned.
TEST(Helpers, NoCallOutlastsShare)
{
  Helpers helpers(4);
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> inside{0};
    helpers.share(4, [&] {
      ++inside;
      std::this_thread::yield();
      --inside;
    });
    ASSERT_EQ(inside.load(), 0);
  }
}

TEST(Helpers, ManyCallersShareThem)
{
  Helpers helpers(4);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 8; ++caller)
    callers.emplace_back([&] {
      for (std::size_t round = 0; round < test::scaled(200, 50); ++round) {
        Pile pile(10);
        helpers.share(4, [&] { pile.work(); });
        if (!pile.done_once()) ++wrong;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace gpuaes
