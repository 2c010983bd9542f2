#include "source.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

namespace gpuaes::enc {
namespace {

// What a stream has brought goes on when nothing more has come for so long.
constexpr int kPauseMilliseconds = 100;

constexpr std::size_t kSkipBytes = std::size_t{64} << 10;

bool times_differ(const timespec& a, const timespec& b) { return a.tv_sec != b.tv_sec || a.tv_nsec != b.tv_nsec; }

}  // namespace

Source::Source(const std::string& path)
    : name_(path == "-" ? "(standard input)" : path),
      file_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY))
{
  if (file_.get() < 0) fail(name_);
  find_size();
}

Source::Source(Descriptor file, std::string name, std::uint64_t base, std::uint64_t first)
    : name_(std::move(name)), file_(std::move(file)), first_(first), next_(first)
{
  find_size();
  if (size_) *size_ = *size_ + base_ - base + first;
  base_ = base - first;
}

void Source::fail_with(const std::string& why) const { throw std::runtime_error(name_ + ": " + why); }

// A file that says it has no bytes may have some all the same, as those of /proc do: then it is a stream.
bool Source::has_a_size() const
{
  if (S_ISBLK(status_.st_mode)) return true;
  if (!S_ISREG(status_.st_mode)) return false;
  std::uint8_t byte;
  return status_.st_size > 0 || pread(file_.get(), &byte, 1, 0) == 0;
}

void Source::find_size()
{
  status_ = status_of(file_.get(), name_);
  if (S_ISDIR(status_.st_mode)) fail_with("is a folder");
  if (!has_a_size()) return;
  const off_t start = lseek(file_.get(), 0, SEEK_CUR);
  const off_t size = S_ISBLK(status_.st_mode) ? lseek(file_.get(), 0, SEEK_END) : status_.st_size;
  if (start < 0 || size < 0) fail(name_);
  base_ = static_cast<std::uint64_t>(start);
  size_ = static_cast<std::uint64_t>(std::max<off_t>(size - start, 0));
}

void Source::read_head(std::span<std::uint8_t> head)
{
  std::size_t got = 0;
  if (size_) {
    got = read_at(file_.get(), head.data(), head.size(), base_, name_);
    base_ += got;
    *size_ -= std::min<std::uint64_t>(got, *size_);
  } else {
    while (got < head.size() && !at_end_) got += read_some(head.data() + got, head.size() - got);
  }
  if (got < head.size()) fail_with("is too short to begin with Salted__ and a salt");
}

void Source::select(std::uint64_t offset, std::optional<std::uint64_t> length)
{
  std::uint64_t skipped = size_ ? std::min(offset, *size_) : 0;
  if (!size_) {
    std::vector<std::uint8_t> ignored(kSkipBytes);
    while (skipped < offset && !at_end_)
      skipped += read_some(ignored.data(), static_cast<std::size_t>(std::min<std::uint64_t>(ignored.size(), offset - skipped)));
  }
  if (skipped < offset)
    fail_with("--offset " + std::to_string(offset) + " is behind its end: there are " + std::to_string(skipped) + " bytes of data");
  first_ = next_ = offset;
  if (length && *length < end_ - offset) end_ = offset + *length;
}

std::optional<std::uint64_t> Source::bytes() const
{
  if (!size_) return std::nullopt;
  return std::min(*size_, end_) - first_;
}

bool Source::take(Piece& piece, std::uint8_t* buffer, std::size_t room)
{
  {
    const std::lock_guard lock(mutex_);
    if (over_ || stopped_.load()) return false;
    piece = {.number = next_number_, .position = next_, .skew = static_cast<std::size_t>(next_ % kBlockBytes)};
    if (size_)
      take_sized(piece, room);
    else if (!take_next(piece, buffer, room))
      return false;
    next_ += piece.bytes;
    ++next_number_;
    over_ = piece.last;
  }
  taken_.fetch_add(piece.bytes, std::memory_order_relaxed);
  if (size_) read_sized(piece, buffer);
  return true;
}

void Source::take_sized(Piece& piece, std::size_t room)
{
  const std::uint64_t end = std::min(*size_, end_);
  piece.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(room - piece.skew, end - next_));
  piece.last = next_ + piece.bytes == end;
  const std::size_t beyond = (output_base_ + (next_ - first_) + piece.bytes) % kDirectAlignment;
  if (!piece.last && piece.bytes > kDirectAlignment && beyond % kBlockBytes == 0) piece.bytes -= beyond;
}

void Source::read_sized(const Piece& piece, std::uint8_t* buffer) const
{
  if (read_at(file_.get(), buffer + piece.skew, piece.bytes, place_of(piece.position), name_) < piece.bytes)
    fail_with("became shorter while it was read");
}

bool Source::take_next(Piece& piece, std::uint8_t* buffer, std::size_t room)
{
  std::uint8_t* const to = buffer + piece.skew;
  std::copy(held_.begin(), held_.end(), to);
  std::size_t bytes = held_.size();
  const std::uint64_t left = end_ - next_;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(room - piece.skew, left));
  if (!fill(to, most, whole_blocks_ ? 2 * kBlockBytes : 1, bytes)) return false;
  piece.last = at_end_ || bytes == left;
  // What may be the last block is held back until it is known whether it is.
  const std::size_t give = piece.last || !whole_blocks_ ? bytes : (bytes - kBlockBytes) / kBlockBytes * kBlockBytes;
  held_.assign(to + give, to + bytes);
  piece.bytes = give;
  return true;
}

// Reads until the room is full, the stream is over, or it pauses with `enough` bytes there. False if stopped meanwhile.
bool Source::fill(std::uint8_t* to, std::size_t room, std::size_t enough, std::size_t& bytes)
{
  while (bytes < room && !at_end_) {
    pollfd file{.fd = file_.get(), .events = POLLIN, .revents = 0};
    while (poll(&file, 1, kPauseMilliseconds) == 0) {
      if (stopped_.load()) return false;
      if (bytes >= enough) return true;
    }
    bytes += read_some(to + bytes, room - bytes);
  }
  return true;
}

std::size_t Source::read_some(std::uint8_t* to, std::size_t bytes)
{
  ssize_t got;
  do got = ::read(file_.get(), to, bytes);
  while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got < 0) fail(name_);
  at_end_ = got == 0;
  return static_cast<std::size_t>(got);
}

void Source::check_unchanged() const
{
  if (!size_ || !S_ISREG(status_.st_mode)) return;
  const struct stat now = status_of(file_.get(), name_);
  if (now.st_size != status_.st_size || times_differ(now.st_mtim, status_.st_mtim)) fail_with("was changed while it was read");
}

}  // namespace gpuaes::enc
