#include "device_check.h"

#include "cpu_search.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gpuaes::match {
namespace {

constexpr std::size_t kTextBytes = std::size_t{64} << 10;
constexpr std::size_t kMostHits = std::size_t{64} << 10;

// Letters of a genome, by a generator whose sequence is the same everywhere.
std::vector<std::uint8_t> make_text()
{
  std::vector<std::uint8_t> text(kTextBytes + kTextPadding);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < kTextBytes; ++i) {
    state = state * 1664525 + 1013904223;
    text[i] = static_cast<std::uint8_t>("ACGT"[state >> 30]);
  }
  return text;
}

// One of six bytes, one of twelve with some that may be anything, and as many of 4 to 40 as are swept for together, all of the
// text.
std::vector<BytePattern> make_patterns(const std::vector<std::uint8_t>& text)
{
  std::vector<BytePattern> patterns;
  const auto take = [&](std::size_t at, std::size_t bytes) {
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    patterns.push_back({{from, from + static_cast<std::ptrdiff_t>(bytes)}, std::vector<std::uint8_t>(bytes, 0xff)});
  };
  take(1000, 2);
  take(2000, 12);
  for (const std::size_t any : {0u, 3u, 7u}) patterns.back().value[any] = patterns.back().mask[any] = 0;
  for (std::size_t i = 0; i < 300; ++i) take(3001 + 201 * i, 5 + i % 36);
  return patterns;
}

}  // namespace

Buffer upload(Device& device, std::span<const std::uint8_t> bytes)
{
  Buffer pinned(device, MemoryKind::pinned, bytes.size());
  Buffer copy(device, MemoryKind::device, bytes.size());
  const std::unique_ptr<Stream> stream = device.make_stream();
  std::memcpy(pinned.data(), bytes.data(), bytes.size());
  stream->copy(copy.data(), pinned.data(), bytes.size());
  stream->wait();
  return copy;
}

void check_matching(Device& device)
{
  const std::vector<std::uint8_t> text = make_text();
  const std::vector<BytePattern> patterns = make_patterns(text);
  const MatchPlan plan(patterns);
  const MatchText all{text.data(), kTextBytes, 3, kTextBytes};
  std::vector<std::uint64_t> expected_counts(patterns.size());
  std::vector<MatchHit> expected_hits;
  CpuSearch(plan).count(all, expected_counts);
  CpuSearch(plan).list(all, expected_hits);

  const Buffer on_device = upload(device, text), tables = upload(device, plan.memory());
  const std::size_t counts_bytes = patterns.size() * sizeof(std::uint64_t);
  const std::size_t result_bytes = counts_bytes + sizeof(std::uint64_t) + kMostHits * sizeof(MatchHit);
  const Buffer results(device, MemoryKind::device, result_bytes), pinned(device, MemoryKind::pinned, result_bytes);
  const std::unique_ptr<Stream> stream = device.make_stream();
  MatchJob job{.tables = plan.tables_at(tables.data()), .sweeps = plan.sweeps(), .text = all};
  job.text.bytes = on_device.data();
  stream->clear(results.data(), result_bytes);
  job.counts = reinterpret_cast<std::uint64_t*>(results.data());
  stream->run(job);
  job.counts = nullptr;
  job.found = reinterpret_cast<std::uint64_t*>(results.data() + counts_bytes);
  job.hits = reinterpret_cast<MatchHit*>(results.data() + counts_bytes + sizeof(std::uint64_t));
  job.capacity = kMostHits;
  stream->run(job);
  stream->copy(pinned.data(), results.data(), result_bytes);
  stream->wait();

  const auto* const counts = reinterpret_cast<const std::uint64_t*>(pinned.data());
  const std::uint64_t found = counts[patterns.size()];
  const auto* const hits = reinterpret_cast<const MatchHit*>(counts + patterns.size() + 1);
  const auto in_order = [](const MatchHit& a, const MatchHit& b) { return a.at != b.at ? a.at < b.at : a.pattern < b.pattern; };
  std::vector<MatchHit> listed(hits, hits + std::min<std::uint64_t>(found, kMostHits));
  std::sort(listed.begin(), listed.end(), in_order);
  if (!std::equal(expected_counts.begin(), expected_counts.end(), counts) || listed != expected_hits)
    throw DeviceError(DeviceError::Kind::absent,
                      device.info().name + " found other matches than the processor in a test and is not used.");
}

}  // namespace gpuaes::match
