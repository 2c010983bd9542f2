// The report for people.
#include "report.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <tuple>
#include <vector>

namespace gpuaes::tool {
namespace {

using nlohmann::ordered_json;

std::string text_or(const ordered_json& json, const char* otherwise)
{
  return json.is_string() && !json.get<std::string>().empty() ? json.get<std::string>() : otherwise;
}

void print_head(std::ostream& out, const ordered_json& report)
{
  out << "state     " << report["state"].get<std::string>() << ": " << report["reason"].get<std::string>() << "\n";
  if (!report["advice"].get<std::string>().empty()) out << "to do     " << report["advice"].get<std::string>() << "\n";
  for (const ordered_json& note : report["notes"]) out << "note      " << note.get<std::string>() << "\n";
  if (report["build"].is_string()) out << "build     " << report["build"].get<std::string>() << "\n";
  out << "OpenSSL   " << report["openssl"].get<std::string>() << ", configured by "
      << text_or(report["configuration"]["file"], "no file") << "\n";
}

void print_devices(std::ostream& out, const ordered_json& report)
{
  const ordered_json& software = report["software"];
  for (const ordered_json& device : report["devices"])
    out << "device    " << device["ordinal"] << " of " << software["devices_found"] << ": " << device["name"].get<std::string>()
        << ", compute capability " << device["compute_capability"].get<std::string>() << ", "
        << text_of_bytes(device["memory_bytes"].get<double>()) << "\n";
  const std::string driver_cuda = text_or(software["driver_cuda"], "");
  out << "driver    " << text_or(software["driver"], "none") << (driver_cuda.empty() ? "" : ", for CUDA " + driver_cuda)
      << "; built "
      << (software["built_with_cuda"].is_null() ? "without CUDA" : "with CUDA " + text_or(software["built_with_cuda"], "?"))
      << "\n";
  if (report["known_answers"].empty()) return;
  std::string failed;
  for (const ordered_json& result : report["known_answers"])
    if (!result["passed"].get<bool>()) failed += (failed.empty() ? "" : ", ") + result["test"].get<std::string>();
  out << "tests     " << report["known_answers"].size() << " known answers, "
      << (failed.empty() ? "all of them given" : "but not for " + failed) << "\n";
}

void print_settings(std::ostream& out, const ordered_json& settings)
{
  out << "\nSettings\n";
  for (const ordered_json& setting : settings)
    out << "  " << std::left << std::setw(18) << setting["name"].get<std::string>() << std::setw(14)
        << text_or(setting["value"], "(none)") << setting["origin"].get<std::string>() << "\n";
}

// "AES-256-ECB-decrypt" without its key size.
std::string without_key_bits(const std::string& algorithm)
{
  return algorithm.starts_with("AES-") ? algorithm.substr(0, 4) + algorithm.substr(8) : algorithm;
}

std::string memory_of(const ordered_json& row)
{
  const std::string in = row["in"].get<std::string>(), out = row["out"].get<std::string>();
  return (in == out ? in : in + " to " + out) + (row["in_place"].get<bool>() ? ", in place" : "");
}

constexpr std::size_t kKeyLengths = 3;

// One way to do calls of one algorithm on one kind of memory.
struct Way {
  std::string algorithm, memory, route;
  std::array<std::string, kKeyLengths> from;  // by length of the key
};

std::vector<Way> ways_of(const ordered_json& table)
{
  std::vector<Way> ways;
  for (const ordered_json& row : table) {
    const std::string algorithm = row["algorithm"].get<std::string>();
    const std::size_t key = algorithm.starts_with("AES-192") ? 1 : algorithm.starts_with("AES-256") ? 2 : 0;
    for (const ordered_json& step : row["steps"]) {
      const bool first = step == row["steps"][0];
      if (first && step["route"].is_null() && row["steps"].size() > 1) continue;
      Way way{without_key_bits(algorithm), memory_of(row), text_or(step["route"], "default"), {}};
      auto same = std::find_if(ways.begin(), ways.end(), [&](const Way& other) {
        return std::tie(way.algorithm, way.memory, way.route) == std::tie(other.algorithm, other.memory, other.route);
      });
      if (same == ways.end()) same = ways.insert(ways.end(), way);
      same->from[key] = first ? "all" : text_of_bytes(step["bytes"].get<double>());
    }
  }
  // Those of an algorithm together, in the order of their first lines.
  const auto rank = [&](const Way& way) {
    return std::find_if(table.begin(), table.end(),
                        [&](const ordered_json& row) {
                          return without_key_bits(row["algorithm"].get<std::string>()) == way.algorithm &&
                                 memory_of(row) == way.memory;
                        }) -
           table.begin();
  };
  std::stable_sort(ways.begin(), ways.end(), [&](const Way& a, const Way& b) { return rank(a) < rank(b); });
  return ways;
}

void print_crossover(std::ostream& out, const ordered_json& crossover)
{
  if (crossover.empty()) return;
  out << "\nThe smallest calls by each way (rates: " << crossover["rates_from"].get<std::string>() << "; "
      << crossover["helper_threads"] << " helper threads)\n";
  const auto print_line = [&](const Way& way) {
    out << "  " << std::left << std::setw(17) << way.algorithm << std::setw(20) << way.memory << std::setw(14) << way.route
        << std::right;
    for (const std::string& from : way.from) out << std::setw(10) << (from.empty() ? "-" : from);
    out << "\n";
  };
  print_line({"", "memory", "way", {"128 bits", "192 bits", "256 bits"}});
  for (const Way& way : ways_of(crossover["table"])) print_line(way);
  const double ring = crossover["keystream_ahead"]["after_bytes"].get<double>();
  if (ring > 0) out << "  AES-CTR in smaller calls: keystream ahead, after " << text_of_bytes(ring) << " in a row\n";
}

void print_numbers(std::ostream& out, const std::string& name, const ordered_json& value)
{
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) print_numbers(out, name.empty() ? key : name + "." + key, inner);
  } else if (value.is_number() && value != 0) {
    out << "  " << std::left << std::setw(24) << name << value << "\n";
  }
}

void print_counters(std::ostream& out, const ordered_json& counters)
{
  std::ostringstream lines;
  print_numbers(lines, "", counters);
  if (!lines.str().empty()) out << "\nCounters that aren't 0\n" << lines.str();
}

void print_bench(std::ostream& out, const ordered_json& report)
{
  if (!report.contains("bench")) return;
  const ordered_json& bench = report["bench"];
  if (bench.empty()) {
    out << "\nNothing was measured, since the device can't be used"
        << (report["usable"].get<bool>() ? " with mode = always." : ": " + report["reason"].get<std::string>()) << "\n";
    return;
  }
  out << "\nMeasured, GB/s\n";
  for (const ordered_json& table : bench) {
    out << "  " << table["algorithm"].get<std::string>() << ", " << table["memory"].get<std::string>()
        << " memory; the device is faster from "
        << (table["device_faster_from"].is_null() ? "no size here" : text_of_bytes(table["device_faster_from"].get<double>()))
        << " on\n  " << std::right << std::setw(12) << "a call" << std::setw(12) << "default" << std::setw(12) << "device"
        << std::setw(12) << "gpuaes"
        << "  by\n";
    for (const ordered_json& row : table["rows"])
      out << "  " << std::setw(12) << text_of_bytes(row["bytes"].get<double>()) << std::fixed << std::setprecision(2)
          << std::setw(12) << row["default"].get<double>() << std::setw(12) << row["device"].get<double>() << std::setw(12)
          << row["gpuaes"].get<double>() << "  " << row["by"].get<std::string>() << "\n";
  }
}

}  // namespace

std::string text_of_bytes(double bytes)
{
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  std::ostringstream text;
  text << std::setprecision(bytes < 1000 ? 3 : 4) << bytes << " " << kUnits[unit];
  return text.str();
}

std::string text_of(const ordered_json& report)
{
  std::ostringstream out;
  print_head(out, report);
  const bool loaded = report["state"] != "not loaded";
  if (loaded) {
    print_devices(out, report);
    print_settings(out, report["settings"]);
    print_crossover(out, report["crossover"]);
  }
  print_bench(out, report);
  if (loaded) print_counters(out, report["counters"]);
  return out.str();
}

}  // namespace gpuaes::tool
