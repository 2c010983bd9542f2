// Turns the CUDA runtime's error codes into DeviceError.
#pragma once

#include "../engine/device.h"

#include <cuda_runtime.h>

namespace gpuaes {

inline DeviceError::Kind kind_of_error(cudaError_t code)
{
  switch (code) {
    case cudaErrorMemoryAllocation:
      return DeviceError::Kind::out_of_memory;
    // After these the context answers every call with the same error, for the rest of the process.
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorMisalignedAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorDevicesUnavailable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorCudartUnloading:
    case cudaErrorInitializationError:
    case cudaErrorUnknown:
      return DeviceError::Kind::lost;
    default:
      return DeviceError::Kind::failed;
  }
}

inline void check(cudaError_t code, const char* operation)
{
  if (code == cudaSuccess) return;
  cudaGetLastError();  // an error that isn't for good would otherwise be reported once more, by the next launch
  throw DeviceError(kind_of_error(code), std::string(operation) + ": " + cudaGetErrorString(code));
}

}  // namespace gpuaes
