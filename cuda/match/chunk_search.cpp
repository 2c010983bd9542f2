#include "chunk_search.h"

#include "core/crc16_host.h"

#include <algorithm>
#include <utility>

namespace gpuaes::match {
namespace {

// The most matches that a part of a chunk can have before it is delivered: every pattern may match at every place.
constexpr std::size_t kMostInPart = std::size_t{1} << 20;
constexpr std::size_t kLeastPart = 64;

bool is_intact(const Chunk& chunk) { return chunk.window == nullptr || chunk.window->is_intact(); }

}  // namespace

bool ChunkSearch::search(Chunk& chunk, std::uint8_t* buffer) const
{
  if (decryptor_ != nullptr) decryptor_->decrypt(chunk.offset, {buffer, chunk.loaded});
  return report_.wants_hits() ? list(chunk) : count(chunk);
}

bool ChunkSearch::count(const Chunk& chunk) const
{
  std::vector<std::uint64_t> counts(plan_.patterns());
  cpu_.count(chunk.text, counts);
  const std::optional<PartCrc16> crc16 = crc16_of(chunk);
  if (!is_intact(chunk)) return false;
  deliver_counts(chunk, std::move(counts), crc16);
  return true;
}

bool ChunkSearch::list(Chunk& chunk) const
{
  const std::size_t step = std::max(kMostInPart / plan_.patterns(), kLeastPart);
  for (bool complete = false; !complete;) {
    MatchText part = chunk.text;
    part.to = std::min(chunk.text.to - part.from, step) + part.from;
    complete = part.to == chunk.text.to;
    std::vector<MatchHit> hits;
    cpu_.list(part, hits);
    Findings findings = findings_of(chunk, std::move(hits), complete ? crc16_of(chunk) : std::nullopt);
    if (!is_intact(chunk)) return false;
    if (complete || !findings.hits.empty()) report_.deliver(chunk, std::move(findings), complete);
    chunk.text.from = part.to;
  }
  return true;
}

std::optional<PartCrc16> ChunkSearch::crc16_of(const Chunk& chunk) const
{
  if (!report_.wants_crc16()) return std::nullopt;
  if (chunk.crc16) return chunk.crc16;
  const std::size_t begin = std::min(chunk.begin, chunk.text.to), bytes = chunk.text.to - begin;
  return PartCrc16{crc16_update(kCrc16Mcrf4xx.init, chunk.text.bytes + begin, bytes), bytes};
}

void ChunkSearch::deliver_counts(const Chunk& chunk, std::vector<std::uint64_t> counts, std::optional<PartCrc16> crc16) const
{
  report_.deliver(chunk, {.counts = std::move(counts), .crc16 = crc16}, true);
}

void ChunkSearch::deliver_hits(const Chunk& chunk, std::vector<MatchHit> hits, bool complete, std::optional<PartCrc16> crc16) const
{
  report_.deliver(chunk, findings_of(chunk, std::move(hits), crc16), complete);
}

Findings ChunkSearch::findings_of(const Chunk& chunk, std::vector<MatchHit> hits, std::optional<PartCrc16> crc16) const
{
  Findings findings{.hits = std::move(hits), .crc16 = crc16};
  if (context_ > 0)
    for (const MatchHit& hit : findings.hits) findings.around.push_back(surroundings_of(chunk, hit));
  return findings;
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
