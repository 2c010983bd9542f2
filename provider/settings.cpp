#include "settings.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

namespace gpuaes {
namespace {

constexpr std::string_view kEnvironmentPrefix = "GPUAES_";
constexpr const char* kByDefault = "default";

template <typename Enum, std::size_t N>
bool choose(std::string_view text, const std::array<std::pair<std::string_view, Enum>, N>& choices, Enum& chosen)
{
  for (const auto& [name, value] : choices)
    if (name == text) {
      chosen = value;
      return true;
    }
  return false;
}

bool read_bytes(std::string_view text, std::size_t& bytes)
{
  const auto parsed = parse_bytes(text);
  if (parsed) bytes = *parsed;
  return parsed.has_value();
}

bool read_auto_or_bytes(std::string_view text, std::optional<std::size_t>& bytes)
{
  if (text == "auto") {
    bytes.reset();
    return true;
  }
  bytes = parse_bytes(text);
  return bytes.has_value();
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text)
{
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool read_mode(Settings& settings, std::string_view text)
{
  return choose<Mode, 3>(text, {{{"auto", Mode::automatic}, {"always", Mode::always}, {"never", Mode::never}}},
                         settings.options.mode);
}

bool read_devices(Settings& settings, std::string_view text)
{
  std::vector<int> devices;
  if (text != "all")
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t comma = std::min(text.find(',', start), text.size());
      const auto ordinal = parse_number<unsigned short>(text.substr(start, comma - start));
      if (!ordinal) return false;
      devices.push_back(*ordinal);
      start = comma + 1;
    }
  settings.options.devices = devices;
  return true;
}

bool read_min_bytes(Settings& settings, std::string_view text)
{
  std::optional<std::size_t> bytes;
  if (!read_auto_or_bytes(text, bytes)) return false;
  settings.options.min_bytes_ecb = settings.options.min_bytes_ctr = settings.options.min_bytes_crc16 = bytes;
  return true;
}

bool read_keystream_ahead(Settings& settings, std::string_view text)
{
  settings.options.keystream = text != "off" && text != "0";
  return !settings.options.keystream || read_auto_or_bytes(text, settings.options.keystream_bytes);
}

bool read_helper_threads(Settings& settings, std::string_view text)
{
  if (text == "auto") {
    settings.options.helper_threads.reset();
    return true;
  }
  const auto threads = parse_number<unsigned short>(text);
  if (!threads || *threads > 256) return false;
  settings.options.helper_threads = *threads;
  return true;
}

bool read_startup(Settings& settings, std::string_view text)
{
  using When = Startup::When;
  if (choose<When, 2>(text, {{{"load", When::on_load}, {"auto", When::automatic}}}, settings.options.startup.when)) return true;
  settings.options.startup.when = When::after_bytes;
  return read_bytes(text, settings.options.startup.bytes);
}

bool read_verify(Settings& settings, std::string_view text)
{
  return choose<Verify, 3>(text, {{{"off", Verify::off}, {"sample", Verify::sample}, {"all", Verify::all}}},
                           settings.options.verify);
}

bool read_on_error(Settings& settings, std::string_view text)
{
  return choose<bool, 2>(text, {{{"fallback", false}, {"fail", true}}}, settings.options.fail_on_error);
}

bool read_device(Settings& settings, std::string_view text)
{
  return choose<DeviceChoice, 2>(text, {{{"cuda", DeviceChoice::cuda}, {"host", DeviceChoice::host}}}, settings.device);
}

bool read_strict(Settings& settings, std::string_view text)
{
  return choose<bool, 2>(text, {{{"0", false}, {"1", true}}}, settings.strict);
}

constexpr const char* kBytesAllowed = "auto, or a number of bytes such as 65536, 64k, 16m or 1g";

struct Key {
  const char* name;
  const char* otherwise;  // the default, as one would write it
  const char* allowed;
  // What it leaves when it returns false doesn't matter: mode is never then.
  bool (*read)(Settings&, std::string_view);
};

// In this order: min_bytes sets what the more special keys after it may set again.
constexpr Key kKeys[] = {
    {"mode", "auto", "auto, always or never", read_mode},
    {"devices", "all", "all, or device numbers such as 0,1", read_devices},
    {"min_bytes", "auto", kBytesAllowed, read_min_bytes},
    {"min_bytes_ctr", "auto", kBytesAllowed,
     [](Settings& s, std::string_view t) { return read_auto_or_bytes(t, s.options.min_bytes_ctr); }},
    {"min_bytes_ecb", "auto", kBytesAllowed,
     [](Settings& s, std::string_view t) { return read_auto_or_bytes(t, s.options.min_bytes_ecb); }},
    {"min_bytes_crc16", "auto", kBytesAllowed,
     [](Settings& s, std::string_view t) { return read_auto_or_bytes(t, s.options.min_bytes_crc16); }},
    {"keystream_ahead", "auto", "auto, off, or a number of bytes such as 16m", read_keystream_ahead},
    {"helper_threads", "auto", "auto, or a number from 0 to 256", read_helper_threads},
    {"startup", "auto", "load, auto, or a number of bytes such as 1g", read_startup},
    {"verify", "sample", "off, sample or all", read_verify},
    {"pinned_bytes", "256m", "a number of bytes such as 256m",
     [](Settings& s, std::string_view t) { return read_bytes(t, s.options.pinned_bytes); }},
    {"device_bytes", "1g", "a number of bytes such as 1g",
     [](Settings& s, std::string_view t) { return read_bytes(t, s.options.device_bytes); }},
    {"on_error", "fallback", "fallback or fail", read_on_error},
    {"stats", "", "the name of a file, or -",
     [](Settings& s, std::string_view t) {
       s.stats = t;
       return !t.empty();
     }},
    {"trace", "off", "off, the name of a file, or -",
     [](Settings& s, std::string_view t) {
       s.options.trace = t == "off" ? "" : t;
       return !t.empty();
     }},
    {"calibration", "auto", "auto, off, or the name of a file",
     [](Settings& s, std::string_view t) {
       s.calibration = t;
       return !t.empty();
     }},
    {"device", "cuda", "cuda or host", read_device},
    {"strict", "0", "0 or 1", read_strict},
};

std::string variable_name(std::string_view key)
{
  std::string name(kEnvironmentPrefix);
  for (const char c : key) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

// What is in force for a key that nobody has set: its default or, for min_bytes_ctr and its like, what min_bytes says.
SettingInForce untold(const Key& key, const std::vector<SettingInForce>& before)
{
  for (const SettingInForce& other : before)
    if (other.origin != kByDefault && std::string_view(key.name).starts_with(std::string(other.name) + "_"))
      return {key.name, other.value, other.name};
  return {key.name, key.otherwise, kByDefault};
}

// The first variable with our prefix that no key goes by.
std::string find_unknown_variable()
{
  if (getauxval(AT_SECURE) != 0) return {};  // secure_getenv doesn't see them either
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const std::string_view name = variable.substr(0, variable.find('='));
    if (!name.starts_with(kEnvironmentPrefix)) continue;
    if (std::none_of(std::begin(kKeys), std::end(kKeys), [&](const Key& key) { return variable_name(key.name) == name; }))
      return std::string(name);
  }
  return {};
}

}  // namespace

std::optional<std::size_t> parse_bytes(std::string_view text)
{
  int shift = 0;
  if (!text.empty()) {
    constexpr std::string_view kSuffixes = "kmg";
    const std::size_t suffix = kSuffixes.find(text.back());
    if (suffix != std::string_view::npos) {
      shift = 10 * static_cast<int>(suffix + 1);
      text.remove_suffix(1);
    }
  }
  const auto number = parse_number<std::size_t>(text);
  if (!number || *number > std::numeric_limits<std::size_t>::max() >> shift) return std::nullopt;
  return *number << shift;
}

Settings read_settings(const std::function<std::optional<std::string>(const char* key)>& configured)
{
  Settings settings;
  const auto report = [&](const std::string& what) {
    if (!settings.error.empty()) settings.error += "; ";
    settings.error += what;
  };
  settings.in_force.reserve(std::size(kKeys));
  for (const Key& key : kKeys) {
    const std::string variable = variable_name(key.name);
    const char* const from_environment = secure_getenv(variable.c_str());
    const std::optional<std::string> value =
        from_environment != nullptr ? std::optional<std::string>(from_environment) : configured(key.name);
    SettingInForce in_force = untold(key, settings.in_force);
    if (value) {
      if (key.read(settings, *value)) {
        in_force.value = *value;
        in_force.origin = from_environment != nullptr ? "environment " + variable : "configuration";
      } else {
        report((from_environment != nullptr ? variable : std::string(key.name)) + " = " + *value + ": allowed is " + key.allowed);
      }
    }
    settings.in_force.push_back(in_force);
  }
  if (const std::string unknown = find_unknown_variable(); !unknown.empty()) {
    std::string known;
    for (const Key& key : kKeys) known += (known.empty() ? "" : ", ") + variable_name(key.name);
    report(unknown + ": no such setting; there are " + known);
  }
  if (!settings.error.empty()) {
    settings.options.mode = Mode::never;
    settings.in_force.front() = {kKeys[0].name, "never", "a setting is wrong"};
  }
  return settings;
}

}  // namespace gpuaes
