// The two events of a process that a plugin with threads and a device must hear of: fork and exit.
#pragma once

namespace gpuaes {

// Changes in every forked child, so that an object can tell whether it was made by this process. Costs one load.
unsigned fork_generation() noexcept;

// Whether exit() has begun.
bool process_is_exiting() noexcept;

// Is told once when exit() begins. An object's lifetime as a listener is the caller's to manage: add it when it is complete,
// remove it before it is destroyed; remove waits for a call that is under way. A forked child has no listeners: add again there.
// Adding twice is adding once.
class ExitListener {
 public:
  virtual void on_exit() noexcept = 0;

 protected:
  ~ExitListener() = default;
};

void add_exit_listener(ExitListener& listener);
void remove_exit_listener(ExitListener& listener);

// CUDA registers handlers with atexit() while it initialises. If one of them runs while it still does, the process crashes or
// hangs: so listeners must be told before. There are two ways to be early, for the thread that calls exit() is seldom another than
// the main thread, but it can be.
//
// Makes sure that listeners are told before any handler runs, if this is the main thread and it is the one that calls exit().
void hear_exit_of_this_thread();
// Makes sure that they are told before handlers that were registered up to now run, whoever calls exit(). To be called again after
// each step in which handlers may have been registered.
void hear_exit_before_handlers_so_far();

}  // namespace gpuaes
