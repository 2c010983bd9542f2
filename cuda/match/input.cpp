#include "input.h"

#include "core/crc16.h"
#include "core/crc16_host.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace gpuaes::match {
namespace {

// A stream that has had nothing for so long is searched as far as it has come.
constexpr int kPauseMilliseconds = 100;

constexpr std::uint64_t align_down(std::uint64_t offset) { return offset / kTextAlignment * kTextAlignment; }

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b; }

}  // namespace

Input::Input(const std::string& path, const InputRules& rules)
    : name_(path == "-" ? "(standard input)" : path), rules_(rules), next_start_(rules.begin), fasta_(rules.notes_parts)
{
  file_ = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file_ < 0) fail(std::strerror(errno));
  try {
    find_size();
    if (!size_) skip_to_begin();
  } catch (...) {
    close(file_);
    throw;
  }
}

Input::~Input() { close(file_); }

void Input::fail(const std::string& why) const { throw std::runtime_error(name_ + ": " + why); }

// Standard input that is a file is read from where it stands, like a stream, since what comes before was somebody else's.
void Input::find_size()
{
  struct stat status;
  if (fstat(file_, &status) != 0) fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("is a directory; -r searches it");
  const bool sized = (S_ISREG(status.st_mode) && status.st_size > 0) || S_ISBLK(status.st_mode);
  if (!sized || rules_.fasta || lseek(file_, 0, SEEK_CUR) != 0) return;
  const off_t size = S_ISBLK(status.st_mode) ? lseek(file_, 0, SEEK_END) : status.st_size;
  if (size < 0) fail(std::strerror(errno));
  size_ = static_cast<std::uint64_t>(size);
  if (!is_ecb()) return;
  std::uint8_t block[kBlockBytes];
  Chunk last;
  last.offset = align_down(minus(*size_, 1));
  last.text.size = last.loaded = static_cast<std::size_t>(*size_ - last.offset);
  read(last, block);
  last.text.bytes = block;
  drop_padding(last);
  size_ = last.offset + last.text.size;
}

// Takes the padding of an ECB stream off its last chunk.
void Input::drop_padding(Chunk& chunk) const
{
  if (chunk.text.size == 0 && chunk.offset == 0) fail("is empty, which no ECB ciphertext is");
  if ((chunk.offset + chunk.text.size) % kBlockBytes != 0) fail("isn't ECB ciphertext: its size isn't a multiple of 16 bytes");
  if (chunk.text.size == 0) return;  // the range begins behind a stream's end, and all that came was read and forgotten
  try {
    const auto* const block = chunk.text.bytes + chunk.text.size - kBlockBytes;
    chunk.text.size -= rules_.decryptor->padding_in(std::span<const std::uint8_t, 16>(block, kBlockBytes));
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
}

// Of ciphertext in whole blocks, all of them.
std::size_t Input::loaded_for(std::size_t text_bytes) const
{
  if (!is_ecb()) return text_bytes;
  return (text_bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

void Input::take(Chunk& chunk, std::uint8_t* buffer, std::size_t starts, const std::atomic<bool>& stopped)
{
  chunk.parts.clear();
  chunk.crc16.reset();
  chunk.window = nullptr;
  chunk.paused = false;
  if (stopped_.load(std::memory_order_relaxed))
    take_nothing(chunk);
  else if (size_)
    take_anywhere(chunk, starts);
  else
    take_next(chunk, buffer, starts, stopped);
  chunk.text.bytes = buffer;
}

void Input::take_nothing(Chunk& chunk)
{
  chunk.text = {};
  chunk.loaded = 0;
  chunk.last = true;
}

void Input::take_anywhere(Chunk& chunk, std::size_t starts)
{
  const std::uint64_t stop = std::max(std::min(*size_, rules_.end), next_start_);
  const std::uint64_t end = std::min(plus(next_start_, starts), stop);
  chunk.offset = align_down(minus(next_start_, rules_.context));
  const std::uint64_t bytes = minus(std::min(plus(end, rules_.behind()), *size_), chunk.offset);
  chunk.text = {.size = static_cast<std::size_t>(bytes),
                .from = static_cast<std::size_t>(next_start_ - chunk.offset),
                .to = static_cast<std::size_t>(end - chunk.offset)};
  if (end == next_start_) chunk.text = {};
  chunk.loaded = loaded_for(chunk.text.size);
  chunk.last = end == stop;
  next_start_ = end;
}

bool Input::read(Chunk& chunk, std::uint8_t* buffer) const
{
  std::size_t done = 0;
  while (done < chunk.loaded) {
    const ssize_t got = pread(file_, buffer + done, chunk.loaded - done, static_cast<off_t>(chunk.offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  const std::uint64_t wanted_end = chunk.offset + chunk.loaded;
  const bool whole = done == chunk.loaded;
  chunk.window = nullptr;
  chunk.loaded = done;
  chunk.text.bytes = buffer;
  chunk.text.size = std::min(chunk.text.size, done);
  chunk.text.to = std::min(chunk.text.to, done);
  chunk.text.from = std::min(chunk.text.from, chunk.text.to);
  // There are files that never were as long as they say, those of sysfs for one.
  struct stat status;
  return whole || fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) ||
         static_cast<std::uint64_t>(status.st_size) >= wanted_end;
}

// Behind the text there must be something to read, and there is nothing behind a file's last page.
bool Input::show(Chunk& chunk, FileWindow& window) const
{
  if (rules_.decryptor != nullptr || plus(chunk.offset, chunk.text.size + kTextPadding) > *size_) return false;
  if (!window.show(file_, chunk.offset, chunk.text.size + kTextPadding)) return false;
  chunk.text.bytes = window.data();
  chunk.window = &window;
  return true;
}

// Whether there is something to read, or the end, within a moment. ECB ciphertext is waited for, since its end isn't text.
bool Input::has_more_soon() const
{
  pollfd file{.fd = file_, .events = POLLIN, .revents = 0};
  return is_ecb() || ahead_ || poll(&file, 1, kPauseMilliseconds) != 0;
}

// False if the search is stopped meanwhile.
bool Input::wait_for_more(const std::atomic<bool>& stopped) const
{
  pollfd file{.fd = file_, .events = POLLIN, .revents = 0};
  while (!ahead_ && poll(&file, 1, kPauseMilliseconds) == 0)
    if (stopped.load() || stopped_.load()) return false;
  return true;
}

std::size_t Input::read_some(std::uint8_t* to, std::size_t bytes)
{
  if (ahead_) {
    *to = *ahead_;
    ahead_.reset();
    return 1;
  }
  ssize_t got;
  do got = ::read(file_, to, bytes);
  while (got < 0 && errno == EINTR);
  if (got < 0) fail(std::strerror(errno));
  at_end_ = got == 0;
  return static_cast<std::size_t>(got);
}

void Input::look_ahead()
{
  std::uint8_t byte;
  if (!ahead_ && !at_end_ && read_some(&byte, 1) == 1) ahead_ = byte;
}

// What lies before the range is read and forgotten: a stream has no other way.
void Input::skip_to_begin()
{
  const std::uint64_t wanted = align_down(minus(rules_.begin, rules_.context));
  std::vector<std::uint8_t> ignored(std::size_t{64} << 10);
  while (kept_offset_ < wanted) {
    const std::size_t bytes =
        read_some(ignored.data(), static_cast<std::size_t>(std::min<std::uint64_t>(ignored.size(), wanted - kept_offset_)));
    if (bytes == 0) break;
    kept_offset_ += bytes;
  }
}

void Input::take_next(Chunk& chunk, std::uint8_t* buffer, std::size_t starts, const std::atomic<bool>& stopped)
{
  if (rules_.notes_crc16) chunk.crc16 = {kCrc16Mcrf4xx.init, 0};
  std::copy(kept_.begin(), kept_.end(), buffer);
  std::size_t bytes = kept_.size();
  const auto room = static_cast<std::size_t>(align_down(starts + rules_.overlap()));
  const std::uint64_t without_places = next_start_ + rules_.behind() - kept_offset_;  // bytes
  while (bytes < room && !is_over()) {
    chunk.paused = bytes > without_places && !has_more_soon();
    if (chunk.paused) break;
    if (!wait_for_more(stopped)) return take_nothing(chunk);
    const std::size_t got = read_some(buffer + bytes, room - bytes);
    if (rules_.notes_crc16) chunk.crc16 = {crc16_update(chunk.crc16->value, buffer + bytes, got), chunk.crc16->bytes + got};
    bytes += rules_.fasta ? fasta_.filter({buffer + bytes, got}, buffer + bytes) : got;
  }
  // Whether this chunk is the last; if that isn't known yet, an empty one follows.
  if (!chunk.paused) chunk.paused = !has_more_soon();
  if (!chunk.paused) look_ahead();
  chunk.offset = kept_offset_;
  chunk.text = {.bytes = buffer, .size = bytes};
  chunk.loaded = bytes;
  bool last = is_over();
  if (last && is_ecb()) drop_padding(chunk);

  const std::uint64_t data_end = chunk.offset + chunk.text.size;
  std::uint64_t end = last ? data_end : minus(data_end, rules_.behind());
  last = last || end >= rules_.end;
  end = std::max(std::min(end, rules_.end), next_start_);
  chunk.text.from = static_cast<std::size_t>(std::min<std::uint64_t>(next_start_ - chunk.offset, chunk.text.size));
  chunk.text.to = static_cast<std::size_t>(std::min<std::uint64_t>(end - chunk.offset, chunk.text.size));
  chunk.last = last;
  next_start_ = end;

  const std::uint64_t keep_from = std::max(align_down(minus(next_start_, rules_.context)), chunk.offset);
  kept_.assign(buffer + (std::min(keep_from, data_end) - chunk.offset), buffer + chunk.text.size);
  if (rules_.notes_parts) {
    const std::vector<SequencePart> more = fasta_.take_parts();
    parts_.insert(parts_.end(), more.begin(), more.end());
    chunk.parts = parts_;
    // Of the parts, keep the one that the kept bytes begin in, and those behind.
    auto first = std::upper_bound(parts_.begin(), parts_.end(), keep_from,
                                  [](std::uint64_t place, const SequencePart& part) { return place < part.at; });
    if (first != parts_.begin()) parts_.erase(parts_.begin(), first - 1);
  }
  kept_offset_ = keep_from;
}

}  // namespace gpuaes::match
