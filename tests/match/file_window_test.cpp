// Windows into files, and what becomes of them when the file becomes shorter.
#include "match/file_window.h"

#include "search_run.h"

#include <algorithm>
#include <vector>

namespace gpuaes::match {
namespace {

constexpr std::size_t kPage = 4096;

TEST(FileWindow, ShowsAnyPartOfAFile)
{
  const test::Bytes text = test::random_text(5 * kPage, "abc", 1);
  const MemoryFile file(text);
  FileWindow window;
  for (const auto& [offset, bytes] : {std::pair<std::size_t, std::size_t>{0, 5 * kPage}, {16, 1}, {kPage - 1, kPage + 2}}) {
    ASSERT_TRUE(window.show(file.descriptor(), offset, bytes));
    EXPECT_TRUE(std::equal(window.data(), window.data() + bytes, text.begin() + static_cast<std::ptrdiff_t>(offset)));
    EXPECT_TRUE(window.is_intact());
  }
}

TEST(FileWindow, IsZerosAndNotIntactWhereTheFileIsGone)
{
  const WindowGuard guard;
  const MemoryFile file(test::Bytes(4 * kPage, 'x'));
  FileWindow window;
  for (int again = 0; again < 2; ++again) {
    file.resize(4 * kPage);
    ASSERT_TRUE(window.show(file.descriptor(), 0, 4 * kPage));
    EXPECT_EQ(window.data()[0], again == 0 ? 'x' : 0);
    file.resize(0);
    EXPECT_EQ(std::count(window.data(), window.data() + 4 * kPage, 0), 4 * kPage);
    file.resize(4 * kPage);  // that it is as long as before doesn't matter
    EXPECT_FALSE(window.is_intact());
  }
}

TEST(FileWindow, IsNotIntactWhereItsLastPageEndsEarlier)
{
  const MemoryFile file(test::Bytes(100, 'x'));
  FileWindow window;
  ASSERT_TRUE(window.show(file.descriptor(), 0, 100));
  file.resize(99);
  EXPECT_EQ(window.data()[99], 0);
  EXPECT_FALSE(window.is_intact());
}

TEST(FileWindow, WhatCannotBeMappedIsRefused)
{
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FileWindow window;
  EXPECT_FALSE(window.show(ends[0], 0, kPage));
  close(ends[0]);
  close(ends[1]);
}

TEST(FileWindowDeathTest, OtherBusErrorsAreNotHeard)
{
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        signal(SIGBUS, SIG_DFL);  // a sanitizer may hear it
        const WindowGuard guard;
        raise(SIGBUS);
        raise(SIGBUS);
      },
      "");
}

// The search waits for its output to be read when it has a quarter of a MiB of it: then most of the file is still to come.
TEST(FileWindow, SearchTellsOfAFileThatBecomesShorterAndFindsWhatIsLeft)
{
  constexpr std::size_t kPeriod = 64, kWhole = std::size_t{8} << 20, kLeft = (std::size_t{6} << 20) + 70;
  test::Bytes text(kWhole, '.');
  for (std::size_t at = 0; at < kWhole; at += kPeriod) std::copy_n("needle", 6, text.begin() + static_cast<std::ptrdiff_t>(at));
  const MemoryFile file(text);
  Settings settings = settings_for(Who::cpu, {test::literal("needle"), test::literal(std::string_view("\0", 1))});
  settings.threads = 1;
  settings.maps = MapFiles::always;
  settings.cpu_starts = std::size_t{64} << 10;
  settings.files = {file.path()};
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::vector<std::string> messages;
  Outcome outcome;
  std::thread searching([&, in = ends[1]] {
    outcome = search(settings, in, [&](const std::string& line) { messages.push_back(line); });
    close(in);
  });
  std::string output(1, '\0');
  ASSERT_EQ(read(ends[0], output.data(), 1), 1);
  file.resize(kLeft);
  char more[4096];
  for (ssize_t got; (got = read(ends[0], more, sizeof more)) > 0;) output.append(more, static_cast<std::size_t>(got));
  searching.join();
  close(ends[0]);
  text.resize(kLeft);
  EXPECT_TRUE(output == expected_output(text, {test::literal("needle")}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(messages, std::vector<std::string>{file.path() + ": became shorter while it was searched"});
}

}  // namespace
}  // namespace gpuaes::match
