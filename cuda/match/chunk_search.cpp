#include "chunk_search.h"

#include "core/crc16_host.h"

#include <algorithm>
#include <utility>

namespace gpuaes::match {
namespace {

// The most matches that a part of a chunk can have before it is delivered: every pattern may match at every place.
constexpr std::size_t kMostInPart = std::size_t{1} << 20;
constexpr std::size_t kLeastPart = 64;

}  // namespace

void ChunkSearch::search(const Chunk& chunk, std::uint8_t* buffer) const
{
  if (decryptor_ != nullptr) decryptor_->decrypt(chunk.offset, {buffer, chunk.loaded});
  std::optional<PartCrc16> crc16;
  if (report_.wants_crc16()) {
    const std::size_t bytes = chunk.text.to - std::min(chunk.begin, chunk.text.to);
    crc16 = {crc16_update(kCrc16Mcrf4xx.init, buffer + chunk.begin, bytes), bytes};
  }
  if (!report_.wants_hits()) {
    std::vector<std::uint64_t> counts(plan_.patterns());
    cpu_.count(chunk.text, counts);
    return deliver_counts(chunk, std::move(counts), crc16);
  }
  const std::size_t step = std::max(kMostInPart / plan_.patterns(), kLeastPart);
  MatchText part = chunk.text;
  do {
    part.to = std::min(chunk.text.to - part.from, step) + part.from;
    std::vector<MatchHit> hits;
    cpu_.list(part, hits);
    const bool complete = part.to == chunk.text.to;
    if (complete || !hits.empty()) deliver_hits(chunk, std::move(hits), complete, complete ? crc16 : std::nullopt);
    part.from = part.to;
  } while (part.from < chunk.text.to);
}

void ChunkSearch::deliver_counts(const Chunk& chunk, std::vector<std::uint64_t> counts, std::optional<PartCrc16> crc16) const
{
  report_.deliver(chunk, {.counts = std::move(counts), .crc16 = crc16}, true);
}

void ChunkSearch::deliver_hits(const Chunk& chunk, std::vector<MatchHit> hits, bool complete, std::optional<PartCrc16> crc16) const
{
  Findings findings{.hits = std::move(hits), .crc16 = crc16};
  if (context_ > 0)
    for (const MatchHit& hit : findings.hits) findings.around.push_back(surroundings_of(chunk, hit));
  report_.deliver(chunk, std::move(findings), complete);
}

Surroundings ChunkSearch::surroundings_of(const Chunk& chunk, const MatchHit& hit) const
{
  const std::size_t length = plan_.length_of(hit.pattern);
  const std::size_t before = std::min<std::size_t>(context_, hit.at);
  const std::size_t end = std::min<std::size_t>(hit.at + length + context_, chunk.text.size);
  const auto* const text = reinterpret_cast<const char*>(chunk.text.bytes);
  return {.bytes = std::string(text + hit.at - before, text + end), .before = before, .length = length};
}

}  // namespace gpuaes::match
