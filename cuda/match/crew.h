// The threads of a command, which get none of its signals but those that are theirs.
#pragma once

#include <functional>

namespace gpuaes::match {

// Runs work(0) to work(threads - 1), each in a thread of its own, and calls `look` now and then until all have returned. They must
// not throw. Who reads the output may go away: that ends the command, by the signal SIGPIPE, which goes to the thread that writes,
// unless the command was started with that signal ignored.
void run_crew(int threads, const std::function<void(int)>& work, const std::function<void()>& look);

}  // namespace gpuaes::match
