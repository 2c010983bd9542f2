#include "status.h"

#include "explanation.h"
#include "provider_context.h"

#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace gpuaes {
namespace {

const OSSL_PARAM kGettable[] = {OSSL_PARAM_DEFN(OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN(OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN(OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN(OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.error", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.state", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.reason", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.device", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.stats", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.reasons", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.settings", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.software", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.devices", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.known_answers", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_DEFN("gpuaes.crossover", OSSL_PARAM_UTF8_PTR, nullptr, 0),
                                OSSL_PARAM_uint64("gpuaes.calls.device", nullptr),
                                OSSL_PARAM_uint64("gpuaes.calls.keystream", nullptr),
                                OSSL_PARAM_uint64("gpuaes.calls.default", nullptr),
                                OSSL_PARAM_uint64("gpuaes.bytes.device", nullptr),
                                OSSL_PARAM_uint64("gpuaes.bytes.keystream", nullptr),
                                OSSL_PARAM_uint64("gpuaes.bytes.default", nullptr),
                                OSSL_PARAM_uint64("gpuaes.device_errors", nullptr),
                                OSSL_PARAM_uint64("gpuaes.redone_on_cpu", nullptr),
                                OSSL_PARAM_uint64("gpuaes.verify_failures", nullptr),
                                OSSL_PARAM_uint64("gpuaes.rings_started", nullptr),
                                OSSL_PARAM_uint64("gpuaes.pinned_bytes_held", nullptr),
                                OSSL_PARAM_uint64("gpuaes.device_bytes_held", nullptr),
                                OSSL_PARAM_END};

nlohmann::ordered_json counters_json(const ProviderContext& provider)
{
  using nlohmann::ordered_json;
  Engine* const engine = provider.engine_so_far();
  const Settings& settings = provider.settings();
  static const Counters kNone;
  const Counters& counters = engine != nullptr ? engine->counters() : kNone;

  std::string state = name_of(engine != nullptr ? engine->state() : State::idle);
  std::string reason = engine != nullptr ? engine->reason() : "Nothing has been used yet.";
  if (!settings.error.empty()) reason = settings.error;
  if (provider.inert()) {
    state = "inert";
    reason = provider.why_inert();
  }

  const auto by_carrier = [](const auto& values) {
    const auto value = [&](Carrier carrier) { return values[static_cast<std::size_t>(carrier)].load(std::memory_order_relaxed); };
    return ordered_json{
        {"device", value(Carrier::device)}, {"keystream", value(Carrier::keystream)}, {"default", value(Carrier::fallback)}};
  };
  ordered_json reasons;
  for (std::size_t i = 0; i < kReasons; ++i) reasons[name_of(static_cast<Reason>(i))] = counters.reasons[i].load();
  return {{"version", GPUAES_VERSION},
          {"state", state},
          {"reason", reason},
          {"device", engine != nullptr ? engine->device_name() : ""},
          {"calls", by_carrier(counters.calls)},
          {"bytes", by_carrier(counters.bytes)},
          {"device_errors", counters.device_errors.load()},
          {"redone_on_cpu", counters.redone_on_cpu.load()},
          {"verify_failures", counters.verify_failures.load()},
          {"rings_started", counters.rings_started.load()},
          {"pinned_bytes_held", engine != nullptr ? engine->lanes().pinned_held() : 0},
          {"device_bytes_held", engine != nullptr ? engine->lanes().device_held() : 0},
          {"reasons", reasons}};
}

// What isn't UTF-8 in the environment can't be told as it is.
std::string text_of(const nlohmann::ordered_json& json, int indent = -1)
{
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// The value of "gpuaes.a.b" is that of b in a.
const nlohmann::ordered_json* look_up(const nlohmann::ordered_json& json, std::string_view key)
{
  constexpr std::string_view kPrefix = "gpuaes.";
  if (!key.starts_with(kPrefix)) return nullptr;
  const nlohmann::ordered_json* value = &json;
  for (key.remove_prefix(kPrefix.size()); !key.empty();) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    const auto member = value->find(std::string(key.substr(0, dot)));
    if (!value->is_object() || member == value->end()) return nullptr;
    value = &*member;
    key.remove_prefix(std::min(dot + 1, key.size()));
  }
  return value;
}

// The parameters that are JSON.
struct Document {
  const char* name;
  nlohmann::ordered_json (*make)(const ProviderContext& provider);
};

constexpr Document kDocuments[] = {
    {"gpuaes.stats", counters_json},
    {"gpuaes.reasons", [](const ProviderContext& provider) { return counters_json(provider)["reasons"]; }},
    {"gpuaes.settings", settings_json},
    {"gpuaes.software", software_json},
    {"gpuaes.devices", devices_json},
    {"gpuaes.known_answers", known_answers_json},
    {"gpuaes.crossover", crossover_json}};

// Copied to a caller who brings room, kept until the next question for one who asks for a pointer.
bool set_document(ProviderContext& provider, const std::string& text, OSSL_PARAM& param)
{
  if (param.data_type == OSSL_PARAM_UTF8_STRING) return OSSL_PARAM_set_utf8_string(&param, text.c_str()) == 1;
  return OSSL_PARAM_set_utf8_ptr(&param, provider.texts().keep_latest(param.key, text)) == 1;
}

bool set(ProviderContext& provider, const nlohmann::ordered_json& json, OSSL_PARAM& param)
{
  const std::string_view key(param.key);
  const auto text = [&](const std::string& value) { return OSSL_PARAM_set_utf8_ptr(&param, provider.texts().keep(value)) == 1; };
  const std::string& error = provider.settings().error;
  if (key == OSSL_PROV_PARAM_NAME) return text("gpuaes: AES and CRC-16 on NVIDIA GPUs");
  if (key == OSSL_PROV_PARAM_VERSION) return text(GPUAES_VERSION);
  if (key == OSSL_PROV_PARAM_BUILDINFO) return text(GPUAES_BUILD_INFO);
  if (key == OSSL_PROV_PARAM_STATUS) return OSSL_PARAM_set_int(&param, error.empty() && !provider.inert() ? 1 : 0) == 1;
  if (key == "gpuaes.error") return text(error);
  for (const Document& document : kDocuments)
    if (key == document.name) return set_document(provider, text_of(document.make(provider)), param);
  const nlohmann::ordered_json* const value = look_up(json, key);
  if (value == nullptr) return true;  // not ours: left untouched, as OpenSSL asks
  if (value->is_string()) return text(value->get<std::string>());
  return !value->is_number() || OSSL_PARAM_set_uint64(&param, value->get<std::uint64_t>()) == 1;
}

}  // namespace

const OSSL_PARAM* gettable_provider_params() { return kGettable; }

bool get_provider_params(ProviderContext& provider, OSSL_PARAM params[])
{
  const nlohmann::ordered_json json = counters_json(provider);
  for (OSSL_PARAM* param = params; param != nullptr && param->key != nullptr; ++param)
    if (!set(provider, json, *param)) return false;
  return true;
}

bool write_counters(const ProviderContext& provider, const std::string& file)
{
  const std::string json = text_of(counters_json(provider), 2) + "\n";
  // Not by streams, which would bring all locales of the C++ library into the module.
  if (file == "-") {
    std::fputs(json.c_str(), stderr);
    return false;
  }
  std::string name = file;
  for (std::size_t at = 0; (at = name.find("%p", at)) != std::string::npos;) name.replace(at, 2, std::to_string(getpid()));
  // A FIFO that nobody reads would hold up the process's end.
  const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
  const auto close = [](std::FILE* stream) { std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> stream(descriptor < 0 ? nullptr : fdopen(descriptor, "w"));
  if (stream == nullptr) return true;
  std::fputs(json.c_str(), stream.get());
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace gpuaes
