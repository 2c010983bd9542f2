// What is left of a FASTA file, however it is cut, and where that was.
#include "match/fasta.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuaes::match {
namespace {

const std::string kFile = ">one\nACGT\nAC\r\n\n>two > x\r\nNNA\n>empty\n>last\nGG";
const std::string kSequence = ">ACGTAC>NNA>>GG";

// Filters `file` in pieces of `piece` bytes, and checks that each byte's place is right.
std::string filtered(const std::string& file, std::size_t piece)
{
  FastaFilter filter(true);
  std::string sequence;
  std::vector<SequencePart> parts;
  for (std::size_t at = 0; at < file.size(); at += piece) {
    std::string raw = file.substr(at, piece);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(raw.data());
    const std::size_t kept = filter.filter({bytes, raw.size()}, bytes);
    sequence += raw.substr(0, kept);
    const auto more = filter.take_parts();
    parts.insert(parts.end(), more.begin(), more.end());
  }
  for (std::size_t i = 0; i < sequence.size(); ++i) EXPECT_EQ(sequence[i], file[place_in_file(parts, i)]) << i << " of " << piece;
  return sequence;
}

TEST(Fasta, SequencesWithoutLineEndsAndHeaders)
{
  for (std::size_t piece = 1; piece <= kFile.size(); ++piece) EXPECT_EQ(filtered(kFile, piece), kSequence) << piece;
}

TEST(Fasta, AFileWithoutHeaders) { EXPECT_EQ(filtered("ACGT\nACGT\n", 3), "ACGTACGT"); }

}  // namespace
}  // namespace gpuaes::match
