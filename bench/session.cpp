#include "session.h"

#include "energy.h"

#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

namespace gpuaes::bench {
namespace {

OSSL_PROVIDER* provider = nullptr;
std::atomic<bool> failed{false};

const char* text_of(const char* key)
{
  char* text = nullptr;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(key, &text, 0), OSSL_PARAM_construct_end()};
  return OSSL_PROVIDER_get_params(provider, params) == 1 && text != nullptr ? text : "";
}

std::string_view state() { return text_of("gpuaes.state"); }

}  // namespace

bool start_session()
{
  setenv("GPUAES_STARTUP", "load", 0);
  OSSL_PROVIDER_set_default_search_path(nullptr, GPUAES_MODULE_DIR);
  OSSL_PROVIDER_load(nullptr, "default");
  const auto start = std::chrono::steady_clock::now();
  provider = OSSL_PROVIDER_load(nullptr, "gpuaes");
  if (provider == nullptr) {
    std::fprintf(stderr, "gpuaes could not be loaded from %s\n", GPUAES_MODULE_DIR);
    return false;
  }
  while (state() == "starting") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::chrono::duration<double> bring_up = std::chrono::steady_clock::now() - start;
  benchmark::AddCustomContext("device", text_of(has_device() ? "gpuaes.device" : "gpuaes.reason"));
  if (has_device()) benchmark::AddCustomContext("bring-up, seconds", std::to_string(bring_up.count()));
  benchmark::AddCustomContext("energy", how_energy_is_known());
  benchmark::AddCustomContext("openssl", OpenSSL_version(OPENSSL_VERSION));
  benchmark::AddCustomContext("gpuaes", text_of("buildinfo"));
  return true;
}

bool has_device() { return state() == "ready"; }

Ways ways_so_far() { return nlohmann::json::parse(text_of("gpuaes.reasons")).get<Ways>(); }

std::string most_frequent_way_since(const Ways& before)
{
  std::string most;
  std::uint64_t calls = 0;
  for (const auto& [way, count] : ways_so_far())
    if (count - before.at(way) > calls) {
      most = way;
      calls = count - before.at(way);
    }
  return most;
}

bool gives_right_output(const std::string& name, const std::function<bool()>& is_right)
{
  static std::map<std::string, bool> answers;
  const auto found = answers.find(name);
  return found != answers.end() ? found->second : answers.emplace(name, is_right()).first->second;
}

void fail(benchmark::State& state, const std::string& what)
{
  failed.store(true);
  std::fprintf(stderr, "%s\n", what.c_str());
  state.SkipWithError(what.c_str());
}

int run_session(int argc, char** argv)
{
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return failed.load() ? 1 : 0;
}

}  // namespace gpuaes::bench
