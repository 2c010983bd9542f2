// Searches on the device: every kind of sweep, counting and listing, against the plain loop.
#include "engine/buffer.h"
#include "support/match_reference.h"
#include "support/scale.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace gpuaes {
namespace {

using test::Bytes;
using test::MatchCase;

constexpr std::size_t kTextBytes = test::scaled(30'000, 6'000);

class MatchOnDevice : public test::OnDevice<testing::TestWithParam<MatchCase>> {
 protected:
  void SetUp() override
  {
    test::OnDevice<testing::TestWithParam<MatchCase>>::SetUp();
    if (IsSkipped()) return;
    device_ = platform_->open({}, [] {});
    stream_ = device_->make_stream();
  }

  Buffer upload(std::span<const std::uint8_t> bytes)
  {
    Buffer copy(*device_, MemoryKind::device, std::max<std::size_t>(bytes.size(), 1));
    stream_->copy(copy.data(), bytes.data(), bytes.size());
    stream_->wait();
    return copy;
  }

  template <typename T>
  std::vector<T> download(const Buffer& from, std::size_t count)
  {
    std::vector<T> items(count);
    if (count == 0) return items;
    stream_->copy(items.data(), from.data(), count * sizeof(T));
    stream_->wait();
    return items;
  }

  std::unique_ptr<Platform> platform_ = test::make_test_platform();
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
};

TEST_P(MatchOnDevice, FindsWhatThePlainLoopFinds)
{
  const MatchCase& example = GetParam();
  const std::size_t size = example.text.size(), patterns = example.patterns.size();
  const MatchPlan plan(example.patterns);
  const Buffer tables = upload(plan.memory()), text = upload(test::padded(example.text));
  const std::size_t ranges[][2] = {{0, size},  {1, size}, {17, size - size / 3}, {size / 2, size / 2 + 1}, {size / 2, size / 2},
                                   {513, 2049}};
  for (const auto& [from, to] : ranges) {
    if (to > size || from > to) continue;
    const std::vector<MatchHit> expected = test::reference_hits(example.text, example.patterns, from, to);
    Buffer counts(*device_, MemoryKind::device, (patterns + 1) * sizeof(std::uint64_t));
    Buffer hits(*device_, MemoryKind::device, (expected.size() + 1) * sizeof(MatchHit));
    stream_->clear(counts.data(), counts.size());
    MatchJob job{.tables = plan.tables_at(tables.data()), .sweeps = plan.sweeps(), .text = {text.data(), size, from, to}};
    job.counts = reinterpret_cast<std::uint64_t*>(counts.data());
    stream_->run(job);
    job.found = std::exchange(job.counts, nullptr) + patterns;
    job.hits = reinterpret_cast<MatchHit*>(hits.data());
    job.capacity = expected.size();
    stream_->run(job);

    std::vector<std::uint64_t> counted = download<std::uint64_t>(counts, patterns + 1);
    EXPECT_EQ(counted.back(), expected.size()) << from << " to " << to;
    counted.pop_back();
    EXPECT_EQ(counted, test::counts_of(expected, patterns)) << from << " to " << to;
    std::vector<MatchHit> listed = download<MatchHit>(hits, expected.size());
    std::sort(listed.begin(), listed.end(),
              [](const MatchHit& a, const MatchHit& b) { return a.at != b.at ? a.at < b.at : a.pattern < b.pattern; });
    EXPECT_TRUE(listed == expected) << from << " to " << to;
  }
}

TEST_P(MatchOnDevice, TellsHowManyHitsDidNotFit)
{
  const MatchCase& example = GetParam();
  const MatchPlan plan(example.patterns);
  const Buffer tables = upload(plan.memory()), text = upload(test::padded(example.text));
  const std::size_t size = example.text.size();
  const std::vector<MatchHit> expected = test::reference_hits(example.text, example.patterns, 0, size);
  Buffer results(*device_, MemoryKind::device, 3 * sizeof(MatchHit));
  stream_->clear(results.data(), results.size());
  MatchJob job{.tables = plan.tables_at(tables.data()), .sweeps = plan.sweeps(), .text = {text.data(), size, 0, size}};
  job.found = reinterpret_cast<std::uint64_t*>(results.data());
  job.hits = reinterpret_cast<MatchHit*>(results.data()) + 1;
  job.capacity = 1;
  stream_->run(job);
  const std::vector<MatchHit> got = download<MatchHit>(results, 3);
  EXPECT_EQ(got[0].at, expected.size());
  EXPECT_EQ(got[2], MatchHit{}) << "a hit beyond the capacity";
  if (!expected.empty()) {
    EXPECT_NE(std::find(expected.begin(), expected.end(), got[1]), expected.end());
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, MatchOnDevice, testing::ValuesIn(test::match_cases(kTextBytes)),
                         [](const auto& example) { return example.param.name; });

}  // namespace

// What googletest shows of a case.
namespace test {
inline void PrintTo(const MatchCase& example, std::ostream* out) { *out << example.name; }
}  // namespace test
}  // namespace gpuaes
