#include "names.h"

namespace gpuaes {
namespace {

const char* name_of(Feed feed)
{
  switch (feed) {
    case Feed::direct:
      return "direct";
    case Feed::copied:
      return "copied";
    case Feed::staged:
      return "staged";
    case Feed::none:
      return "none";
  }
  return "";
}

const char* name_of(Drain drain)
{
  switch (drain) {
    case Drain::direct:
      return "direct";
    case Drain::copied:
      return "copied";
    case Drain::staged:
      return "staged";
    case Drain::xored:
      return "xored";
  }
  return "";
}

}  // namespace

std::string name_of(AesMode mode, int rounds)
{
  const std::string key = "AES-" + std::to_string(32 * (rounds - 6));
  return key + (mode == AesMode::ctr ? "-CTR" : mode == AesMode::ecb_encrypt ? "-ECB-encrypt" : "-ECB-decrypt");
}

const char* name_of(MemoryKind kind)
{
  constexpr const char* kNames[] = {"ordinary", "pinned", "managed", "device", "peer"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string name_of(const Route& route)
{
  return route.lanes_each == 0 ? "shared" : std::string(name_of(route.feed)) + "-" + name_of(route.drain);
}

}  // namespace gpuaes
