// CPU_FEATURE_ACTIVE(AVX2) and the like: what the C library found at the start of the process. To ask the processor again takes a
// virtual machine 0.1 ms, which is much to a process that encrypts one small file.
#pragma once

#ifdef __x86_64__
// Some releases of this header know C only.
#define _Bool bool
#include <sys/platform/x86.h>
#undef _Bool
#endif
