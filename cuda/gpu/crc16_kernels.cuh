// The CRC-16 kernel: one launch for one job.
#pragma once

#include "../engine/crc16_job.h"
#include "aes_kernels.cuh"

#include <cuda_runtime.h>

namespace gpuaes {

// Where a launch's blocks meet, in device memory. All zeros before a launch, and again after it.
struct Crc16Meeting {
  unsigned sum;
  unsigned finished;
};

// Queues a job. `job.data` is memory that the device can read, at any alignment; the answer goes to `answer` instead of job.answer:
// an address that the device can write. One launch at a time for each meeting.
cudaError_t launch_crc16(const Crc16Job& job, Crc16Meeting* meeting, Crc16Answer* answer, const KernelLimits& limits,
                         cudaStream_t stream);

}  // namespace gpuaes
