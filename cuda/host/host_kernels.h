// The kernels' work in plain loops over the same functions of core/.
#pragma once

#include "../engine/crc16_job.h"
#include "../engine/jobs.h"

namespace gpuaes {

// Addresses in `job` are ones that the processor can access.
void run_on_host(const AesJob& job);
void run_on_host(const Crc16Job& job);

}  // namespace gpuaes
