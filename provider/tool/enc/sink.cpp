#include "sink.h"

#include "core/secret_bytes.h"

#include <algorithm>
#include <stdexcept>

namespace gpuaes::enc {

void PlacedSink::write(const Piece& piece, const std::uint8_t* data, std::size_t bytes)
{
  const std::uint64_t place = base_ + (piece.position - first_);
  const std::size_t done = write_directly(direct_.get(), data, bytes, place);
  write_at(file_, data + done, bytes - done, place + done, name_);
}

void OrderedSink::write(const Piece& piece, const std::uint8_t* data, std::size_t bytes)
{
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return stopped_ || next_ == piece.number; });
  if (stopped_) return;
  write_next(file_, data, bytes, name_);
  ++next_;
  moved_.notify_all();
}

void OrderedSink::stop()
{
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  moved_.notify_all();
}

void Comparison::write(const Piece& piece, const std::uint8_t* data, std::size_t bytes)
{
  SecretBytes expected(bytes);
  const std::size_t got =
      read_at(original_.descriptor(), expected.data(), bytes, original_.place_of(piece.position), original_.name());
  const auto differs = std::mismatch(data, data + got, expected.begin()).first;
  if (got < bytes || differs != data + bytes)
    throw std::runtime_error(name_ + ": --verify: what was written doesn't lead back to " + original_.name() + " at byte " +
                             std::to_string(piece.position + static_cast<std::uint64_t>(differs - data)));
  compared_.fetch_add(bytes, std::memory_order_relaxed);
}

void Comparison::check_complete() const
{
  const std::uint64_t all = original_.bytes().value_or(0);
  if (compared_.load() != all)
    throw std::runtime_error(name_ + ": --verify: " + std::to_string(compared_.load()) + " bytes were compared, but " +
                             original_.name() + " has " + std::to_string(all));
}

}  // namespace gpuaes::enc
