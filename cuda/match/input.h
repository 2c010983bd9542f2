// One file or stream to be searched, as a sequence of overlapping chunks: every place that a match can start at is admitted by one
// chunk, which also holds all that a match, and what shall be shown around it, may reach to.
#pragma once

#include "decrypt.h"
#include "engine/match_job.h"
#include "fasta.h"
#include "file_window.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuaes::match {

// The same for all inputs.
struct InputRules {
  std::size_t longest = 1;                                        // pattern, in bytes
  std::size_t context = 0;                                        // bytes shown before and after a match
  std::uint64_t begin = 0;                                        // matches that start from here on
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();  // and before this
  bool fasta = false;
  bool notes_parts = false;              // of a FASTA file: places will be asked for
  bool notes_crc16 = false;              // of a FASTA file: the CRC of the file as it is will be asked for
  const Decryptor* decryptor = nullptr;  // of what the input is encrypted with; chunks are ciphertext

  std::size_t behind() const { return longest - 1 + context; }
  // How much longer than the places that it admits a chunk can be.
  std::size_t overlap() const { return behind() + context + 2 * kTextAlignment; }
};

// Of the part of an input that is one chunk's own.
struct PartCrc16 {
  std::uint16_t value = 0;
  std::uint64_t bytes = 0;
};

class Input;

struct Chunk {
  std::uint64_t number = 0;  // in the order of all chunks of all inputs
  std::shared_ptr<Input> input;
  std::uint64_t offset = 0;  // in the stream, of the text's first byte; a multiple of 16
  MatchText text;            // in the buffer that was given, or in the window
  const FileWindow* window = nullptr;
  std::size_t begin = 0;  // where in the text this chunk's part of the input begins; it ends with text.to
  std::size_t loaded =
      0;                // bytes in it: more than the text's where a last block of ciphertext holds padding, or is cut by the text
  bool last = false;    // of its input
  bool paused = false;  // the stream has nothing more at the moment
  std::vector<SequencePart> parts;
  std::optional<PartCrc16> crc16;  // where it isn't that of the text from `begin` on
};

// Functions that fail throw std::runtime_error with a message that names the input.
class Input {
 public:
  // `path` "-" is standard input.
  Input(const std::string& path, const InputRules& rules);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& name() const { return name_; }

  // Whether take() leaves the reading to read() or show(), which threads may call at once. If not, take() reads.
  bool reads_anywhere() const { return size_.has_value(); }
  // The next chunk, of up to `starts` places, for a buffer that holds overlap() bytes more. Must not be called again after the
  // last. Of a stream that pauses it is what has come so far. Ends with an empty last chunk as soon as `stopped`.
  void take(Chunk& chunk, std::uint8_t* buffer, std::size_t starts, const std::atomic<bool>& stopped);
  // False if the input has become shorter meanwhile; the chunk then ends where it ends.
  bool read(Chunk& chunk, std::uint8_t* buffer) const;
  // Shows the chunk in the window, without its being read. False where that can't be done.
  bool show(Chunk& chunk, FileWindow& window) const;

  // Makes the next chunk an empty last one: nothing further of this input is of interest.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  // The same because a part of it can't be read. False if that was known.
  bool give_up()
  {
    stop();
    return !incomplete_.exchange(true);
  }
  bool is_incomplete() const { return incomplete_.load(); }

 private:
  void take_anywhere(Chunk& chunk, std::size_t starts);
  void take_next(Chunk& chunk, std::uint8_t* buffer, std::size_t starts, const std::atomic<bool>& stopped);
  static void take_nothing(Chunk& chunk);
  bool is_ecb() const { return rules_.decryptor != nullptr && rules_.decryptor->mode() != AesMode::ctr; }
  bool is_over() const { return at_end_ && !ahead_; }
  bool has_more_soon() const;
  bool wait_for_more(const std::atomic<bool>& stopped) const;
  std::size_t read_some(std::uint8_t* to, std::size_t bytes);
  void look_ahead();
  void skip_to_begin();
  void find_size();
  void drop_padding(Chunk& chunk) const;
  std::size_t loaded_for(std::size_t text_bytes) const;
  [[noreturn]] void fail(const std::string& why) const;

  const std::string name_;
  const InputRules& rules_;
  int file_ = -1;
  std::optional<std::uint64_t> size_;  // where it is known and any part can be read
  std::uint64_t next_start_;           // the first place that no chunk admitted yet
  std::atomic<bool> stopped_{false};
  std::atomic<bool> incomplete_{false};
  // For a stream: the end of the chunk before, and one byte that was read to see whether there is more.
  std::vector<std::uint8_t> kept_;
  std::uint64_t kept_offset_ = 0;
  std::optional<std::uint8_t> ahead_;
  bool at_end_ = false;
  FastaFilter fasta_;
  std::vector<SequencePart> parts_;
};

}  // namespace gpuaes::match
