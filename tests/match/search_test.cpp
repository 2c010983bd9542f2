// Whole searches: chunks and their borders, files and pipes, order, ranges, and what is printed.
#include "search_run.h"
#include "support/scale.h"

#include <algorithm>

namespace gpuaes::match {
namespace {

using test::Bytes;
using test::literal;
using test::random_text;

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST_P(SearchTest, MatchIsFoundWhereverAChunkEnds)
{
  const std::vector<BytePattern> patterns = {literal("needle"), literal("e"), literal("dlen")};
  const std::size_t step = GetParam() == Who::cpu ? 1 : test::scaled(5, 23);  // a device is brought up each time
  for (std::size_t at = 0; at < 70; at += step) {
    Bytes text(80, '.');
    std::copy_n("needleneedle", 12, text.begin() + static_cast<std::ptrdiff_t>(at > 68 ? 68 : at));
    const MemoryFile file(text);
    Settings settings = settings_for(GetParam(), patterns);
    settings.files = {file.path()};
    for (const std::size_t starts : {1, 7, 16, 33}) {
      settings.cpu_starts = settings.device_starts = starts;
      EXPECT_EQ(run(settings).output, expected_output(text, patterns)) << at << " " << starts;
    }
  }
}

TEST_P(SearchTest, PipeGivesWhatTheFileGives)
{
  const Bytes text = random_text(20'000, "ab\n", 1);
  const std::vector<BytePattern> patterns = test::pieces_of(text, 20, 1, 90, 2);
  const std::string expected = expected_output(text, patterns);
  const MemoryFile file(text);
  const Pipe pipe(text);
  Settings settings = settings_for(GetParam(), patterns);
  settings.cpu_starts = settings.device_starts = 3000;
  const std::pair<std::string, MapFiles> ways[] = {
      {file.path(), MapFiles::never}, {file.path(), MapFiles::always}, {pipe.path(), MapFiles::always}};
  for (const auto& [path, maps] : ways) {
    settings.files = {path};
    settings.maps = maps;
    const Ran ran = run(settings);
    EXPECT_EQ(ran.output, expected);
    EXPECT_EQ(ran.status, 0);
    EXPECT_TRUE(ran.messages.empty());
  }
}

TEST_P(SearchTest, EveryMatchOfADenseTextIsPrintedInOrder)
{
  // More than a flight's buffer of hits holds, so that its chunk is done again in halves.
  const Bytes text(test::scaled(200'000, 70'000), 'a');
  const std::vector<BytePattern> patterns = {literal("a"), literal("aaaa")};
  const MemoryFile file(text);
  Settings settings = settings_for(GetParam(), patterns);
  settings.cpu_starts = settings.device_starts = 150'000;
  settings.files = {file.path()};
  EXPECT_TRUE(run(settings).output == expected_output(text, patterns));
}

TEST_P(SearchTest, RangesTogetherFindWhatTheWholeHas)
{
  const Bytes text = random_text(1000, "ab", 3);
  const std::vector<BytePattern> patterns = {literal("abba"), literal("bab")};
  const MemoryFile file(text);
  std::string together;
  for (const std::uint64_t begin : {0, 1, 200, 201, 517, 999, 1000, 5000}) {
    static const std::uint64_t ends[] = {1, 200, 201, 517, 999, 1000, 5000, 6000};
    static std::size_t next = 0;
    const Pipe pipe(text);
    Settings settings = settings_for(GetParam(), patterns);
    settings.begin = begin;
    settings.end = ends[next++ % 8];
    settings.files = {file.path()};
    const std::string output = run(settings).output;
    settings.files = {pipe.path()};
    EXPECT_EQ(run(settings).output, output) << begin;
    together += output;
  }
  EXPECT_EQ(together, expected_output(text, patterns));
}

TEST_P(SearchTest, CountsPerPatternWithZeros)
{
  const MemoryFile file(bytes_of("aaaaaaaaaa"));
  Settings settings = settings_for(GetParam(), {literal("aaaa"), literal("b"), literal("aaaa"), literal("a")});
  settings.report.answer = Answer::counts;
  settings.report.per_pattern = true;
  settings.files = {file.path()};
  EXPECT_EQ(run(settings).output, "7:p0\n0:p1\n7:p2\n10:p3\n");
  settings.report.per_pattern = false;
  EXPECT_EQ(run(settings).output, "24\n");
}

TEST_P(SearchTest, WithoutOverlapTheLeftmostAndThenTheLongestWins)
{
  const MemoryFile file(bytes_of("aaaaaaaaaa abcd bcd"));
  Settings settings = settings_for(GetParam(), {literal("aaaa"), literal("bc"), literal("bcd"), literal("ab")});
  settings.report.no_overlap = true;
  settings.files = {file.path()};
  for (const std::size_t starts : {3, 100}) {
    settings.cpu_starts = settings.device_starts = starts;
    EXPECT_EQ(run(settings).output, "0:p0\n4:p0\n11:p3\n16:p2\n");
  }
  settings.report.answer = Answer::counts;
  EXPECT_EQ(run(settings).output, "4\n");
}

TEST_P(SearchTest, MostLimitsWhatIsPrintedAndNotWhatIsCounted)
{
  const MemoryFile file(bytes_of("aaaaaaaaaa"));
  Settings settings = settings_for(GetParam(), {literal("a")});
  settings.report.most = 3;
  settings.cpu_starts = settings.device_starts = 4;
  settings.files = {file.path()};
  const Ran ran = run(settings);
  EXPECT_EQ(ran.output, "0:p0\n1:p0\n2:p0\n");
  ASSERT_EQ(ran.messages.size(), 1u);
  EXPECT_EQ(ran.messages[0].substr(0, 2), "7 ");
  settings.report.answer = Answer::counts;
  EXPECT_EQ(run(settings).output, "10\n");
}

TEST_P(SearchTest, SurroundingsReachOverChunkBorders)
{
  const MemoryFile file(bytes_of("0123456789abcdef"));
  const Pipe pipe(bytes_of("0123456789abcdef"));
  Settings settings = settings_for(GetParam(), {literal("67"), literal("01"), literal("f")});
  settings.report.context = 3;
  settings.cpu_starts = settings.device_starts = 1;
  for (const std::string& path : {file.path(), pipe.path()}) {
    settings.files = {path};
    EXPECT_EQ(run(settings).output,
              "0:p1\n  [30 31] 32 33 34  [01]234\n6:p0\n  33 34 35 [36 37] 38 39 61  345[67]89a\n15:p2\n  63 64 65 [66]  cde[f]\n");
  }
}

TEST_P(SearchTest, SequenceIsSearchedAcrossLinesAndNotAcrossHeaders)
{
  const MemoryFile file(bytes_of(">x\nAAC\nGTN\n>y\nTTA\n>z\nACG\n"));
  Settings settings = settings_for(GetParam(), {});
  settings.patterns = make_pattern_set({{"one", "aacg", "here"}, {"two", "taa", "here"}}, Notation::dna, false);
  settings.dna = settings.print.with_strand = true;
  settings.files = {file.path()};
  for (const std::size_t starts : {1, 5, 100}) {
    settings.cpu_starts = settings.device_starts = starts;
    EXPECT_EQ(run(settings).output, "3:one:+\n14:two:-\n") << starts;
  }
}

TEST_P(SearchTest, FilesAreAnsweredInTheirOrder)
{
  std::vector<std::unique_ptr<MemoryFile>> files;
  std::string counts, with, without;
  Settings settings = settings_for(GetParam(), {literal("xx")});
  for (std::size_t i = 0; i < 40; ++i) {
    files.push_back(std::make_unique<MemoryFile>(Bytes(i * 37 % 400, i % 3 == 0 ? 'y' : 'x')));
    const std::string path = files.back()->path();
    settings.files.push_back(path);
    const std::size_t count = i % 3 == 0 || i * 37 % 400 == 0 ? 0 : i * 37 % 400 - 1;
    counts += path + ":" + std::to_string(count) + "\n";
    (count > 0 ? with : without) += path + "\n";
  }
  settings.print.with_name = true;
  settings.report.answer = Answer::counts;
  EXPECT_EQ(run(settings).output, counts);
  settings.report.answer = Answer::names_with;
  EXPECT_EQ(run(settings).output, with);
  settings.report.answer = Answer::names_without;
  EXPECT_EQ(run(settings).output, without);
  settings.report.answer = Answer::nothing;
  EXPECT_EQ(run(settings).status, 0);
  EXPECT_EQ(run(settings).output, "");
}

TEST_P(SearchTest, EmptyInputsAndPlacesBehindTheEnd)
{
  const MemoryFile empty;
  Settings settings = settings_for(GetParam(), {literal("x")});
  settings.report.answer = Answer::counts;
  settings.files = {empty.path(), "/dev/null"};
  const Ran ran = run(settings);
  EXPECT_EQ(ran.output, "0\n0\n");
  EXPECT_EQ(ran.status, 1);
}

INSTANTIATE_TEST_SUITE_P(By, SearchTest, testing::Values(Who::cpu, Who::device, Who::both), name_of_who);

TEST(SearchHuge, MatchesBeyondTwoAndFourGibibytes)
{
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  const std::uint64_t whole = test::kSanitized ? kGibibyte + 100 : 5 * kGibibyte;
  const MemoryFile file;
  file.resize(whole);
  std::string expected;
  for (const std::uint64_t at :
       {std::uint64_t{5}, kGibibyte - 3, 2 * kGibibyte - 4, 4 * kGibibyte - 1, 4 * kGibibyte + 77, whole - 6}) {
    if (at + 6 > whole) continue;
    file.write(at, bytes_of("needle"));
    expected += std::to_string(at) + ":p0\n";
  }
  Settings settings = settings_for(Who::cpu, {literal("needle")});
  settings.cpu_starts = std::size_t{1} << 20;
  settings.files = {file.path()};
  EXPECT_EQ(run(settings).output, expected);
}

}  // namespace
}  // namespace gpuaes::match
