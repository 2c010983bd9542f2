#include "session.h"

#include <benchmark/benchmark.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace gpuaes::bench {
namespace {

OSSL_PROVIDER* provider = nullptr;

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
  provider = OSSL_PROVIDER_load(nullptr, "gpuaes");
  if (provider == nullptr) {
    std::fprintf(stderr, "gpuaes could not be loaded from %s\n", GPUAES_MODULE_DIR);
    return false;
  }
  while (state() == "starting") std::this_thread::sleep_for(std::chrono::milliseconds(10));
  benchmark::AddCustomContext("device", text_of(has_device() ? "gpuaes.device" : "gpuaes.reason"));
  benchmark::AddCustomContext("openssl", OpenSSL_version(OPENSSL_VERSION));
  benchmark::AddCustomContext("gpuaes", text_of("buildinfo"));
  return true;
}

bool has_device() { return state() == "ready"; }

}  // namespace gpuaes::bench
