// Probes for bpftrace, perf and SystemTap: an instruction that does nothing until such a tool replaces it. None where the build
// machine has no <sys/sdt.h>.
#pragma once

#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define GPUAES_PROBE_BEGIN(bytes) DTRACE_PROBE1(gpuaes, call_begin, bytes)
#define GPUAES_PROBE_END(bytes, reason) DTRACE_PROBE2(gpuaes, call_end, bytes, reason)
#else
#define GPUAES_PROBE_BEGIN(bytes) static_cast<void>(bytes)
#define GPUAES_PROBE_END(bytes, reason) static_cast<void>(bytes), static_cast<void>(reason)
#endif
