// Searches one chunk on the processor and delivers what it finds.
#pragma once

#include "cpu_search.h"
#include "decrypt.h"
#include "report.h"

#include <cstddef>
#include <vector>

namespace gpuaes::match {

class ChunkSearch {
 public:
  // All must outlive it. `decryptor` may be null.
  ChunkSearch(const MatchPlan& plan, const Decryptor* decryptor, std::size_t context, Report& report)
      : plan_(plan), cpu_(plan), decryptor_(decryptor), context_(context), report_(report)
  {
  }

  const MatchPlan& plan() const { return plan_; }
  const Decryptor* decryptor() const { return decryptor_; }
  bool wants_hits() const { return report_.wants_hits(); }
  bool wants_crc16() const { return report_.wants_crc16(); }

  // Decrypts the chunk in place, if it is encrypted. False if the window that it was shown in broke: then it must be read and
  // searched once more, from chunk.text.from on, where what has been delivered ends.
  bool search(Chunk& chunk, std::uint8_t* buffer) const;

  // For whoever has searched it in another way. The CRC comes with the last hits.
  void deliver_counts(const Chunk& chunk, std::vector<std::uint64_t> counts, std::optional<PartCrc16> crc16) const;
  void deliver_hits(const Chunk& chunk, std::vector<MatchHit> hits, bool complete, std::optional<PartCrc16> crc16) const;

 private:
  bool count(const Chunk& chunk) const;
  bool list(Chunk& chunk) const;
  std::optional<PartCrc16> crc16_of(const Chunk& chunk) const;
  Findings findings_of(const Chunk& chunk, std::vector<MatchHit> hits, std::optional<PartCrc16> crc16) const;
  Surroundings surroundings_of(const Chunk& chunk, const MatchHit& hit) const;

  const MatchPlan& plan_;
  const CpuSearch cpu_;
  const Decryptor* const decryptor_;
  const std::size_t context_;
  Report& report_;
};

}  // namespace gpuaes::match
