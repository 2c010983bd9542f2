#include "report.h"

#include "advice.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>

namespace gpuaes::tool {
namespace {

using nlohmann::ordered_json;

// What a user of a device that works may yet want to know.
ordered_json notes_on(const InstalledProvider& provider)
{
  ordered_json notes = ordered_json::array();
  if (!provider.config_error().empty()) notes.push_back("OpenSSL finds an error in openssl.cnf: " + provider.config_error());
  if (!provider.loaded_by_config())
    notes.push_back("Programs don't load gpuaes by themselves: openssl.cnf doesn't activate it; conf/gpuaes.cnf is an example.");
  else if (!provider.preferred_by_config())
    notes.push_back(
        "Programs get AES from elsewhere unless they ask: default_properties = ?provider=gpuaes in openssl.cnf prefers it.");
  return notes;
}

}  // namespace

ordered_json make_report(const InstalledProvider& provider, bool usable)
{
  const bool loaded = provider.loaded();
  const std::string error = loaded ? provider.text("gpuaes.error") : "";
  const std::string state = loaded ? provider.text("gpuaes.state") : "not loaded";
  const std::string reason = !loaded ? provider.why_not_loaded() : error.empty() ? provider.text("gpuaes.reason") : error;
  const auto text = [&](const char* parameter) { return loaded ? ordered_json(provider.text(parameter)) : ordered_json(); };
  const auto document = [&](const char* parameter) { return loaded ? provider.document(parameter) : ordered_json(); };
  return {{"usable", usable},
          {"state", state},
          {"reason", reason},
          {"advice", advice_for(error.empty() ? state : "bad setting", reason)},
          {"notes", loaded ? notes_on(provider) : ordered_json::array()},
          {"version", text(OSSL_PROV_PARAM_VERSION)},
          {"build", text(OSSL_PROV_PARAM_BUILDINFO)},
          {"openssl", OpenSSL_version(OPENSSL_VERSION)},
          {"configuration",
           {{"file", provider.config_file()},
            {"loads_gpuaes", provider.loaded_by_config()},
            {"prefers_gpuaes", provider.preferred_by_config()}}},
          {"software", document("gpuaes.software")},
          {"devices", document("gpuaes.devices")},
          {"known_answers", document("gpuaes.known_answers")},
          {"settings", document("gpuaes.settings")},
          {"crossover", document("gpuaes.crossover")},
          {"counters", document("gpuaes.stats")}};
}

}  // namespace gpuaes::tool
