#include "unfinished.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace gpuaes::enc {
namespace {

// All that end a process unless it has a mind of its own, but SIGKILL, those of a crash and the real-time ones.
constexpr int kEndingSignals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,   SIGALRM, SIGVTALRM, SIGPROF,
                                  SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGSTKFLT, SIGIO,   SIGPWR};

// For the handler, which may call next to nothing. Set while the signals are blocked.
char path_to_remove[PATH_MAX];

void remove_and_end(int signal)
{
  if (path_to_remove[0] != '\0') unlink(path_to_remove);
  raise(signal);  // whose handler is the default again
}

void set_path_to_remove(const std::string& path)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::strcpy(path_to_remove, path.c_str());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void hear_ending_signals()
{
  struct sigaction action {};
  action.sa_handler = remove_and_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : kEndingSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Unfinished::Unfinished(const std::string& folder, const std::string& for_name) : path_(folder + "/.gpuaes-enc-XXXXXX")
{
  if (path_.size() >= sizeof path_to_remove) {
    errno = ENAMETOOLONG;
    fail(for_name);
  }
  hear_ending_signals();
  file_ = Descriptor(mkostemp(path_.data(), O_CLOEXEC));
  if (file_.get() < 0) fail(for_name + ": no file can be made beside it");
  set_path_to_remove(path_);
}

Unfinished::~Unfinished()
{
  if (!renamed_) unlink(path_.c_str());
  set_path_to_remove("");
}

void Unfinished::rename_to(const std::string& target, bool may_replace)
{
  int result = may_replace ? rename(path_.c_str(), target.c_str())
                           : renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE);
  // Some file systems can't; a link isn't made either where there is something.
  if (result != 0 && !may_replace && (errno == EINVAL || errno == ENOSYS)) {
    result = link(path_.c_str(), target.c_str());
    if (result == 0) unlink(path_.c_str());
  }
  if (result != 0) fail(target);
  renamed_ = true;
}

}  // namespace gpuaes::enc
