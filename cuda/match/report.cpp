#include "report.h"

#include <algorithm>
#include <utility>

namespace gpuaes::match {
namespace {

// Bytes of matches that wait for the chunks before theirs; more make their thread wait.
constexpr std::size_t kMostWaiting = std::size_t{64} << 20;

std::size_t size_of(const Findings& findings)
{
  std::size_t bytes = findings.hits.size() * sizeof(MatchHit);
  for (const Surroundings& around : findings.around) bytes += sizeof around + around.bytes.size();
  return bytes;
}

}  // namespace

void Report::deliver(const Chunk& chunk, Findings findings, bool complete)
{
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return abandoned_ || chunk.number == next_ || bytes_waiting_ <= kMostWaiting; });
  if (abandoned_) return;
  bytes_waiting_ += size_of(findings);
  Waiting& waiting = waiting_[chunk.number];
  waiting.input = chunk.input;
  waiting.parts.push_back({std::move(findings), chunk.offset, chunk.parts});
  waiting.complete = complete;
  waiting.last = chunk.last;
  if (chunk.number != next_) return;
  drain();
  if (!chunk.input->reads_anywhere()) printer_.flush();  // whoever waits for a stream's matches sees them as they come
  moved_.notify_all();
}

void Report::abandon()
{
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  moved_.notify_all();
}

void Report::drain()
{
  for (auto turn = waiting_.find(next_); turn != waiting_.end(); turn = waiting_.find(next_)) {
    Waiting& waiting = turn->second;
    for (const Part& part : waiting.parts) {
      bytes_waiting_ -= size_of(part.findings);
      take_part(*waiting.input, part);
    }
    waiting.parts.clear();
    if (!waiting.complete) return;
    if (waiting.last) finish(*waiting.input);
    waiting_.erase(turn);
    ++next_;
  }
}

void Report::take_part(Input& input, const Part& part)
{
  tally_.counts.resize(patterns_.wanted.size());
  for (std::size_t i = 0; i < part.findings.counts.size(); ++i)
    if (part.findings.counts[i] > 0) count(input, patterns_.needles[i], part.findings.counts[i]);
  take_hits(input, part);
  if (const auto& crc16 = part.findings.crc16)
    tally_.crc16 = {crc16_combine(tally_.crc16.value, crc16->value, crc16->bytes), tally_.crc16.bytes + crc16->bytes};
}

// Where matches mustn't overlap, the leftmost wins, and of those that start together the longest, as with grep -o.
void Report::take_hits(Input& input, const Part& part)
{
  std::vector<std::uint32_t> order(part.findings.hits.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto& hits = part.findings.hits;
  if (rules_.no_overlap && patterns_.patterns.size() > 1)
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return hits[a].at != hits[b].at ? hits[a].at < hits[b].at
                                      : plan_.length_of(hits[a].pattern) > plan_.length_of(hits[b].pattern);
    });
  for (const std::uint32_t i : order) {
    const Needle& needle = patterns_.needles[hits[i].pattern];
    const std::uint64_t at = part.offset + hits[i].at;
    if (rules_.no_overlap) {
      if (at < tally_.free_from) continue;
      tally_.free_from = at + plan_.length_of(hits[i].pattern);
    }
    count(input, needle, 1);
    if (rules_.answer != Answer::matches) continue;
    if (tally_.printed == rules_.most) {
      ++left_out_;
      continue;
    }
    ++tally_.printed;
    printer_.match(input.name(), part.parts.empty() ? at : place_in_file(part.parts, at), needle,
                   part.findings.around.empty() ? Surroundings() : part.findings.around[i]);
  }
}

void Report::count(Input& input, const Needle& needle, std::uint64_t more)
{
  tally_.counts[needle.wanted] += more;
  tally_.total += more;
  total_.fetch_add(more);
  found_any_.store(true);
  if (rules_.crc16) return;
  if (rules_.answer == Answer::nothing) queue_.stop();
  if (rules_.answer != Answer::matches && rules_.answer != Answer::counts) input.stop();
}

void Report::finish(Input& input)
{
  Tally tally = std::exchange(tally_, {});
  tally.counts.resize(patterns_.wanted.size());
  switch (rules_.answer) {
    case Answer::counts:
      if (rules_.per_pattern)
        for (std::size_t i = 0; i < tally.counts.size(); ++i) printer_.count_of(input.name(), patterns_.wanted[i], tally.counts[i]);
      else
        printer_.count(input.name(), tally.total);
      break;
    case Answer::names_with:
      if (tally.total > 0) printer_.name(input.name());
      break;
    case Answer::names_without:
      if (tally.total == 0) printer_.name(input.name());
      break;
    default:
      break;
  }
  if (rules_.crc16 && !input.is_incomplete()) printer_.crc16(input.name(), tally.crc16.value, tally.crc16.bytes);
}

}  // namespace gpuaes::match
