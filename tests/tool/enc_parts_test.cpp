// What gpuaes enc is made of: checksums of pieces in any order, comparison, and whether a device is worth it.
#include "enc/crc16_line.h"
#include "enc/pace.h"
#include "enc/sink.h"
#include "enc/source.h"
#include "enc_run.h"
#include "match/aligned_secret.h"
#include "support/crc16_reference.h"

#include <fcntl.h>

#include <algorithm>
#include <span>

namespace gpuaes::enc {
namespace {

TEST(EncCrc16Line, PiecesInAnyOrder)
{
  const test::Bytes data = test::pattern(1000);
  const test::Bytes head = {1, 2, 3};
  Crc16Line line(7);
  line.add_head(head.data(), head.size());
  for (const std::size_t at : {600u, 0u, 100u, 800u, 300u})
    line.add(7 + at, data.data() + at, at == 0 ? 100 : at == 800 ? 200 : at == 600 ? 200 : at == 100 ? 200 : 300);
  test::Bytes all = head;
  all.insert(all.end(), data.begin(), data.end());
  EXPECT_EQ(line.value(), test::crc16_by_bits(0xffff, std::span<const std::uint8_t>(all)));
}

TEST(EncComparison, FindsOneWrongByteAndAMissingEnd)
{
  const Folder folder;
  test::Bytes data = test::pattern(100);
  const Source original(folder.write("original", data));
  Comparison comparison(original, "copy");
  comparison.write({.position = 0, .bytes = 50}, data.data(), 50);
  EXPECT_THROW(comparison.check_complete(), std::runtime_error);
  data[70] ^= 1;
  try {
    comparison.write({.position = 50, .bytes = 50}, data.data() + 50, 50);
    FAIL() << "not found";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("at byte 70"), std::string::npos) << error.what();
  }
  data[70] ^= 1;
  comparison.write({.position = 50, .bytes = 50}, data.data() + 50, 50);
  comparison.check_complete();
}

// Whether or not the file system knows direct writes.
TEST(EncPlacedSink, WholePagesAndOthersMakeOneFile)
{
  const Folder folder;
  const test::Bytes data = test::pattern(6 * kDirectAlignment + 100);
  const Descriptor file(open((folder / "out").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  PlacedSink sink(file.get(), reopened_for_direct_writes(file.get()), "out", 16, 1000);
  match::AlignedSecret buffer(data.size());
  const std::size_t ends[] = {kDirectAlignment - 16, 3 * kDirectAlignment - 16, 3 * kDirectAlignment + 5, data.size()};
  std::uint64_t number = 0;
  for (std::size_t at = 0; const std::size_t end : ends) {
    std::copy(data.begin() + static_cast<std::ptrdiff_t>(at), data.begin() + static_cast<std::ptrdiff_t>(end), buffer.data());
    sink.write({.number = number++, .position = 1000 + at, .bytes = end - at}, buffer.data(), end - at);
    at = end;
  }
  test::Bytes expected(16);
  expected.insert(expected.end(), data.begin(), data.end());
  EXPECT_EQ(folder.read("out"), expected);
}

TEST(EncSource, PiecesEndAtPagesOfTheOutput)
{
  const Folder folder;
  for (const std::uint64_t base : {0u, 16u, 8u}) {
    Source source(folder.write("in", test::Bytes(100'000)));
    source.end_at_pages(base);
    test::Bytes buffer(4 * kDirectAlignment);
    std::uint64_t end = 0;
    for (Piece piece; source.take(piece, buffer.data(), buffer.size());) {
      EXPECT_EQ(piece.position, end);
      end += piece.bytes;
      const bool whole_blocks = base % kBlockBytes == 0;
      EXPECT_EQ((base + end) % kDirectAlignment, piece.last ? (base + 100'000) % kDirectAlignment : whole_blocks ? 0u : base);
    }
    EXPECT_EQ(end, 100'000u);
  }
}

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

double won(double moving_rate, double cipher_rate, int threads, std::uint64_t bytes)
{
  constexpr double kBytes = 1e9;
  const auto seconds = [](double value) { return std::chrono::nanoseconds(static_cast<std::int64_t>(value * 1e9)); };
  Pace pace;
  pace.note(static_cast<std::size_t>(kBytes), seconds(kBytes / moving_rate + kBytes / cipher_rate), seconds(kBytes / cipher_rate));
  return pace.seconds_won(threads, bytes);
}

TEST(EncPace, OfLittleNothingIsKnown)
{
  Pace pace;
  pace.note(1000, std::chrono::seconds(10), std::chrono::seconds(5));
  EXPECT_EQ(pace.seconds_won(4, 1000 * kGiB), 0);
}

TEST(EncPace, LargeWorkOfFewThreadsIsWorthADevice) { EXPECT_GT(won(10e9, 5e9, 2, 64 * kGiB), match::kMustWin); }

TEST(EncPace, SmallWorkIsNot) { EXPECT_LT(won(10e9, 5e9, 16, kGiB), 0); }

TEST(EncPace, NorIsWaitingForTheDisk) { EXPECT_LT(won(0.2e9, 5e9, 8, 2 * kGiB), match::kMustWin); }

}  // namespace
}  // namespace gpuaes::enc
