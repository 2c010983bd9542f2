// Mixed work for minutes or hours, by many threads, in every kind of memory, with forks and, on the stand-in, a device that fails:
// every byte must be the default provider's, and the process may not hold more and more.
#include "soak.h"

#include "support/scale.h"
#include "support/test_device.h"

#include <malloc.h>
#include <CLI/CLI.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <exception>

namespace gpuaes::test {
namespace {

// Calls reach the device from a size on at which the stand-in isn't tediously slow, and streams get keystream soon.
const Settings kOnStandIn = {{"min_bytes", "16k"}, {"keystream_ahead", "256k"}, {"helper_threads", "2"}, {"startup", "load"}};
// As users have it, but from the start.
const Settings kOnCuda = {{"startup", "load"}};

int run(int argc, char** argv)
{
  SoakOptions options;
  std::string device = "host";
  CLI::App app("Soaks gpuaes: mixed work, compared with the default provider. Exit status 0 if all was right and nothing grew.");
  app.add_option("--minutes", options.minutes, "How long (10)")->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.rounds, "How many rounds, instead: the same work each time");
  app.add_option("--threads", options.threads, "Threads at work (4)")->check(CLI::Range(1, 1024));
  app.add_option("--seed", options.seed, "What the work follows from (1)");
  app.add_option("--largest", options.largest, "Bytes of the largest call (64m)")->transform(CLI::AsSizeValue(false));
  app.add_option("--device", device, "host, the stand-in, or cuda (host)")->check(CLI::IsMember({"host", "cuda"}));
  app.add_flag("--faults", options.faults, "Have the stand-in fail in most rounds");
  CLI11_PARSE(app, argc, argv);
  if (options.minutes == 0 && options.rounds == 0) options.minutes = 10;
  options.largest = std::bit_floor(std::max<std::size_t>(options.largest, 1));
  if (options.faults && device != "host") {
    std::fprintf(stderr, "soak: --faults needs --device host: only the stand-in fails when it is told to\n");
    return 2;
  }
  // malloc would keep large blocks in each thread's arena, and more of them as it learns; so they go back when they are freed.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  choose_test_device(device);
  Settings settings = on_cuda() ? kOnCuda : kOnStandIn;
  settings["device"] = test_device_name();
  if (!on_cuda()) {
    options.pinned_bytes = std::int64_t{64} << 20;
    options.device_bytes = std::int64_t{128} << 20;
  }
  settings["pinned_bytes"] = std::to_string(options.pinned_bytes);
  settings["device_bytes"] = std::to_string(options.device_bytes);
  const SettingsInForce in_force(settings);

  std::printf("soak: %zu threads, seed %llu, calls of up to %zu bytes, on %s%s%s\n", options.threads,
              static_cast<unsigned long long>(options.seed), options.largest, test_device_name(),
              options.faults ? ", with faults" : "", kSanitized ? ", with a sanitizer" : "");
  const std::string wrong = Soak(options).run();
  std::printf("%s\n", wrong.empty() ? "all was right, and nothing grew" : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace gpuaes::test

int main(int argc, char** argv)
{
  try {
    return gpuaes::test::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 1;
  }
}
