#include "rates.h"

namespace gpuaes {

const Rates kBuiltInRates = {
    .cpu = {{8.6, 6.8, 5.7}, {8.6, 6.8, 5.7}, {6.0, 5.3, 4.6}},
    .kernel = 500,
    .zero_copy = 41,
    .link_one_way = 52,
    .link_both_ways = 45,
    .staging_thread = 6.2,
    .xor_thread = 7,
    .ring_thread = 14,
    .direct_latency_ns = 25'000,
    .copied_latency_ns = 30'000,
    .helpers_latency_ns = 120'000,
    .chunk_ns = 20'000,
};

}  // namespace gpuaes
