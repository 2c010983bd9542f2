#include "energy.h"

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace gpuaes::bench {
namespace {

constexpr auto kBetweenSamples = std::chrono::milliseconds(20);

// The few functions of nvml.h that are needed; 0 is success.
class Nvml {
 public:
  Nvml()
  {
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return;
    const auto init = find<int()>(library, "nvmlInit_v2");
    const auto handle = find<int(unsigned, void**)>(library, "nvmlDeviceGetHandleByIndex_v2");
    counter_ = find<int(void*, unsigned long long*)>(library, "nvmlDeviceGetTotalEnergyConsumption");
    power_ = find<int(void*, unsigned*)>(library, "nvmlDeviceGetPowerUsage");
    if (init == nullptr || handle == nullptr || init() != 0 || handle(0, &device_) != 0) device_ = nullptr;
  }

  std::optional<double> joules_by_counter() const
  {
    unsigned long long millijoules = 0;
    if (device_ == nullptr || counter_ == nullptr || counter_(device_, &millijoules) != 0) return std::nullopt;
    return static_cast<double>(millijoules) / 1e3;
  }

  std::optional<double> watts() const
  {
    unsigned milliwatts = 0;
    if (device_ == nullptr || power_ == nullptr || power_(device_, &milliwatts) != 0) return std::nullopt;
    return milliwatts / 1e3;
  }

 private:
  template <typename Function>
  static Function* find(void* library, const char* name)
  {
    return reinterpret_cast<Function*>(dlsym(library, name));
  }

  void* device_ = nullptr;
  int (*counter_)(void*, unsigned long long*) = nullptr;
  int (*power_)(void*, unsigned*) = nullptr;
};

const Nvml& nvml()
{
  static const Nvml nvml;
  return nvml;
}

// Adds up what the card draws, for drivers without a counter. Its thread ends with the process.
double joules_by_samples()
{
  static std::atomic<double> joules{0};
  static const bool started = [] {
    std::thread([] {
      for (auto last = std::chrono::steady_clock::now();;) {
        std::this_thread::sleep_for(kBetweenSamples);
        const auto now = std::chrono::steady_clock::now();
        joules.store(joules.load() + nvml().watts().value_or(0) * std::chrono::duration<double>(now - last).count());
        last = now;
      }
    }).detach();
    return true;
  }();
  return started ? joules.load() : 0;
}

}  // namespace

std::optional<double> gpu_joules()
{
  if (const auto joules = nvml().joules_by_counter()) return joules;
  if (nvml().watts()) return joules_by_samples();
  return std::nullopt;
}

std::string how_energy_is_known()
{
  if (nvml().joules_by_counter()) return "NVML's energy counter";
  if (nvml().watts()) return "NVML's power, every 20 ms";
  return "not known: no NVML, or it doesn't tell";
}

}  // namespace gpuaes::bench
