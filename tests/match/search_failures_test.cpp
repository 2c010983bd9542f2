// What goes wrong costs nothing but time: failing devices, files that can't be read, output that can't be written.
#include "search_run.h"
#include "support/scale.h"

#include <fcntl.h>

namespace gpuaes::match {
namespace {

using test::Bytes;
using test::literal;

class SearchFailures : public test::OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }
};

TEST_F(SearchFailures, DeviceThatFailsAnywhereChangesNothing)
{
  const Bytes text = test::random_text(5'000, "ab", 1);
  const std::vector<BytePattern> patterns = {literal("abbab"), literal("aaaa"), literal("b")};
  const std::string expected = expected_output(text, patterns);
  const MemoryFile file(text);
  for (const auto kind : {DeviceError::Kind::failed, DeviceError::Kind::lost, DeviceError::Kind::out_of_memory})
    for (const bool when_executed : {false, true}) {
      Settings settings = settings_for(Who::both, patterns);
      settings.cpu_starts = settings.device_starts = 300;
      settings.files = {file.path()};
      settings.threads = 2;
      for (std::size_t at = 1; at < 90; at += test::scaled(at < 40 ? 3 : 7, 13)) {
        host_faults::set({.fail_at = at, .kind = kind, .when_executed = when_executed});
        const Ran ran = run(settings);
        EXPECT_EQ(ran.output, expected) << at;
        EXPECT_EQ(ran.status, 0) << at;
      }
    }
}

TEST_F(SearchFailures, DeviceThatIsLostInTheMiddleOfAloneIsReplaced)
{
  const Bytes text = test::random_text(50'000, "ab", 2);
  const std::vector<BytePattern> patterns = {literal("abbabaa")};
  const MemoryFile file(text);
  Settings settings = settings_for(Who::device, patterns);
  settings.files = {file.path()};
  settings.stats = true;
  host_faults::set({.fail_at = 120, .kind = DeviceError::Kind::lost});
  const Ran ran = run(settings);
  EXPECT_EQ(ran.output, expected_output(text, patterns));
  EXPECT_EQ(ran.status, 0);
  EXPECT_GE(ran.messages.size(), 1u);
  EXPECT_NE(ran.messages.front().find("Fault injected"), std::string::npos) << ran.messages.front();
}

TEST_F(SearchFailures, DeviceAskedForThatIsNotThereIsAnError)
{
  Settings settings = settings_for(Who::device, {literal("x")});
  settings.device.ordinals = {7};
  settings.files = {"/dev/null"};
  EXPECT_THROW(run(settings), std::exception);
}

TEST(SearchInputs, OneThatCannotBeReadDoesNotStopTheOthers)
{
  const MemoryFile good(Bytes(10, 'x'));
  Settings settings = settings_for(Who::cpu, {literal("x")});
  settings.report.answer = Answer::counts;
  settings.files = {"/nonexistent", good.path(), "/"};
  const Ran ran = run(settings);
  EXPECT_EQ(ran.output, "10\n");
  EXPECT_EQ(ran.status, 2);
  ASSERT_EQ(ran.messages.size(), 2u);
  EXPECT_EQ(ran.messages[0], "/nonexistent: No such file or directory");
  EXPECT_EQ(ran.messages[1].substr(0, 2), "/:");
}

TEST(SearchInputs, AReadErrorInTheMiddleIsAnError)
{
  Settings settings = settings_for(Who::cpu, {literal("x")});
  settings.files = {"/proc/self/mem"};  // opens, and then can't be read at its beginning
  const Ran ran = run(settings);
  EXPECT_EQ(ran.status, 2);
  ASSERT_EQ(ran.messages.size(), 1u);
  EXPECT_EQ(ran.messages[0], "/proc/self/mem: Input/output error");
}

TEST(SearchOutput, ThatCannotBeWrittenIsAnError)
{
  const MemoryFile file(Bytes(1'000'000, 'x'));
  Settings settings = settings_for(Who::cpu, {literal("x")});
  settings.cpu_starts = 1000;
  settings.files = {file.path()};
  const int full = open("/dev/full", O_WRONLY);
  std::vector<std::string> messages;
  const Outcome outcome = search(settings, full, [&](const std::string& line) { messages.push_back(line); });
  close(full);
  EXPECT_EQ(outcome.status, 2);
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages[0].find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace gpuaes::match
