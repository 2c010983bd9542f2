// The matching kernels: one for a pattern alone, one for many together.
#pragma once

#include "../engine/match_job.h"

#include <cuda_runtime.h>

namespace gpuaes {

// Allows the kernels of the current device their shared memory.
cudaError_t prepare_match_kernels();

// Queues a job, one kernel for each of its sweeps.
cudaError_t launch_match(const MatchJob& job, int multiprocessors, cudaStream_t stream);

}  // namespace gpuaes
