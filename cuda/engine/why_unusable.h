// What keeps a device from being used, in the words that the state's reason contains: programs that give advice look for them.
#pragma once

namespace gpuaes::why {

inline constexpr const char* kModeNever = "mode = never: no device is used.";
inline constexpr const char* kIdle = "No work has come yet that a device is worth starting for.";
inline constexpr const char* kWithoutCuda = "This gpuaes was built without CUDA.";
inline constexpr const char* kNoDriver = "No NVIDIA driver was found.";
inline constexpr const char* kNoDriverLibrary =
    "The NVIDIA driver runs, but its library libcuda.so.1 was not found, or can't be used.";
inline constexpr const char* kDriverTooOld = "The NVIDIA driver is older than the CUDA version that gpuaes was built with.";
inline constexpr const char* kNoGpu = "No NVIDIA GPU was found.";
inline constexpr const char* kAfterFork = "CUDA can't be started in this process; after fork() that is so for the child.";
inline constexpr const char* kForked = "The device belongs to the parent process; CUDA can't be used across fork().";
inline constexpr const char* kFailedTest = " failed a known-answer test";
inline constexpr const char* kWrongResult = "The device returned a wrong result.";
inline constexpr const char* kNoSuchDevice = " doesn't exist";
inline constexpr const char* kNoThread = "No thread could be started to bring the device up";
inline constexpr const char* kInert = "The application contains a libcrypto of its own, and gpuaes is linked to another one.";
// CUDA's own words.
inline constexpr const char* kNoPinnedMemory = "cudaHostAlloc: out of memory";
inline constexpr const char* kOutOfMemory = "out of memory";
inline constexpr const char* kUnavailable = "busy or unavailable";
inline constexpr const char* kNoKernelImage = "no kernel image is available";
inline constexpr const char* kNoKernel = "invalid device function";
inline constexpr const char* kVersionMismatch = "system has unsupported display driver / cuda driver combination";
inline constexpr const char* kNotReady = "system not yet initialized";

}  // namespace gpuaes::why
