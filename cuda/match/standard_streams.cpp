#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace gpuaes::match {
namespace {

struct Stream {
  int number;
  int flags;  // of what takes its place: the wrong way round, so that it can't be used by mistake
};

// In rising order: open() takes the lowest number that is free.
constexpr Stream kStreams[] = {{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};

bool is_closed(int descriptor) { return fcntl(descriptor, F_GETFD) == -1 && errno == EBADF; }

bool is_written(std::FILE* file) { return std::fflush(file) == 0 && std::ferror(file) == 0; }

}  // namespace

void hold_closed_streams()
{
  for (const Stream& stream : kStreams)
    if (is_closed(stream.number) && open("/dev/null", stream.flags) != stream.number)
      throw std::runtime_error("file descriptor " + std::to_string(stream.number) +
                               " is closed, and /dev/null can't take its place");
}

int status_after_printing(const char* command, int status)
{
  constexpr int kFailed = 2;
  errno = 0;
  if (!is_written(stdout)) {
    // What is no news to the stream has no errno any more.
    const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
    std::fprintf(stderr, "%s: what was printed can't be written%s\n", command, why.c_str());
    status = kFailed;
  }
  return is_written(stderr) ? status : kFailed;
}

}  // namespace gpuaes::match
