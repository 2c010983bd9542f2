// The file of measured rates: good for speed, and harmless whatever is in it.
#include "../../provider/calibration_file.h"

#include "support/child.h"
#include "support/library.h"
#include "support/test_device.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gpuaes {
namespace {

namespace fs = std::filesystem;

class SafetyCalibration : public ::testing::Test {
 protected:
  void SetUp() override
  {
    std::string name = (fs::temp_directory_path() / "gpuaes-rates-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    file_ = folder_ / "a" / "rates.json";
  }
  void TearDown() override { fs::remove_all(folder_); }

  CalibrationFile calibration() const { return CalibrationFile(file_.string()); }

  void write(const std::string& text) const
  {
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }
  std::string text() const
  {
    std::ifstream stream(file_);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static Rates rates(double zero_copy)
  {
    Rates rates = kBuiltInRates;
    rates.zero_copy = zero_copy;
    return rates;
  }

  fs::path folder_;
  fs::path file_;
};

TEST_F(SafetyCalibration, RemembersTheMedianOfSeveral)
{
  EXPECT_FALSE(calibration().recall("machine"));
  EXPECT_EQ(calibration().keep("machine", rates(40)).zero_copy, 40);
  calibration().keep("machine", rates(1));
  calibration().keep("machine", rates(42));
  EXPECT_FALSE(calibration().recall("machine")) << "three are not enough";
  calibration().keep("machine", rates(41));
  EXPECT_EQ(calibration().keep("machine", rates(900)).zero_copy, 41);
  const auto remembered = calibration().recall("machine");
  ASSERT_TRUE(remembered);
  EXPECT_EQ(remembered->zero_copy, 41);
  EXPECT_EQ(remembered->cpu[2][2], kBuiltInRates.cpu[2][2]);
}

TEST_F(SafetyCalibration, MachinesAreKeptApart)
{
  for (int i = 0; i < 5; ++i) calibration().keep("one", rates(40));
  EXPECT_FALSE(calibration().recall("other"));
  EXPECT_EQ(calibration().keep("other", rates(20)).zero_copy, 20);
  EXPECT_EQ(calibration().recall("one")->zero_copy, 40);
}

TEST_F(SafetyCalibration, WhatIsWrongWithTheFileIsPassedOver)
{
  for (int i = 0; i < 5; ++i) calibration().keep("machine", rates(40));
  const std::string good = text();
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string changed = good;
    const std::size_t at = changed.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return changed.replace(at, what.size(), instead);
  };
  for (const std::string& bad : {std::string(), std::string("{"), std::string("[1, 2]"), std::string("{\"machine\": 3}"),
                                 std::string("{\"machine\": [3]}"), good.substr(0, good.size() / 2), with("40.0", "-40.0"),
                                 with("40.0", "1e300"), with("40.0", "\"40\""), with("zero_copy", "zero_coffee")}) {
    write(bad);
    EXPECT_FALSE(calibration().recall("machine")) << bad;
    EXPECT_EQ(calibration().keep("machine", rates(30)).zero_copy, 30) << bad;
    const bool may_be_ours = bad.empty() || nlohmann::json::parse(bad, nullptr, false).is_object();
    EXPECT_EQ(text() == bad, !may_be_ours) << bad;
  }
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "{\"a\":";
  write(deep + "1" + std::string(300, '}'));
  const std::string too_deep = text();
  EXPECT_EQ(calibration().keep("machine", rates(30)).zero_copy, 30);
  EXPECT_EQ(text(), too_deep);
  write(good);
  EXPECT_TRUE(calibration().recall("machine"));
}

TEST_F(SafetyCalibration, AFileThatIsTooLargeIsLeftAlone)
{
  for (int i = 0; i < 5; ++i) calibration().keep("machine", rates(40));
  const std::string large = text() + std::string(256 << 10, ' ');
  write(large);
  EXPECT_FALSE(calibration().recall("machine"));
  EXPECT_EQ(calibration().keep("machine", rates(30)).zero_copy, 30);
  EXPECT_EQ(text(), large);
}

// It couldn't be read again.
TEST_F(SafetyCalibration, NoFileGrowsTooLarge)
{
  const std::string nearly = "{\"other\": \"" + std::string((256 << 10) - 100, 'x') + "\"}";
  write(nearly);
  EXPECT_EQ(calibration().keep("machine", rates(30)).zero_copy, 30);
  EXPECT_EQ(text(), nearly);
}

// To itself, so that not even root can read it.
TEST_F(SafetyCalibration, ALinkThatCannotBeFollowedStaysWhatItIs)
{
  fs::create_directories(file_.parent_path());
  fs::create_symlink(file_, file_);
  EXPECT_EQ(calibration().keep("machine", rates(30)).zero_copy, 30);
  EXPECT_TRUE(fs::is_symlink(file_));
}

TEST_F(SafetyCalibration, WhatCouldOnlyBeWrittenInPartIsTakenAway)
{
  write("");
  EXPECT_TRUE(test::succeeds_in_child([this] {
    const rlimit small = {100, 100};
    std::signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &small) != 0) return false;
    return calibration().keep("machine", rates(30)).zero_copy == 30;
  }));
  EXPECT_EQ(text(), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(file_.parent_path()), fs::directory_iterator()), 1);
}

TEST(SafetyCalibrationFile, IsInAnAbsoluteFolder)
{
  const auto is = [](const char* cache, const char* home, const std::string& expected) {
    return test::succeeds_in_child([&] {
      setenv("XDG_CACHE_HOME", cache, 1);
      setenv("HOME", home, 1);
      return default_calibration_file() == expected;
    });
  };
  EXPECT_TRUE(is("/c", "/h", "/c/gpuaes/rates.json"));
  EXPECT_TRUE(is("c", "/h", "/h/.cache/gpuaes/rates.json"));
  EXPECT_TRUE(is("", "/h", "/h/.cache/gpuaes/rates.json"));
  EXPECT_TRUE(is("c", "h", ""));
}

TEST_F(SafetyCalibration, WhereNothingCanBeWrittenOneIsAsGoodAsNone)
{
  write("");
  const CalibrationFile nowhere((file_ / "below a file").string());
  EXPECT_EQ(nowhere.keep("machine", rates(30)).zero_copy, 30);
  EXPECT_FALSE(nowhere.recall("machine"));
}

// As root it might be /dev/null.
TEST_F(SafetyCalibration, WhatIsNoRegularFileStaysWhatItIs)
{
  fs::create_directories(file_.parent_path());
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(calibration().recall("machine"));
  EXPECT_EQ(calibration().keep("machine", rates(30)).zero_copy, 30);
  EXPECT_TRUE(fs::is_fifo(file_));
  const CalibrationFile folder(file_.parent_path().string());
  EXPECT_EQ(folder.keep("machine", rates(30)).zero_copy, 30);
  EXPECT_TRUE(fs::is_directory(file_.parent_path()));
}

TEST_F(SafetyCalibration, LeavesNothingElseBehind)
{
  calibration().keep("machine", rates(40));
  EXPECT_EQ(std::distance(fs::directory_iterator(file_.parent_path()), fs::directory_iterator()), 1);
}

TEST_F(SafetyCalibration, TheProviderMeasuresAndRemembers)
{
  if (const std::string reason = test::why_skip(); !reason.empty()) GTEST_SKIP() << "no CUDA device: " << reason;
  for (int i = 0; i < 6; ++i) {
    const test::Library library = test::Library::with_gpuaes({{"startup", "load"}, {"calibration", file_.string()}});
    ASSERT_EQ(library.settled_state(), "ready");
    const std::string crossover = library.text("gpuaes.crossover");
    EXPECT_NE(crossover.find(i < 5 ? "\"measured\"" : "\"measured by earlier processes\""), std::string::npos) << i << crossover;
  }
}

}  // namespace
}  // namespace gpuaes
