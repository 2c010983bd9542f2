// The AES kernels: one for each mode and key size, in two sizes of tables.
#pragma once

#include "../engine/jobs.h"

#include <cuda_runtime.h>

namespace gpuaes {

// What a launch must know of the card. Read once when the device is opened.
struct KernelLimits {
  int multiprocessors = 0;
  bool both_pairs = false;  // whether all four tables fit into a block's shared memory
};

// Allows the kernels of the current device their shared memory.
cudaError_t prepare_aes_kernels(const KernelLimits& limits);

// Queues a job. Addresses must be multiples of 16 that the device can reach.
cudaError_t launch_aes(const AesJob& job, const KernelLimits& limits, cudaStream_t stream);

}  // namespace gpuaes
