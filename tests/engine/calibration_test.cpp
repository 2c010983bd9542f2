// Measuring the machine, and what the engine does with the figures.
#include "engine/calibration.h"
#include "engine/engine.h"

#include "host/host_faults.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

namespace gpuaes {
namespace {

using namespace std::chrono_literals;

void copy_only(AesMode, int, const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) { std::memmove(to, from, bytes); }

class CalibrationTest : public test::OnDevice<> {
 protected:
  void SetUp() override
  {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    platform_ = test::make_test_platform();
    device_ = platform_->open({}, [] {});
  }
  void TearDown() override { host_faults::set({}); }

  std::unique_ptr<Platform> platform_;
  std::unique_ptr<Device> device_;
  Helpers helpers_{2};
};

TEST_F(CalibrationTest, MeasuresEveryRate)
{
  Rates measured = measure(*device_, helpers_, copy_only, 60s);
  Rates reference = kCalibratedOnReference;
  const auto found = rates_by_name(measured);
  const auto expected = rates_by_name(reference);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(std::isfinite(*found[i].second)) << found[i].first;
    EXPECT_GT(*found[i].second, 0) << found[i].first;
    EXPECT_NE(*found[i].second, *expected[i].second) << found[i].first;
  }
}

TEST_F(CalibrationTest, WithoutTimeThisIsTheReferenceMachine)
{
  Rates rates = calibrate(measure(*device_, helpers_, copy_only, 0ns), kBuiltInRates);
  Rates built_in = kBuiltInRates;
  const auto before = rates_by_name(built_in);
  const auto after = rates_by_name(rates);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(*before[i].second, *after[i].second) << before[i].first;
}

TEST_F(CalibrationTest, AMachineTwiceAsFastHasTwiceTheRate)
{
  Rates measured = kCalibratedOnReference;
  measured.zero_copy *= 2;
  measured.cpu[2][0] /= 2;
  const Rates rates = calibrate(measured, kBuiltInRates);
  EXPECT_DOUBLE_EQ(rates.zero_copy, 2 * kBuiltInRates.zero_copy);
  EXPECT_DOUBLE_EQ(rates.cpu[2][0], kBuiltInRates.cpu[2][0] / 2);
  EXPECT_DOUBLE_EQ(rates.link_one_way, kBuiltInRates.link_one_way);
}

TEST_F(CalibrationTest, AFailingDeviceIsToldOf)
{
  if (test::on_cuda()) GTEST_SKIP() << "faults can only be put into the stand-in";
  for (const std::size_t fail_at : {1u, 5u, 20u}) {
    host_faults::set({.fail_at = fail_at});
    EXPECT_THROW(measure(*device_, helpers_, copy_only, 60s), DeviceError);
    host_faults::set({});
  }
}

Rates recognisable(double figure)
{
  Rates rates = kCalibratedOnReference;
  rates.zero_copy *= figure / kBuiltInRates.zero_copy;
  return rates;
}

class CalibratedEngine : public test::OnDevice<> {
 protected:
  static Options options(Mode mode = Mode::automatic)
  {
    Options options;
    options.mode = mode;
    options.helper_threads = 1;
    options.startup.when = Startup::When::on_load;
    return options;
  }

  static const Policy& policy_when_ready(Engine& engine)
  {
    EXPECT_TRUE(engine.start_and_wait(60s)) << engine.reason();
    return engine.policy();
  }
};

TEST_F(CalibratedEngine, GoesByWhatIsRemembered)
{
  std::atomic<int> measurements{0};
  std::string machine;
  Engine engine(options(), test::make_test_platform(),
                {.cipher = [&](auto...) { ++measurements; },
                 .recall =
                     [&](const std::string& asked) {
                       machine = asked;
                       return std::optional(recognisable(7));
                     },
                 .keep = [](const std::string&, const Rates& rates) { return rates; }});
  const Policy& policy = policy_when_ready(engine);
  EXPECT_DOUBLE_EQ(policy.rates.zero_copy, 7);
  EXPECT_EQ(policy.rates_from, "measured by earlier processes");
  EXPECT_NE(machine.find(engine.device_name()), std::string::npos) << machine;
  EXPECT_EQ(measurements.load(), 0);
}

TEST_F(CalibratedEngine, MeasuresWhatIsNotAndHandsItOn)
{
  Engine engine(options(), test::make_test_platform(),
                {.cipher = copy_only,
                 .recall = [](const std::string&) { return std::optional<Rates>(); },
                 .keep = [](const std::string&, const Rates&) { return recognisable(9); }});
  const Policy& policy = policy_when_ready(engine);
  EXPECT_DOUBLE_EQ(policy.rates.zero_copy, 9);
  EXPECT_EQ(policy.rates_from, "measured");
}

TEST_F(CalibratedEngine, ThresholdsFollowTheRates)
{
  Rates hopeless = kCalibratedOnReference;
  hopeless.direct_latency_ns = hopeless.copied_latency_ns = hopeless.helpers_latency_ns = 1e15;
  Engine engine(options(), test::make_test_platform(),
                {.cipher = copy_only, .recall = [&](const std::string&) { return std::optional(hopeless); }});
  policy_when_ready(engine);
  EXPECT_EQ(engine.smallest_offers(AesMode::ctr, 14).of(true), ~std::size_t{0});
  EXPECT_EQ(engine.smallest_offers(AesMode::ctr, 14).of(false), ~std::size_t{0});
}

TEST_F(CalibratedEngine, WhereNoPolicyDecidesNothingIsMeasured)
{
  Engine engine(options(Mode::always), test::make_test_platform(),
                {.cipher = copy_only, .recall = [](const std::string&) { return std::optional(recognisable(7)); }});
  EXPECT_EQ(policy_when_ready(engine).rates_from, "built-in");
}

}  // namespace
}  // namespace gpuaes
