// Where results go. Functions that fail throw std::runtime_error with a message that names the file.
#pragma once

#include "piece.h"
#include "source.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

namespace gpuaes::enc {

class Sink {
 public:
  virtual ~Sink() = default;
  // The result of a piece, of as many bytes or, where padding was taken off, fewer. From any thread, in any order, each once.
  virtual void write(const Piece& piece, const std::uint8_t* data, std::size_t bytes) = 0;
  // Nothing further will come: who waits returns.
  virtual void stop() {}
};

// Writes each piece at its place. By `direct`, if that is open, whole pages go past the page cache.
class PlacedSink final : public Sink {
 public:
  // `base`: where in the file the byte at position `first` goes.
  PlacedSink(int file, Descriptor direct, std::string name, std::uint64_t base, std::uint64_t first)
      : file_(file), direct_(std::move(direct)), name_(std::move(name)), base_(base), first_(first)
  {
  }
  void write(const Piece& piece, const std::uint8_t* data, std::size_t bytes) override;

 private:
  const int file_;
  const Descriptor direct_;
  const std::string name_;
  const std::uint64_t base_;
  const std::uint64_t first_;
};

// Writes one piece after the other. A thread that comes early waits for the pieces before its own: so every thread must deliver
// its pieces in their order.
class OrderedSink final : public Sink {
 public:
  OrderedSink(int file, std::string name) : file_(file), name_(std::move(name)) {}
  void write(const Piece& piece, const std::uint8_t* data, std::size_t bytes) override;
  void stop() override;

 private:
  const int file_;
  const std::string name_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::uint64_t next_ = 0;
  bool stopped_ = false;
};

// Compares with a source that has been read before, and throws if there is a difference.
class Comparison final : public Sink {
 public:
  Comparison(const Source& original, std::string name) : original_(original), name_(std::move(name)) {}
  void write(const Piece& piece, const std::uint8_t* data, std::size_t bytes) override;
  // Once all is compared: whether there is no more of the original.
  void check_complete() const;

 private:
  const Source& original_;
  const std::string name_;
  std::atomic<std::uint64_t> compared_{0};
};

}  // namespace gpuaes::enc
