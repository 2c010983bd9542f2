#include "transfer.h"

#include <algorithm>
#include <stdexcept>

namespace gpuaes::enc {

Transfer::Transfer(const Cipher& cipher, bool padding, Source& source, Sink& sink, Checksums* checksums)
    : cipher_(cipher), padding_(padding && !cipher.counts()), source_(source), sink_(sink), checksums_(checksums)
{
  if (!cipher.counts()) source.keep_blocks_whole();
}

bool Transfer::take(Piece& piece, std::uint8_t* buffer, std::size_t room)
{
  if (!source_.take(piece, buffer, room)) return false;
  if (checksums_ != nullptr) checksums_->in.add(piece.position, buffer + piece.skew, piece.bytes);
  if (piece.last && !cipher_.counts()) pad(piece, buffer);
  return true;
}

// The last piece of ECB data. PKCS #7: as many bytes as are missing, at least one, each saying how many.
void Transfer::pad(Piece& piece, std::uint8_t* buffer) const
{
  const std::size_t rest = piece.bytes % kBlockBytes;
  if (padding_ && !cipher_.decrypts()) {
    const std::size_t count = kBlockBytes - rest;
    std::fill_n(buffer + piece.bytes, count, static_cast<std::uint8_t>(count));
    piece.bytes += count;
    return;
  }
  if (rest != 0 && cipher_.decrypts())
    throw std::runtime_error(source_.name() + ": wrong final block length: its data aren't a multiple of 16 bytes");
  if (rest != 0)
    throw std::runtime_error(source_.name() + ": its data aren't a multiple of 16 bytes, which -nopad needs them to be");
  if (padding_ && piece.bytes == 0)
    throw std::runtime_error(source_.name() + ": wrong final block length: without any data there is no padding");
}

void Transfer::process(EVP_CIPHER_CTX* context, const Piece& piece, const std::uint8_t* in, std::uint8_t* out) const
{
  cipher_.run(context, piece.first_block(), in, out, piece.blocks());
}

void Transfer::put(const Piece& piece, const std::uint8_t* buffer)
{
  const bool padded = padding_ && cipher_.decrypts() && piece.last;
  const std::size_t bytes = piece.bytes - (padded ? padding_in(piece, buffer) : 0);
  if (checksums_ != nullptr) checksums_->out.add(piece.position, buffer + piece.skew, bytes);
  sink_.write(piece, buffer + piece.skew, bytes);
  written_.fetch_add(bytes, std::memory_order_relaxed);
}

std::size_t Transfer::padding_in(const Piece& piece, const std::uint8_t* buffer) const
{
  const std::uint8_t* const end = buffer + piece.bytes;
  const std::size_t count = end[-1];
  const bool proper =
      count >= 1 && count <= kBlockBytes && std::all_of(end - count, end, [&](std::uint8_t byte) { return byte == count; });
  if (!proper) throw std::runtime_error(source_.name() + ": bad decrypt: no proper padding, so key or cipher is wrong");
  return count;
}

void Transfer::stop()
{
  source_.stop();
  sink_.stop();
}

}  // namespace gpuaes::enc
