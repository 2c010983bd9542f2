#include "file_window.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace gpuaes::match {
namespace {

struct sigaction before_guard;
thread_local FileWindow* shown = nullptr;  // the calling thread's

// The access is repeated when this returns. One that is none of ours then meets whoever heard the signal before.
void on_bus_error(int, siginfo_t* info, void*)
{
  const int error = errno;
  if (shown == nullptr || !shown->blank(info->si_addr)) sigaction(SIGBUS, &before_guard, nullptr);
  errno = error;
}

}  // namespace

WindowGuard::WindowGuard()
{
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, &before_guard);
}

WindowGuard::~WindowGuard() { sigaction(SIGBUS, &before_guard, nullptr); }

bool FileWindow::show(int file, std::uint64_t offset, std::size_t bytes)
{
  close();
  skipped_ = static_cast<std::size_t>(offset % static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  void* const mapped = mmap(nullptr, skipped_ + bytes, PROT_READ, MAP_SHARED, file, static_cast<off_t>(offset - skipped_));
  if (mapped == MAP_FAILED) return false;
  mapped_ = static_cast<std::uint8_t*>(mapped);
  mapped_bytes_ = skipped_ + bytes;
  file_ = file;
  end_ = offset + bytes;
  madvise(mapped_, mapped_bytes_, MADV_SEQUENTIAL);  // what isn't in the page cache is read ahead
  blank_.store(false, std::memory_order_relaxed);
  shown = this;
  return true;
}

void FileWindow::close()
{
  if (mapped_ == nullptr) return;
  shown = nullptr;
  munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
}

// A page in which the file ends now is zeros behind that, without a signal.
bool FileWindow::is_intact() const
{
  std::atomic_signal_fence(std::memory_order_acquire);
  struct stat status;
  if (blank_.load(std::memory_order_relaxed) || fstat(file_, &status) != 0) return false;
  return !S_ISREG(status.st_mode) || static_cast<std::uint64_t>(status.st_size) >= end_;
}

bool FileWindow::blank(const void* address) noexcept
{
  const auto* const at = static_cast<const std::uint8_t*>(address);
  if (at < mapped_ || at >= mapped_ + mapped_bytes_) return false;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (mmap(mapped_, mapped_bytes_, PROT_READ, kFlags, -1, 0) == MAP_FAILED) return false;
  blank_.store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace gpuaes::match
