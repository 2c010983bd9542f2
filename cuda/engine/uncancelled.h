// A thread that is cancelled (pthread_cancel) while it waits for a device would be unwound through what others are at work on. The
// default provider never waits: so a request stays pending until the call has returned.
#pragma once

#include <pthread.h>

namespace gpuaes {

// Takes some 36 ns: not for calls that are as short.
class Uncancelled {
 public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace gpuaes
