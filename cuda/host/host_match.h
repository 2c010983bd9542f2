// The matching kernels' work in plain loops over the same functions of core/.
#pragma once

#include "../engine/match_job.h"

namespace gpuaes {

// Addresses in `job` are ones that the processor can access.
void match_on_host(const MatchJob& job);

}  // namespace gpuaes
