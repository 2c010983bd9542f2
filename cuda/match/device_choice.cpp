#include "device_choice.h"

#include "usage_error.h"

#include <charconv>

namespace gpuaes::match {

DeviceChoice device_named(const std::string& name)
{
  using How = DeviceChoice::How;
  int ordinal = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, ordinal);
  if (name == "auto") return {};
  if (name == "cpu") return {.how = How::cpu};
  if (name == "host") return {.how = How::device, .make_platform = make_host_platform};
  if (parsed.ec == std::errc() && parsed.ptr == end && ordinal >= 0) return {.how = How::device, .ordinals = {ordinal}};
  throw UsageError("--device \"" + name + "\": there is no such device. Allowed are auto, cpu and the number of a GPU");
}

}  // namespace gpuaes::match
