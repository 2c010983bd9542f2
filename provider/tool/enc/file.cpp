#include "file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace gpuaes::enc {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor()
{
  if (number_ >= 0) close(number_);
}

void fail(const std::string& name) { throw std::runtime_error(name + ": " + std::strerror(errno)); }

struct stat status_of(int descriptor, const std::string& name)
{
  struct stat status;
  if (fstat(descriptor, &status) != 0) fail(name);
  return status;
}

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

std::size_t read_at(int descriptor, std::uint8_t* to, std::size_t bytes, std::uint64_t position, const std::string& name)
{
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = pread(descriptor, to + done, bytes - done, static_cast<off_t>(position + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void write_at(int descriptor, const std::uint8_t* from, std::size_t bytes, std::uint64_t position, const std::string& name)
{
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t written = pwrite(descriptor, from + done, bytes - done, static_cast<off_t>(position + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(name);
    done += static_cast<std::size_t>(written);
  }
}

Descriptor reopened_for_direct_writes(int descriptor)
{
  return Descriptor(open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC));
}

std::size_t write_directly(int descriptor, const std::uint8_t* from, std::size_t bytes, std::uint64_t position)
{
  const auto is_aligned = [](std::uint64_t number) { return number % kDirectAlignment == 0; };
  std::size_t done = 0;
  while (descriptor >= 0 && done < bytes && is_aligned(position + done) && is_aligned(bytes - done) &&
         is_aligned(reinterpret_cast<std::uintptr_t>(from + done))) {
    const ssize_t written = pwrite(descriptor, from + done, bytes - done, static_cast<off_t>(position + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  return done;
}

void write_next(int descriptor, const std::uint8_t* from, std::size_t bytes, const std::string& name)
{
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t written = write(descriptor, from + done, bytes - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      pollfd file{.fd = descriptor, .events = POLLOUT, .revents = 0};
      poll(&file, 1, -1);
    } else if (errno != EINTR) {
      fail(name);
    }
  }
}

}  // namespace gpuaes::enc
