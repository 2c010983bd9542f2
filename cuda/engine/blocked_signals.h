// Signals of the application are for its own threads: a thread started while an object of this class lives gets none.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace gpuaes {

class BlockedSignals {
 public:
  BlockedSignals()
  {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace gpuaes
