#include "fasta.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gpuaes::match {
namespace {

constexpr std::uint8_t kBetweenSequences = '>';

}  // namespace

void FastaFilter::note(std::uint64_t at, std::uint64_t in_file)
{
  if (notes_parts_) parts_.push_back({at, in_file});
}

std::size_t FastaFilter::filter(std::span<const std::uint8_t> raw, std::uint8_t* out)
{
  std::uint8_t* to = out;
  const std::uint8_t* at = raw.data();
  const std::uint8_t* const end = at + raw.size();
  const auto file_offset = [&](const std::uint8_t* byte) { return read_ + static_cast<std::uint64_t>(byte - raw.data()); };
  while (at != end) {
    if (at_line_start_ && *at == '>') {
      in_header_ = true;
      note(written_, file_offset(at));
      *to++ = kBetweenSequences;
      ++written_;
    }
    const auto* const found = static_cast<const std::uint8_t*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const std::uint8_t* const line_end = found != nullptr ? found : end;
    std::size_t bytes = static_cast<std::size_t>(line_end - at);
    if (!in_header_) {
      if (bytes > 0 && at[bytes - 1] == '\r') --bytes;
      if (bytes > 0) note(written_, file_offset(at));
      std::memmove(to, at, bytes);
      to += bytes;
      written_ += bytes;
    }
    at_line_start_ = found != nullptr;
    if (at_line_start_) in_header_ = false;
    at = at_line_start_ ? line_end + 1 : end;
  }
  read_ += raw.size();
  return static_cast<std::size_t>(to - out);
}

std::vector<SequencePart> FastaFilter::take_parts() { return std::exchange(parts_, {}); }

std::uint64_t place_in_file(std::span<const SequencePart> parts, std::uint64_t at)
{
  const auto next = std::upper_bound(parts.begin(), parts.end(), at,
                                     [](std::uint64_t place, const SequencePart& part) { return place < part.at; });
  if (next == parts.begin()) return at;
  const SequencePart& part = *(next - 1);
  return part.in_file + (at - part.at);
}

}  // namespace gpuaes::match
