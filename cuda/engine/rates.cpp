#include "rates.h"

#include "names.h"

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

const Rates kCalibratedOnReference = {
    .cpu = {{5.25, 4.96, 4.63}, {5.53, 5.49, 5.02}, {4.65, 4.58, 4.51}},
    .kernel = 410,
    .zero_copy = 28,
    .link_one_way = 56,
    .link_both_ways = 49.6,
    .staging_thread = 10.5,
    .xor_thread = 13.4,
    .ring_thread = 21.3,
    .direct_latency_ns = 16'300,
    .copied_latency_ns = 25'300,
    .helpers_latency_ns = 41'900,
    .chunk_ns = 10'000,
};

std::vector<std::pair<std::string, double*>> rates_by_name(Rates& rates)
{
  std::vector<std::pair<std::string, double*>> all;
  for (const AesMode mode : {AesMode::ecb_encrypt, AesMode::ecb_decrypt, AesMode::ctr})
    for (const int rounds : {10, 12, 14})
      all.emplace_back("cpu " + name_of(mode, rounds), &rates.cpu[static_cast<std::size_t>(mode)][(rounds - 10) / 2]);
  all.insert(all.end(), {{"kernel", &rates.kernel},
                         {"zero_copy", &rates.zero_copy},
                         {"link_one_way", &rates.link_one_way},
                         {"link_both_ways", &rates.link_both_ways},
                         {"staging_thread", &rates.staging_thread},
                         {"xor_thread", &rates.xor_thread},
                         {"ring_thread", &rates.ring_thread},
                         {"direct_latency_ns", &rates.direct_latency_ns},
                         {"copied_latency_ns", &rates.copied_latency_ns},
                         {"helpers_latency_ns", &rates.helpers_latency_ns},
                         {"chunk_ns", &rates.chunk_ns}});
  static_assert(sizeof(Rates) == (kAesModes * 3 + 11) * sizeof(double), "a rate has no name here");
  return all;
}

}  // namespace gpuaes
