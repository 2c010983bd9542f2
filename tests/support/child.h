// Runs a piece of a test in a forked child.
#pragma once

#include <functional>

namespace gpuaes::test {

// How a child ended.
struct Ending {
  bool exited = false;  // else a signal ended it, or this process when it took longer than `seconds`
  int code = 0;         // exit code, or the signal
  bool operator==(const Ending&) const = default;
};

// Calls `work` in a child, which then ends with what it returned: by exit(), so that exit handlers run.
Ending run_in_child(const std::function<int()>& work, int seconds = 120);

// Whether `work` returned true there and the child then ended as it should.
bool succeeds_in_child(const std::function<bool()>& work);

}  // namespace gpuaes::test
