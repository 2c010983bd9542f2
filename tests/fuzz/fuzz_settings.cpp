// Any text as the value of any setting: it is taken as it was meant or reported with its key, and nothing in between.
#include "profiles.h"

#include "../../provider/settings.h"
#include "support/both.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <map>
#include <optional>

namespace gpuaes::test {
namespace {

constexpr const char* kKeys[] = {
    "mode",    "devices", "min_bytes",    "min_bytes_ctr", "min_bytes_ecb", "min_bytes_crc16", "keystream_ahead", "helper_threads",
    "startup", "verify",  "pinned_bytes", "device_bytes",  "on_error",      "stats",           "device",          "strict"};
constexpr const char* kTexts[] = {"auto",   "always",   "never", "all",  "0,1", "off", "load",
                                  "sample", "fallback", "fail",  "host", "64k", "1"};

// Digits and at most one suffix, less than 2^64; by wide arithmetic, and another way than the parser's.
std::optional<std::size_t> bytes_meant(const std::string& text)
{
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string suffix = text.substr(digits);
  if (digits == 0 || (suffix != "" && suffix != "k" && suffix != "m" && suffix != "g")) return std::nullopt;
  unsigned __int128 value = 0;
  constexpr unsigned __int128 kEnd = static_cast<unsigned __int128>(1) << 64;
  for (std::size_t i = 0; i < digits && value < kEnd; ++i) value = value * 10 + static_cast<unsigned>(text[i] - '0');
  if (suffix != "") value *= suffix == "k" ? 1u << 10 : suffix == "m" ? 1u << 20 : 1u << 30;
  if (value >= kEnd) return std::nullopt;
  return static_cast<std::size_t>(value);
}

gpuaes::Settings read(const std::map<std::string, std::string>& configured)
{
  return read_settings([&](const char* key) -> std::optional<std::string> {
    const auto found = configured.find(key);
    return found == configured.end() ? std::nullopt : std::optional(found->second);
  });
}

void check(FuzzedDataProvider& input)
{
  std::map<std::string, std::string> configured;
  while (input.remaining_bytes() > 0) {
    const char* const key = input.PickValueInArray(kKeys);
    configured[key] = input.ConsumeBool() ? input.PickValueInArray(kTexts) : input.ConsumeRandomLengthString(24);
  }
  const gpuaes::Settings all = read(configured);
  bool any_wrong = false;
  for (const auto& [key, value] : configured) {
    if (parse_bytes(value) != bytes_meant(value)) throw Difference("parse_bytes: " + value);
    const gpuaes::Settings alone = read({{key, value}});
    any_wrong = any_wrong || !alone.error.empty();
    const std::string named = key + " = " + value + ": allowed is ";
    if (!alone.error.empty() && all.error.find(named) == std::string::npos) throw Difference("not reported: " + named);
    if (key == "pinned_bytes" && bytes_meant(value).value_or(Options().pinned_bytes) != all.options.pinned_bytes)
      throw Difference("pinned_bytes = " + value);
  }
  if (all.error.empty() == any_wrong) throw Difference("error: " + all.error);
  if (any_wrong && all.options.mode != Mode::never) throw Difference("a bad setting, and yet a device is used");
}

}  // namespace
}  // namespace gpuaes::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes)
{
  FuzzedDataProvider input(data, bytes);
  return gpuaes::test::must_agree([&] { gpuaes::test::check(input); });
}
