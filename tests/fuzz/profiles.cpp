#include "profiles.h"

#include "host/host_faults.h"
#include "support/both.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace gpuaes::test {
namespace {

const Profile kProfiles[] = {
    {.settings = {{"min_bytes", "1"}, {"keystream_ahead", "off"}, {"helper_threads", "0"}, {"verify", "off"}}},
    {.settings = {{"min_bytes", "1"}, {"keystream_ahead", "1k"}, {"helper_threads", "2"}, {"verify", "all"}}},
    {.settings = {{"min_bytes", "100"}, {"keystream_ahead", "64"}, {"helper_threads", "1"}}},
    {.settings = {{"min_bytes", "1g"}, {"keystream_ahead", "64"}, {"helper_threads", "0"}}, .offers_host = false},
    {.settings = {{"min_bytes", "1g"}, {"keystream_ahead", "2k"}, {"verify", "all"}}, .offers_host = false},
    {.settings = {{"min_bytes", "16"}, {"keystream_ahead", "256"}, {"pinned_bytes", "8m"}, {"device_bytes", "8m"}}},
    {.settings = {{"mode", "always"}, {"verify", "all"}, {"helper_threads", "1"}}, .faults = false},
    {.settings = {{"mode", "always"}, {"verify", "off"}, {"keystream_ahead", "off"}}, .faults = false},
    {.settings = {{"mode", "never"}}, .device_memory = false, .faults = false, .offers_host = false},
};

struct Prepared {
  std::unique_ptr<Library> library;
  std::size_t device = 0;  // the number of the stand-in's that it uses
};

const Prepared& prepare(const Profile& profile, bool faulty)
{
  // Not freed at the end: OpenSSL is gone when static objects are destroyed.
  static auto& all = *new std::map<std::pair<const Profile*, bool>, Prepared>;
  Prepared& prepared = all[{&profile, faulty}];
  std::unique_ptr<Library>& library = prepared.library;
  if (library != nullptr && profile.device_memory && library->text("gpuaes.state") != "ready") library.reset();
  if (library == nullptr) {
    Settings settings = profile.settings;
    settings["startup"] = "load";
    library = std::make_unique<Library>(Library::with_gpuaes(settings));
    if (profile.device_memory && library->settled_state() != "ready") throw std::runtime_error("the stand-in isn't ready");
    prepared.device = host_faults::last_device();
  }
  return prepared;
}

}  // namespace

Setup::Setup(FuzzedDataProvider& input, SampleFinds sample_finds)
    : profile_(kProfiles[input.ConsumeIntegralInRange<std::size_t>(0, std::size(kProfiles) - 1)]),
      faulty_(profile_.faults && input.ConsumeIntegralInRange(0, 3) == 0)
{
  const Prepared& prepared = prepare(profile_, faulty_);
  library_ = prepared.library.get();
  steps_so_far().clear();
  for (const auto& [key, value] : profile_.settings) steps_so_far().push_back(key + " = " + value);
  if (!faulty_) return;
  // Other libraries' threads may still be at what inputs before this one have left them, and must not meet the fault: what it
  // spoils shows when there is none any more.
  host_faults::Plan plan{.device = prepared.device};
  plan.kind = input.PickValueInArray({DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost});
  plan.when_executed = input.ConsumeBool();
  const auto verify = profile_.settings.find("verify");
  const bool finds = verify == profile_.settings.end() ? sample_finds == SampleFinds::every : verify->second == "all";
  (finds && input.ConsumeBool() ? plan.corrupt_job : plan.fail_at) = input.ConsumeIntegralInRange<std::size_t>(1, 40);
  host_faults::set(plan);
  steps_so_far().push_back("fault: call " + std::to_string(plan.fail_at) + ", kind " + std::to_string(static_cast<int>(plan.kind)) +
                           (plan.when_executed ? ", when executed" : "") + ", wrong job " + std::to_string(plan.corrupt_job));
}

Setup::~Setup()
{
  if (faulty_) host_faults::set({});
}

int must_agree(const std::function<void()>& work)
{
  try {
    work();
    return 0;
  } catch (const Difference& difference) {
    for (const std::string& step : steps_so_far()) std::fprintf(stderr, "%s\n", step.c_str());
    std::fprintf(stderr, "%s\n", difference.what());
    std::abort();
  }
}

}  // namespace gpuaes::test
