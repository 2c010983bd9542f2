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

// Makes sure that listeners are told before handlers that were registered with atexit() up to now run. CUDA registers handlers
// while it initialises, after which nothing of it may be used: so this is called again after each of its steps.
void hear_exit_before_handlers_so_far();

}  // namespace gpuaes
