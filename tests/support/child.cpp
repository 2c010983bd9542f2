#include "child.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace {

bool in_child = false;

}  // namespace

// LeakSanitizer asks this at exit. What a child inherits it leaves alone on purpose, and most are ended with everything alive.
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return in_child ? 1 : 0; }

// ThreadSanitizer asks this at the start: ending with threads at work is what some tests are about.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "report_thread_leaks=0"; }

namespace gpuaes::test {

Ending run_in_child(const std::function<int()>& work, int seconds)
{
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    in_child = true;
    int code = 99;
    try {
      code = work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    std::exit(code);
  }
  int status = 0;
  for (int hundredths = 0; hundredths < 100 * seconds; ++hundredths) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) {
      if (WIFEXITED(status)) return {true, WEXITSTATUS(status)};
      return {false, WTERMSIG(status)};
    }
    usleep(10'000);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return {false, 0};
}

bool succeeds_in_child(const std::function<bool()>& work)
{
  return run_in_child([&] { return work() ? 0 : 1; }) == Ending{true, 0};
}

}  // namespace gpuaes::test
