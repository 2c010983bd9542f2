#include "test_device.h"

#include "cuda_memory.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>

namespace gpuaes::test {
namespace {

// All GPUAES_ variables, taken out of the environment before anything runs: the provider would report GPUAES_TEST_... as unknown
// settings, and others would change what is tested.
std::map<std::string, std::string>& variables()
{
  static std::map<std::string, std::string> taken = [] {
    std::map<std::string, std::string> found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      const std::string_view variable(*entry);
      const std::size_t equals = variable.find('=');
      if (variable.starts_with("GPUAES_") && equals != std::string_view::npos)
        found.emplace(variable.substr(0, equals), variable.substr(equals + 1));
    }
    for (const auto& [name, value] : found) unsetenv(name.c_str());
    return found;
  }();
  return taken;
}

[[maybe_unused]] const auto& taken_at_start = variables();

}  // namespace

std::string test_variable(const std::string& name, const std::string& otherwise)
{
  const auto found = variables().find("GPUAES_TEST_" + name);
  return found == variables().end() ? otherwise : found->second;
}

unsigned test_seed()
{
  const auto seed = static_cast<unsigned>(std::stoul(test_variable("SEED", "20240229")));
  std::printf("seed: GPUAES_TEST_SEED=%u\n", seed);
  return seed;
}

bool on_cuda()
{
  const std::string name = test_variable("DEVICE", "host");
  if (name != "host" && name != "cuda") throw std::invalid_argument("GPUAES_TEST_DEVICE is neither host nor cuda: " + name);
  return name == "cuda";
}

void choose_test_device(const std::string& name) { variables()["GPUAES_TEST_DEVICE"] = name; }

const char* test_device_name() { return on_cuda() ? "cuda" : "host"; }

std::unique_ptr<Platform> make_test_platform() { return on_cuda() ? make_cuda_platform() : make_host_platform(); }

std::string why_skip()
{
  if (!on_cuda()) return "";
  static const std::string reason = why_no_cuda();
  return reason;
}

}  // namespace gpuaes::test
