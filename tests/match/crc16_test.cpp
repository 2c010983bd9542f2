// The CRC beside the matches: of the whole input or of a range, whoever computes it, and whatever ends the search early.
#include "search_run.h"
#include "support/scale.h"

namespace gpuaes::match {
namespace {

using test::Bytes;
using test::literal;

class SearchCrc16 : public SearchTest {
 protected:
  Settings settings(const std::vector<BytePattern>& patterns) const
  {
    Settings all = settings_for(GetParam(), patterns);
    all.report.crc16 = true;
    return all;
  }
};

TEST_P(SearchCrc16, ComesBehindTheMatches)
{
  const std::vector<BytePattern> patterns = {literal("abba"), literal("b")};
  for (const std::size_t bytes : {0, 1, 15, 16, 17, 5000}) {
    const Bytes text = test::random_text(bytes, "ab", 1);
    const MemoryFile file(text);
    for (const std::size_t starts : {33, 1000}) {
      const Pipe pipe(text);
      Settings wanted = settings(patterns);
      wanted.cpu_starts = wanted.device_starts = starts;
      for (const std::string& path : {file.path(), pipe.path()}) {
        wanted.files = {path};
        EXPECT_EQ(run(wanted).output, expected_output(text, patterns) + expected_crc16(text, 0, bytes)) << bytes << " " << path;
      }
    }
  }
}

TEST_P(SearchCrc16, IsThatOfTheRange)
{
  const Bytes text = test::random_text(3000, "ab", 2);
  const MemoryFile file(text);
  Settings wanted = settings({literal("nothing")});
  wanted.report.answer = Answer::counts;
  for (const std::size_t begin : {0, 17, 2999})
    for (const std::size_t end : {3000, 5000}) {
      const Pipe pipe(text);
      wanted.begin = begin;
      wanted.end = end;
      for (const std::string& path : {file.path(), pipe.path()}) {
        wanted.files = {path};
        EXPECT_EQ(run(wanted).output, "0\n" + expected_crc16(text, begin, 3000)) << begin << " " << path;
      }
    }
  wanted.begin = 100;
  wanted.end = 200;
  wanted.files = {file.path()};
  EXPECT_EQ(run(wanted).output, "0\n" + expected_crc16(text, 100, 200));
}

TEST_P(SearchCrc16, NothingEndsBeforeTheEnd)
{
  const Bytes text = test::random_text(3000, "ab", 3);
  const MemoryFile file(text);
  Settings wanted = settings({literal("a")});
  wanted.files = {file.path()};
  wanted.report.answer = Answer::nothing;
  EXPECT_EQ(run(wanted).output, expected_crc16(text, 0, 3000));
  wanted.report.answer = Answer::names_with;
  EXPECT_EQ(run(wanted).output, file.path() + "\n" + expected_crc16(text, 0, 3000));
}

TEST_P(SearchCrc16, OfASequenceIsThatOfItsFile)
{
  const std::string fasta = ">one\r\nACG\r\nTTA\n>two\n\nGAT\nTACA";
  const Bytes text(fasta.begin(), fasta.end());
  const MemoryFile file(text);
  Settings wanted = settings_for(GetParam(), {literal("TAC"), literal("GTT")});
  wanted.report.crc16 = wanted.dna = true;
  wanted.report.answer = Answer::counts;
  wanted.files = {file.path()};
  for (const std::size_t starts : {1, 4, 100}) {
    wanted.cpu_starts = wanted.device_starts = starts;
    EXPECT_EQ(run(wanted).output, "2\n" + expected_crc16(text, 0, text.size())) << starts;
  }
}

TEST_P(SearchCrc16, ManyMatchesInPartsHaveOne)
{
  const Bytes text(test::scaled(150'000, 70'000), 'a');
  const std::vector<BytePattern> patterns = {literal("a"), literal("aaaa")};
  const MemoryFile file(text);
  Settings wanted = settings(patterns);
  wanted.cpu_starts = wanted.device_starts = 150'000;
  wanted.files = {file.path()};
  EXPECT_TRUE(run(wanted).output == expected_output(text, patterns) + expected_crc16(text, 0, text.size()));
}

INSTANTIATE_TEST_SUITE_P(By, SearchCrc16, testing::Values(Who::cpu, Who::device, Who::both), name_of_who);

class SearchCrc16Failures : public test::OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }
};

TEST_F(SearchCrc16Failures, ADeviceThatFailsChangesNothing)
{
  const Bytes text(70'000, 'a');
  const std::vector<BytePattern> patterns = {literal("a")};
  const MemoryFile file(text);
  Settings wanted = settings_for(Who::both, patterns);
  wanted.report.crc16 = true;
  wanted.cpu_starts = wanted.device_starts = 70'000;
  wanted.files = {file.path()};
  wanted.threads = 1;
  for (std::size_t at = 1; at < 120; at += 9) {
    host_faults::set({.fail_at = at, .kind = DeviceError::Kind::failed, .when_executed = true});
    EXPECT_TRUE(run(wanted).output == expected_output(text, patterns) + expected_crc16(text, 0, text.size())) << at;
  }
}

}  // namespace
}  // namespace gpuaes::match
