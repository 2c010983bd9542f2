// The report for people.
#include "report.h"

#include <iomanip>
#include <map>
#include <sstream>
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
  out << "driver    " << text_or(software["driver"], "none") << ", for CUDA " << text_or(software["driver_cuda"], "?")
      << "; built with CUDA " << text_or(software["built_with_cuda"], "none") << "\n";
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
        << text_or(setting["value"], "-") << setting["origin"].get<std::string>() << "\n";
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

// A line for each way that is ever taken, with the sizes from which it is, for the three lengths of keys.
void print_crossover(std::ostream& out, const ordered_json& crossover)
{
  if (crossover.empty()) return;
  out << "\nThe smallest calls by each way (rates: " << crossover["rates_from"].get<std::string>() << "; "
      << crossover["helper_threads"] << " helper threads)\n  " << std::left << std::setw(17) << "" << std::setw(20) << "memory"
      << std::setw(16) << "way" << std::right << std::setw(10) << "128 bits" << std::setw(10) << "192 bits" << std::setw(10)
      << "256 bits\n";
  std::vector<std::vector<std::string>> order;
  std::map<std::vector<std::string>, std::vector<std::string>> lines;
  for (const ordered_json& row : crossover["table"])
    for (std::size_t i = 0; i < row["steps"].size(); ++i) {
      const ordered_json& step = row["steps"][i];
      if (i == 0 && step["route"].is_null()) continue;
      const std::vector<std::string> key = {without_key_bits(row["algorithm"].get<std::string>()), memory_of(row),
                                            text_or(step["route"], "default")};
      if (lines[key].empty()) order.push_back(key);
      lines[key].push_back(i == 0 ? "all" : text_of_bytes(step["bytes"].get<double>()));
    }
  for (const std::vector<std::string>& key : order) {
    out << "  " << std::left << std::setw(17) << key[0] << std::setw(20) << key[1] << std::setw(16) << key[2] << std::right;
    for (const std::string& from : lines[key]) out << std::setw(10) << from;
    out << "\n";
  }
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

void print_bench(std::ostream& out, const ordered_json& bench)
{
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
  if (report["state"] == "not loaded") return out.str();
  print_devices(out, report);
  print_settings(out, report["settings"]);
  print_crossover(out, report["crossover"]);
  if (report.contains("bench")) print_bench(out, report["bench"]);
  out << "\nCounters that aren't 0\n";
  print_numbers(out, "", report["counters"]);
  return out.str();
}

}  // namespace gpuaes::tool
