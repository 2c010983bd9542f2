// One input on its way through the cipher to its output: padding, checksums and who gets which piece. How a piece passes through
// the cipher is the callers' business.
#pragma once

#include "cipher.h"
#include "crc16_line.h"
#include "sink.h"
#include "source.h"

#include <atomic>
#include <cstdint>

namespace gpuaes::enc {

// Of what was read and of what was written.
struct Checksums {
  explicit Checksums(std::uint64_t first) : in(first), out(first) {}
  Crc16Line in;
  Crc16Line out;
};

// All functions may be called by several threads at once, and throw std::runtime_error.
class Transfer {
 public:
  // What take() may put behind the room that it is given.
  static constexpr std::size_t kMostPadding = kBlockBytes;

  // All must outlive it; `checksums` may be null. `padding` matters for ECB alone.
  Transfer(const Cipher& cipher, bool padding, Source& source, Sink& sink, Checksums* checksums);

  const Cipher& cipher() const { return cipher_; }
  bool is_stream() const { return !source_.is_sized(); }

  // The next piece, in a buffer of `room` and kMostPadding bytes; false if there is none left.
  bool take(Piece& piece, std::uint8_t* buffer, std::size_t room);
  // Its way through the processor's cipher; `in` and `out` may be the same.
  void process(EVP_CIPHER_CTX* context, const Piece& piece, const std::uint8_t* in, std::uint8_t* out) const;
  // The result, at the same place in its buffer.
  void put(const Piece& piece, const std::uint8_t* buffer);

  // Ends it before its time: take() returns false, and put() does nothing further.
  void stop();

  std::uint64_t written() const { return written_.load(); }

 private:
  void pad(Piece& piece, std::uint8_t* buffer) const;
  std::size_t padding_in(const Piece& piece, const std::uint8_t* buffer) const;

  const Cipher& cipher_;
  const bool padding_;
  Source& source_;
  Sink& sink_;
  Checksums* const checksums_;
  std::atomic<std::uint64_t> written_{0};
};

}  // namespace gpuaes::enc
