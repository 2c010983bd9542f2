// How fast does the device search? Text and DNA, one pattern and many, counting and listing, on data in device memory, from pinned
// memory, and encrypted. Each question is asked once at a time, launch and wait included; of data on the device also many times in
// a row without a wait between, as ".../kernel": what that takes is the kernels' time.
#include "core/secret_bytes.h"
#include "engine/buffer.h"
#include "engine/match_plan.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpuaes::bench {
namespace {

constexpr std::size_t kMostHits = std::size_t{1} << 20;
constexpr int kInARow = 16;  // to launch and to wait takes some 10 us, once for all of them
bool wrong = false;
std::size_t text_bytes = std::size_t{1} << 30;  // BENCH_BYTES

enum class Kind { text, dna, same };
enum class From { device, pinned, encrypted };

struct Question {
  const char* label;
  Kind kind;
  std::size_t patterns;
  std::size_t pattern_bytes;
  From from;
  bool list;
};

constexpr Question kQuestions[] = {
    {"text/1/count", Kind::text, 1, 12, From::device, false},
    {"text/1/list", Kind::text, 1, 12, From::device, true},
    {"text/4-byte/count", Kind::text, 1, 4, From::device, false},
    {"text/100/count", Kind::text, 100, 12, From::device, false},
    {"text/10000/count", Kind::text, 10'000, 16, From::device, false},
    {"dna/1/count", Kind::dna, 1, 24, From::device, false},
    {"dna/1/list", Kind::dna, 1, 24, From::device, true},
    {"dna/8-byte/count", Kind::dna, 1, 8, From::device, false},
    {"dna/4-byte/count", Kind::dna, 1, 4, From::device, false},
    {"dna/100/count", Kind::dna, 100, 24, From::device, false},
    {"dna/100-of-8/count", Kind::dna, 100, 8, From::device, false},
    {"dna/10000/count", Kind::dna, 10'000, 24, From::device, false},
    {"dna/10000/list", Kind::dna, 10'000, 24, From::device, true},
    {"aaaa-in-a/4-byte/count", Kind::same, 1, 4, From::device, false},
    {"aaaa-in-a/16-byte/count", Kind::same, 1, 16, From::device, false},
    {"aaaa-in-a/100-of-12/count", Kind::same, 100, 12, From::device, false},
    {"text/1/count/pinned", Kind::text, 1, 12, From::pinned, false},
    {"dna/100/count/pinned", Kind::dna, 100, 24, From::pinned, false},
    {"text/1/count/encrypted", Kind::text, 1, 12, From::encrypted, false},
    {"dna/100/count/encrypted", Kind::dna, 100, 24, From::encrypted, false},
};

// 1 MiB that is repeated. Words are of letters as frequent as in English, about; no word is likely to be among the patterns by
// chance.
std::vector<std::uint8_t> make_piece(Kind kind)
{
  std::mt19937 random(1);
  std::vector<std::uint8_t> piece(std::size_t{1} << 20, 'a');
  const std::string_view letters = "eeeeettttaaaooiinnsshhrrddllucmfwypvbgk";
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (kind == Kind::dna) piece[i] = static_cast<std::uint8_t>("ACGT"[random() % 4]);
    if (kind == Kind::text)
      piece[i] = random() % 6 == 0 ? std::uint8_t{' '} : static_cast<std::uint8_t>(letters[random() % letters.size()]);
  }
  return piece;
}

// Patterns of the kind's letters; one in a hundred occurs in the text.
std::vector<BytePattern> make_patterns(const Question& question, const std::vector<std::uint8_t>& piece)
{
  std::mt19937 random(2);
  std::vector<BytePattern> patterns;
  for (std::size_t i = 0; i < question.patterns; ++i) {
    BytePattern pattern{std::vector<std::uint8_t>(question.pattern_bytes), std::vector<std::uint8_t>(question.pattern_bytes, 0xff)};
    const bool occurs = i % 100 == 0;
    const std::size_t start = random() % (piece.size() - question.pattern_bytes);
    // In a text of one letter, only the first: a hundred matches at each place would be another question.
    if (question.kind == Kind::same && i > 0) {
      for (std::uint8_t& byte : pattern.value) byte = static_cast<std::uint8_t>('b' + random() % 25);
      patterns.push_back(std::move(pattern));
      continue;
    }
    for (std::size_t j = 0; j < question.pattern_bytes; ++j) pattern.value[j] = piece[occurs ? start + j : random() % piece.size()];
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

// How often each pattern, all of one length, occurs in a text that is the piece over and over. Looks up each window.
std::vector<std::uint64_t> count_in_repeated(const std::vector<std::uint8_t>& piece, const std::vector<BytePattern>& patterns)
{
  const std::size_t length = patterns.front().value.size();
  const auto view = [length](const std::uint8_t* at) { return std::string_view(reinterpret_cast<const char*>(at), length); };
  std::unordered_map<std::string_view, std::uint64_t> counts;
  for (const BytePattern& pattern : patterns) counts[view(pattern.value.data())] = 0;
  std::vector<std::uint8_t> twice = piece;
  twice.insert(twice.end(), piece.begin(), piece.end());
  const std::size_t times = text_bytes / piece.size();
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const auto found = counts.find(view(twice.data() + i));
    // A window across the end of the piece is missing at the end of the text.
    if (found != counts.end()) found->second += i + length <= piece.size() ? times : times - 1;
  }
  std::vector<std::uint64_t> result;
  for (const BytePattern& pattern : patterns) result.push_back(counts.at(view(pattern.value.data())));
  return result;
}

class Bench {
 public:
  Bench(Device& device, const Question& question)
      : device_(device),
        question_(question),
        piece_(make_piece(question.kind)),
        patterns_(make_patterns(question, piece_)),
        plan_(patterns_),
        pinned_(device, MemoryKind::pinned, std::max(piece_.size(), plan_.memory().size())),
        text_(device, MemoryKind::device, text_bytes + kTextPadding),
        tables_(device, MemoryKind::device, plan_.memory().size()),
        results_(device, MemoryKind::device,
                 question.list ? (kMostHits + 1) * sizeof(MatchHit) : question.patterns * sizeof(std::uint64_t)),
        stream_(device.make_stream())
  {
    std::memcpy(pinned_.data(), plan_.memory().data(), plan_.memory().size());
    stream_->copy(tables_.data(), pinned_.data(), plan_.memory().size());
    stream_->wait();
    std::memcpy(pinned_.data(), piece_.data(), piece_.size());
    for (std::size_t at = 0; at < text_bytes; at += piece_.size()) stream_->copy(text_.data() + at, pinned_.data(), piece_.size());
    stream_->wait();
    if (question.from == From::pinned) source_ = Buffer(device, MemoryKind::pinned, text_bytes);
    for (std::size_t at = 0; at < source_.size(); at += piece_.size())
      std::memcpy(source_.data() + at, piece_.data(), piece_.size());
  }

  // Leaves the text as it was.
  bool finds_what_is_there()
  {
    // What was encrypted is plain again after the second time, and long patterns don't occur in ciphertext by chance.
    run(question_.from == From::encrypted ? 2 : 1);
    const std::vector<std::uint64_t> wanted = count_in_repeated(piece_, patterns_);
    std::vector<std::uint64_t> found(question_.list ? 1 : wanted.size());
    Buffer answer(device_, MemoryKind::pinned, found.size() * sizeof(std::uint64_t));
    stream_->copy(answer.data(), results_.data(), answer.size());
    stream_->wait();
    std::memcpy(found.data(), answer.data(), answer.size());
    if (question_.list) return found[0] == std::accumulate(wanted.begin(), wanted.end(), std::uint64_t{0});
    return found == wanted;
  }

  void run(int times)
  {
    stream_->clear(results_.data(), question_.list ? sizeof(MatchHit) : results_.size());
    for (int i = 0; i < times; ++i) queue();
    stream_->wait();
  }

 private:
  void queue()
  {
    if (question_.from == From::pinned) stream_->copy(text_.data(), source_.data(), text_bytes);
    // In ECB mode once more would be another text; what the kernel finds doesn't matter here, and CTR twice is the text again.
    if (question_.from == From::encrypted)
      stream_->run(AesJob{.mode = AesMode::ctr,
                          .rounds = key_.rounds(),
                          .keys = key_.schedule(AesMode::ctr),
                          .in = text_.data(),
                          .out = text_.data(),
                          .blocks = text_bytes / kBlockBytes});
    MatchJob job{
        .tables = plan_.tables_at(tables_.data()), .sweeps = plan_.sweeps(), .text = {text_.data(), text_bytes, 0, text_bytes}};
    if (question_.list) {
      job.found = reinterpret_cast<std::uint64_t*>(results_.data());
      job.hits = reinterpret_cast<MatchHit*>(results_.data()) + 1;
      job.capacity = kMostHits;
    } else {
      job.counts = reinterpret_cast<std::uint64_t*>(results_.data());
    }
    stream_->run(job);
  }

  Device& device_;
  const Question& question_;
  const std::vector<std::uint8_t> piece_;
  const std::vector<BytePattern> patterns_;
  const MatchPlan plan_;
  const AesKey key_{std::vector<std::uint8_t>(32, 1)};
  Buffer pinned_, text_, tables_, results_, source_;
  std::unique_ptr<Stream> stream_;  // after the buffers, so that it has waited for its work before they go
};

void measure(benchmark::State& state, Device* device, const Question& question, int times)
{
  Bench bench(*device, question);
  if (!bench.finds_what_is_there()) {
    wrong = true;
    std::fprintf(stderr, "%s: wrong counts\n", question.label);
    return state.SkipWithError("wrong counts");
  }
  for (auto _ : state) bench.run(times);
  state.SetBytesProcessed(static_cast<std::int64_t>(text_bytes) * state.iterations() * times);
}

}  // namespace
}  // namespace gpuaes::bench

int main(int argc, char** argv)
{
  using namespace gpuaes;
  using namespace gpuaes::bench;
  if (const char* bytes = std::getenv("BENCH_BYTES")) text_bytes = std::strtoull(bytes, nullptr, 10) >> 20 << 20;
  const std::unique_ptr<Platform> platform = make_cuda_platform();
  std::unique_ptr<Device> device;
  try {
    device = platform->open({}, [] {});
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "%s Measuring the stand-in, on 1 MiB: that says nothing about a device.\n", error.what());
    device = make_host_platform()->open({}, [] {});
    text_bytes = std::size_t{1} << 20;
  }
  benchmark::AddCustomContext("device", device->info().name);
  for (const Question& question : kQuestions) {
    benchmark::RegisterBenchmark(question.label, measure, device.get(), question, 1)->UseRealTime();
    if (question.from == From::device)
      benchmark::RegisterBenchmark((std::string(question.label) + "/kernel").c_str(), measure, device.get(), question, kInARow)
          ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return wrong ? 1 : 0;
}
