// A part of a file, mapped: the processor reads the page cache where it is, and no byte is copied.
//
// A file can change under whoever has mapped it: a page behind its new end, or one that can't be read, is a SIGBUS. As long as a
// WindowGuard lives that ends nothing: zeros take the place of the window, and is_intact() is false from then on. Who has searched
// the window forgets what was found, reads that part of the file in the ordinary way, and learns there what is wrong.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpuaes::match {

// Hears SIGBUS for all windows of the process. One at a time.
class WindowGuard {
 public:
  WindowGuard();
  ~WindowGuard();
  WindowGuard(const WindowGuard&) = delete;
  WindowGuard& operator=(const WindowGuard&) = delete;
};

// Only the thread that called show() may read the window.
class FileWindow {
 public:
  FileWindow() = default;
  ~FileWindow() { close(); }
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;

  // Shows these bytes of a file instead of what was shown before. They must lie within it. False if it can't be mapped.
  bool show(int file, std::uint64_t offset, std::size_t bytes);
  const std::uint8_t* data() const { return mapped_ + skipped_; }
  // Whether all that was read so far is what the file holds.
  bool is_intact() const;

  // For the signal's handler: puts zeros into the place of the window. False if `address` isn't in it.
  bool blank(const void* address) noexcept;

 private:
  void close();

  std::uint8_t* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::size_t skipped_ = 0;  // from the start of a page to what was asked for
  int file_ = -1;
  std::uint64_t end_ = 0;  // in the file
  std::atomic<bool> blank_{false};
};

}  // namespace gpuaes::match
