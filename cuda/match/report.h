// Puts the chunks' findings, which come from many threads, into the order of the text, and says what was asked about it.
#pragma once

#include "chunk_queue.h"
#include "core/crc16.h"
#include "engine/match_plan.h"
#include "printer.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuaes::match {

enum class Answer {
  matches,        // each with its offset
  counts,         // one for each input, or for each pattern in it
  names_with,     // of inputs in which something was found
  names_without,  // of the others
  nothing,        // the exit code says it
};

struct ReportRules {
  Answer answer = Answer::matches;
  bool per_pattern = false;
  bool no_overlap = false;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  // matches that are printed of an input
  std::size_t context = 0;
  bool crc16 = false;  // print it for each input, which is read to its end then
};

// What was found in a chunk, or in a part of one: either counts, or the matches themselves in order.
struct Findings {
  std::vector<std::uint64_t> counts{};  // by needle
  std::vector<MatchHit> hits{};         // places are those of the chunk's text
  std::vector<Surroundings> around{};   // one for each hit, or none
  std::optional<PartCrc16> crc16{};     // with the last findings of a chunk, where it is wanted
};

class Report {
 public:
  Report(const ReportRules& rules, const MatchPlan& plan, const PatternSet& patterns, Printer& printer, ChunkQueue& queue)
      : rules_(rules), plan_(plan), patterns_(patterns), printer_(printer), queue_(queue)
  {
  }

  // Whether the matches of a chunk must be listed, or counting them is enough.
  bool wants_hits() const { return rules_.no_overlap || rules_.answer == Answer::matches; }

  bool wants_crc16() const { return rules_.crc16; }

  // Takes a chunk's findings; `complete` with the last of them. The chunks of one thread come in the order of their numbers. May
  // wait until it is the chunk's turn, so that what waits to be printed has bounded size. Throws std::runtime_error if nothing more
  // can be printed.
  void deliver(const Chunk& chunk, Findings findings, bool complete);

  // Wakes all that wait; deliver() does nothing from then on.
  void abandon();

  bool found_any() const { return found_any_.load(); }
  std::uint64_t total() const { return total_.load(); }
  // Matches that weren't printed, because there were more than the most.
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Part {
    Findings findings;
    std::uint64_t offset;
    std::vector<SequencePart> parts;
  };
  struct Waiting {
    std::shared_ptr<Input> input;
    std::vector<Part> parts;
    bool complete = false;
    bool last = false;
  };
  struct Tally {
    std::vector<std::uint64_t> counts;  // by what was wanted
    std::uint64_t total = 0;
    std::uint64_t printed = 0;
    PartCrc16 crc16{kCrc16Mcrf4xx.init, 0};
    std::uint64_t free_from = 0;  // the end of the match before, where they mustn't overlap
  };

  void drain();
  void take_part(Input& input, const Part& part);
  void take_hits(Input& input, const Part& part);
  void count(Input& input, const Needle& needle, std::uint64_t more);
  void finish(Input& input);

  const ReportRules rules_;
  const MatchPlan& plan_;
  const PatternSet& patterns_;
  Printer& printer_;
  ChunkQueue& queue_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::map<std::uint64_t, Waiting> waiting_;  // by chunk
  std::size_t bytes_waiting_ = 0;
  std::uint64_t next_ = 0;
  bool abandoned_ = false;
  Tally tally_;  // of the input whose turn it is
  std::uint64_t left_out_ = 0;
  std::atomic<std::uint64_t> total_{0};
  std::atomic<bool> found_any_{false};
};

}  // namespace gpuaes::match
