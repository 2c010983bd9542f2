// Carries chunks to the device and back on one thread: while one is being read into pinned memory, others are copied and searched.
#pragma once

#include "accelerator.h"
#include "chunk_queue.h"
#include "chunk_search.h"
#include "feeding.h"
#include "flight_memory.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace gpuaes::match {

// Of a feeder: one is being read, one is on the link, one is in the kernel.
inline constexpr std::size_t kFlights = 3;

// For chunks that admit so many places at most.
FlightSizes flight_sizes(const ChunkSearch& search, std::size_t starts, std::size_t overlap);

class DeviceFeeder {
 public:
  // The accelerator must be ready. `starts`: the places a chunk admits at most. What it does is noted in `feeding`.
  DeviceFeeder(Accelerator& accelerator, const ChunkSearch& search, Feeding& feeding, std::size_t starts);
  ~DeviceFeeder();

  // Whether there was memory for it; else it can't run.
  bool has_memory() const { return !flights_.empty(); }

  // Takes chunks until there are none, or it is `enough`, or the device fails, which is then given up. Chunks that were under way
  // are searched here by the processor if it `may_help`; otherwise the error is thrown.
  void run(ChunkQueue& queue, bool may_help, const std::function<bool()>& enough);

  // What the device has searched.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Flight;
  // Hits on the device, and how many of them have been copied here.
  struct Listed {
    std::uint64_t found;
    std::size_t here;
  };

  void fly(ChunkQueue& queue, const std::function<bool()>& enough);
  void launch(Flight& flight);
  void land(Flight& flight);
  void land_all(std::size_t turn);  // in their order, from the one whose turn it is
  void land_counts(Flight& flight);
  void land_hits(Flight& flight);
  void list_part(Flight& flight, const MatchText& part, Listed listed, bool complete);
  Listed list_again(Flight& flight, const MatchText& part);
  std::optional<PartCrc16> crc16_of(const Flight& flight) const;
  MatchJob job_for(const Flight& flight, const MatchText& part) const;

  Accelerator& accelerator_;
  const ChunkSearch& search_;
  Feeding& feeding_;
  const std::size_t starts_;
  const std::size_t most_hits_;
  std::uint64_t bytes_ = 0;
  std::vector<Flight> flights_;
};

}  // namespace gpuaes::match
