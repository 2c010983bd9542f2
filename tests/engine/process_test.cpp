#include "engine/process.h"

#include "support/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace gpuaes {
namespace {

bool told = false;

struct Listener final : ExitListener {
  void on_exit() noexcept override { told = true; }
};

// Ends a child whose listeners ought to have been told by now and haven't.
void refuse_untold()
{
  if (!told) _exit(1);
}

void listen()
{
  told = false;
  add_exit_listener(*new Listener);
}

// As CUDA does, in the middle of a step.
TEST(Process, TheMainThreadsExitIsHeardBeforeHandlersThatAreRegisteredLater)
{
  EXPECT_TRUE(test::succeeds_in_child([] {
    listen();
    hear_exit_of_this_thread();
    std::atexit(refuse_untold);
    return true;
  }));
}

TEST(Process, AnotherThreadsExitIsHeardBeforeHandlersThatWereRegisteredBefore)
{
  EXPECT_TRUE(test::succeeds_in_child([] {
    listen();
    std::atexit(refuse_untold);
    hear_exit_before_handlers_so_far();
    std::thread([] { std::exit(0); }).join();
    return false;
  }));
}

TEST(Process, TheEndOfAnotherThreadIsNoExit)
{
  std::thread([] { hear_exit_of_this_thread(); }).join();
  EXPECT_FALSE(process_is_exiting());
}

TEST(Process, AForkIsCounted)
{
  const unsigned before = fork_generation();
  EXPECT_TRUE(test::succeeds_in_child([&] { return fork_generation() == before + 1; }));
  EXPECT_EQ(fork_generation(), before);
}

}  // namespace
}  // namespace gpuaes
