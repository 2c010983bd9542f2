// A device that fails costs nothing but time.
#include "enc_run.h"
#include "match/usage_error.h"
#include "support/scale.h"

namespace gpuaes::enc {
namespace {

class EncFaults : public test::OnStandIn {
 protected:
  void SetUp() override
  {
    test::OnStandIn::SetUp();
    const test::Bytes plain = test::pattern(6001);
    input_ = folder_.write("plain", plain);
    expected_ = encrypted(kCiphers[5], plain);
  }
  void TearDown() override { host_faults::set({}); }

  Settings settings() const
  {
    Settings settings = settings_for(Who::device, kCiphers[5], input_, folder_ / "secret");
    settings.force = true;
    settings.threads = 2;
    return settings;
  }

  // Either the device couldn't be brought up, which is said and leaves nothing, or the result is right.
  void try_with(const host_faults::Plan& plan)
  {
    std::filesystem::remove(folder_ / "secret");
    host_faults::set(plan);
    try {
      const Ran ran = run(settings());
      EXPECT_EQ(ran.status, 0);
      EXPECT_EQ(test::first_difference(folder_.read("secret"), expected_), "");
      for (const std::string& message : ran.messages) EXPECT_NE(message.find("the processor did the rest"), std::string::npos);
      replaced_ += ran.messages.size();
    } catch (const match::UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("the device can't be used"), std::string::npos);
      EXPECT_EQ(folder_.files(), 1u);
    }
  }

  // Calls of a run in which nothing fails.
  std::size_t calls()
  {
    host_faults::set({});
    run(settings());
    return host_faults::calls();
  }

  const Folder folder_;
  std::string input_;
  test::Bytes expected_;
  std::size_t replaced_ = 0;  // devices that failed in the middle
};

TEST_F(EncFaults, FailingAnywhereChangesNothing)
{
  const std::size_t all = calls();
  for (const auto kind : {DeviceError::Kind::failed, DeviceError::Kind::lost, DeviceError::Kind::out_of_memory})
    for (const bool when_executed : {false, true})
      for (std::size_t at = 1; at <= all; at += test::scaled(3, 17)) {
        SCOPED_TRACE(at);
        try_with({.fail_at = at, .kind = kind, .when_executed = when_executed});
      }
  EXPECT_GT(replaced_, 10u);
}

TEST_F(EncFaults, WrongResultsAreFoundAndReplaced)
{
  for (std::size_t job = 1; job < 60; job += test::scaled(1, 5)) {
    SCOPED_TRACE(job);
    try_with({.corrupt_job = job});
  }
  EXPECT_GT(replaced_, 3u);
}

TEST_F(EncFaults, PipesGetTheRightOrder)
{
  const Folder folder;
  const std::size_t all = calls();
  for (std::size_t at = all / 2; at <= all; at += test::scaled(5, 23)) {
    SCOPED_TRACE(at);
    host_faults::set({.fail_at = at, .kind = DeviceError::Kind::lost, .when_executed = at % 2 == 0});
    Settings piped = settings();
    piped.output = "/proc/self/fd/";
    std::FILE* const reader = popen(("cat >" + (folder / "secret")).c_str(), "w");
    piped.output += std::to_string(fileno(reader));
    try {
      EXPECT_EQ(run(piped).status, 0);
      pclose(reader);
      EXPECT_EQ(test::first_difference(folder.read("secret"), expected_), "");
    } catch (const match::UsageError&) {
      pclose(reader);
    }
  }
}

TEST_F(EncFaults, DeviceThatIsNotThereIsAnError)
{
  Settings absent = settings();
  absent.device.ordinals = {7};
  EXPECT_THROW(run(absent), match::UsageError);
  EXPECT_EQ(folder_.files(), 1u);
}

}  // namespace
}  // namespace gpuaes::enc
