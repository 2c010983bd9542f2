#include "ranges.h"

#include <sys/auxv.h>

// Headers alone, of every toolkit but the smallest.
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define GPUAES_WITH_NVTX
#endif

namespace gpuaes::ranges {
namespace {

// At its first call NVTX loads the library that NVTX_INJECTION64_PATH names: not in programs that run with raised privileges.
[[maybe_unused]] bool allowed() noexcept
{
  static const bool answer = getauxval(AT_SECURE) == 0;
  return answer;
}

}  // namespace

#ifdef GPUAES_WITH_NVTX

void begin(const char* name, std::size_t bytes) noexcept
{
  if (!allowed()) return;
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = name;
  event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  event.payload.ullValue = bytes;
  nvtxRangePushEx(&event);
}

void end() noexcept
{
  if (allowed()) nvtxRangePop();
}

#else

void begin(const char*, std::size_t) noexcept {}
void end() noexcept {}

#endif

}  // namespace gpuaes::ranges
