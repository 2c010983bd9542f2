// One input, handed out in pieces to whichever thread asks. Files are read at many places at once, streams by one thread at a time.
//
// Functions that fail throw std::runtime_error with a message that names the input.
#pragma once

#include "file.h"
#include "piece.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuaes::enc {

class Source {
 public:
  // `path` "-" is standard input. A file that is standard input begins where it stands.
  explicit Source(const std::string& path);
  // An open file that is all there, of which the byte at `base` has the position `first`.
  Source(Descriptor file, std::string name, std::uint64_t base, std::uint64_t first);

  const std::string& name() const { return name_; }
  const struct stat& status() const { return status_; }
  int descriptor() const { return file_.get(); }
  // Whether the size is known and any part can be read.
  bool is_sized() const { return size_.has_value(); }
  // What has this position is there in the file, if it is sized.
  std::uint64_t place_of(std::uint64_t position) const { return base_ + position; }

  // What follows comes before the first piece, and in this order.
  // Bytes from the front that aren't data.
  void read_head(std::span<std::uint8_t> head);
  // This part of the data alone.
  void select(std::uint64_t offset, std::optional<std::uint64_t> length);
  // Pieces but the last are whole blocks, and the last isn't empty unless all is.
  void keep_blocks_whole() { whole_blocks_ = true; }

  // Pieces of files end where pages of the output end, of which the first byte is at `base`, as far as whole blocks allow.
  void end_at_pages(std::uint64_t base) { output_base_ = base; }

  // Position of the first byte of the first piece.
  std::uint64_t first() const { return first_; }
  // Bytes of all pieces, where that is known.
  std::optional<std::uint64_t> bytes() const;
  // Bytes handed out so far.
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

  // The next piece, read into a buffer of `room` bytes, a multiple of 16 and at least 64. False if there is none left, or since
  // stop().
  bool take(Piece& piece, std::uint8_t* buffer, std::size_t room);
  void stop() { stopped_.store(true); }

  // Throws if the file isn't what it was when it was opened.
  void check_unchanged() const;

 private:
  bool has_a_size() const;
  void find_size();
  void read_sized(const Piece& piece, std::uint8_t* buffer) const;
  void take_sized(Piece& piece, std::size_t room);
  bool take_next(Piece& piece, std::uint8_t* buffer, std::size_t room);
  bool fill(std::uint8_t* to, std::size_t room, std::size_t enough, std::size_t& bytes);
  std::size_t read_some(std::uint8_t* to, std::size_t bytes);
  [[noreturn]] void fail_with(const std::string& why) const;

  std::string name_;
  Descriptor file_;
  struct stat status_ {};
  std::optional<std::uint64_t> size_;  // of the data, which is also the position behind the last byte
  std::uint64_t base_ = 0;             // where in the file the position 0 is, or would be: modulo 2^64
  std::uint64_t first_ = 0;
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();  // position behind the last byte that is wanted
  bool whole_blocks_ = false;
  std::uint64_t output_base_ = 0;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> taken_{0};
  std::mutex mutex_;  // for what follows
  std::uint64_t next_ = 0;
  std::uint64_t next_number_ = 0;
  bool over_ = false;               // the last piece has been taken
  bool at_end_ = false;             // of the stream
  std::vector<std::uint8_t> held_;  // read from the stream, for the next piece
};

}  // namespace gpuaes::enc
