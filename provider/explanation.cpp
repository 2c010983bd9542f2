#include "explanation.h"

#include "provider_context.h"

#include "engine/crossover.h"
#include "engine/names.h"

#include <nlohmann/json.hpp>

namespace gpuaes {
namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); }

// 13010 is 13.1.
ordered_json cuda_version(int version)
{
  if (version == 0) return nullptr;
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

ordered_json rates_json(const std::vector<NamedRate>& rates)
{
  ordered_json json;
  for (const NamedRate& rate : rates) json[rate.name] = rate.value;
  return json;
}

ordered_json row_json(const CrossoverRow& row)
{
  ordered_json steps = ordered_json::array();
  for (const CrossoverStep& step : row.steps) {
    ordered_json json = {{"bytes", step.bytes}, {"route", text_or_null(step.route)}};
    json["device_seconds"] = step.device_seconds > 0 ? ordered_json(step.device_seconds) : ordered_json();
    json["cpu_seconds"] = step.cpu_seconds;
    steps.push_back(json);
  }
  return {{"algorithm", row.algorithm},
          {"in", name_of(row.in)},
          {"out", name_of(row.out)},
          {"in_place", row.in_place},
          {"steps", steps}};
}

}  // namespace

ordered_json settings_json(const ProviderContext& provider)
{
  ordered_json list = ordered_json::array();
  for (const SettingInForce& setting : provider.settings().in_force)
    list.push_back({{"name", setting.name}, {"value", setting.value}, {"origin", setting.origin}});
  return list;
}

ordered_json software_json(const ProviderContext& provider)
{
  const Engine* const engine = provider.engine_so_far();
  const Software software = engine != nullptr ? engine->software() : Software{};
  return {{"driver", text_or_null(software.driver)},
          {"driver_cuda", cuda_version(software.driver_cuda)},
          {"built_with_cuda", cuda_version(software.built_with_cuda)},
          {"devices_found", software.devices_found}};
}

ordered_json devices_json(const ProviderContext& provider)
{
  ordered_json list = ordered_json::array();
  const Engine* const engine = provider.engine_so_far();
  const std::optional<DeviceInfo> device = engine != nullptr ? engine->device_info() : std::nullopt;
  if (!device) return list;
  list.push_back({{"ordinal", device->ordinal},
                  {"name", device->name},
                  {"compute_capability",
                   std::to_string(device->compute_capability / 10) + "." + std::to_string(device->compute_capability % 10)},
                  {"multiprocessors", device->multiprocessors},
                  {"memory_bytes", device->memory_bytes}});
  return list;
}

ordered_json known_answers_json(const ProviderContext& provider)
{
  ordered_json list = ordered_json::array();
  const Engine* const engine = provider.engine_so_far();
  if (engine == nullptr) return list;
  for (const TestResult& result : engine->test_results()) list.push_back({{"test", result.test}, {"passed", result.passed}});
  return list;
}

ordered_json crossover_json(const ProviderContext& provider)
{
  const Engine* const engine = provider.engine_so_far();
  if (engine == nullptr) return ordered_json::object();
  const Policy policy = engine->policy();
  ordered_json table = ordered_json::array();
  for (const CrossoverRow& row : crossover_table(policy)) table.push_back(row_json(row));
  const RingShape ring = policy.ring_shape();
  return {{"rates_from", policy.rates_from},
          {"helper_threads", policy.helpers},
          {"rates", rates_json(named_rates(policy.rates))},
          {"crc16_rates", rates_json(named_rates(kBuiltInCrc16Rates))},
          {"keystream_ahead", {{"after_bytes", ring.bytes()}, {"slots", ring.slots}, {"slot_bytes", ring.slot_bytes}}},
          {"table", table}};
}

}  // namespace gpuaes
