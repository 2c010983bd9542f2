#include "calibration_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace gpuaes {
namespace {

using nlohmann::json;

// After as many measurements nothing is measured any more.
constexpr std::size_t kEnough = 5;
// Of a file; a machine's measurements take four kilobytes.
constexpr std::size_t kLargest = std::size_t{256} << 10;
// Of objects and arrays in each other.
constexpr int kDeepest = 8;
// No machine is further than this from the reference machine: then the figure isn't one.
constexpr double kPlausible = 1000;

struct Closed {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closed>;

// The measurements of a machine, each an object of rates by name. Throws if that isn't what they are.
std::vector<Rates> parse(const json& measurements)
{
  std::vector<Rates> all;
  for (const json& measurement : measurements) {
    Rates rates = kCalibratedOnReference;
    for (const auto& [name, rate] : rates_by_name(rates)) {
      const auto value = measurement.at(name).get<double>();
      if (!(value > *rate / kPlausible && value < *rate * kPlausible)) throw std::out_of_range(name);
      *rate = value;
    }
    all.push_back(rates);
  }
  return all;
}

json to_json(Rates rates)
{
  json measurement;
  for (const auto& [name, rate] : rates_by_name(rates)) measurement[name] = *rate;
  return measurement;
}

Rates medians(std::vector<Rates> all)
{
  Rates result = kCalibratedOnReference;
  const auto rates = rates_by_name(result);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    std::vector<double> values;
    for (Rates& measured : all) values.push_back(*rates_by_name(measured)[i].second);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    *rates[i].second = values[values.size() / 2];
  }
  return result;
}

// An empty object if there is no file or nothing in it; nothing if there is something else, which is somebody's and stays as it is.
std::optional<json> read(const std::string& name)
{
  const int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO has nobody to wait for
  if (descriptor < 0 && errno == ENOENT) return json::object();
  const File file(descriptor < 0 ? nullptr : fdopen(descriptor, "r"));
  struct stat status {};
  if (file == nullptr || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (status.st_size == 0) return json::object();
  if (static_cast<std::size_t>(status.st_size) > kLargest) return {};
  const auto shallow = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw std::length_error("nested too deeply");
    return true;
  };
  json contents = json::parse(file.get(), shallow, false);
  return contents.is_object() ? std::optional(std::move(contents)) : std::nullopt;
}

void make_folder_of(const std::string& name, int levels)
{
  const std::string folder = name.substr(0, name.rfind('/'));
  if (levels == 0 || folder.empty() || folder == name) return;
  make_folder_of(folder, levels - 1);
  mkdir(folder.c_str(), 0700);
}

// Readers see the old file or the new one.
void write(const std::string& name, const json& contents)
{
  make_folder_of(name, 2);
  const std::string text = contents.dump(1) + "\n";
  if (text.size() > kLargest) return;
  // Of no other process's name, also not of one that was killed.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::string fresh = name + "." + std::to_string(getpid()) + "-" + std::to_string(now);
  File file(std::fopen(fresh.c_str(), "wxe"));
  if (file == nullptr) return;
  const bool complete = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0;
  file.reset();
  if (!complete || std::rename(fresh.c_str(), name.c_str()) != 0) std::remove(fresh.c_str());
}

}  // namespace

std::string default_calibration_file()
{
  const char* const cache = secure_getenv("XDG_CACHE_HOME");
  const char* const home = secure_getenv("HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/gpuaes/rates.json";
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/gpuaes/rates.json";
  return {};
}

std::optional<Rates> CalibrationFile::recall(const std::string& machine) const
{
  try {
    const std::vector<Rates> all = parse(read(file_).value().at(machine));
    if (all.size() >= kEnough) return medians(all);
  } catch (const std::exception&) {
    // Not there, or not ours.
  }
  return {};
}

Rates CalibrationFile::keep(const std::string& machine, const Rates& measured) const
{
  std::vector<Rates> all;
  try {
    json contents = read(file_).value();
    json& of_machine = contents[machine];
    try {
      all = parse(of_machine);
    } catch (const std::exception&) {
      // What is there is no use, and is replaced.
    }
    all.push_back(measured);
    of_machine = json::array();
    for (const Rates& rates : all) of_machine.push_back(to_json(rates));
    write(file_, contents);
  } catch (const std::exception&) {
    all.assign(1, measured);
  }
  return medians(all);
}

}  // namespace gpuaes
