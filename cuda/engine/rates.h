// How fast the parts of a machine are: what the policy compares.
#pragma once

#include "jobs.h"

#include <string>
#include <utility>
#include <vector>

namespace gpuaes {

// Rates are in bytes per nanosecond, which is GB/s.
struct Rates {
  double cpu[kAesModes][3];   // the default provider on one thread, by AesMode and key size
  double kernel;              // on data in device memory; the slowest of them is far from any bound that matters here
  double zero_copy;           // a kernel on pinned memory
  double link_one_way;        // copy engines, one direction busy
  double link_both_ways;      // each direction, both busy
  double staging_thread;      // a thread that copies one side through pinned memory
  double xor_thread;          // a thread that combines keystream
  double ring_thread;         // the same where the keystream is there already
  double direct_latency_ns;   // launch and wait
  double copied_latency_ns;   // two copies, launch and wait
  double helpers_latency_ns;  // until helpers are at work
  double chunk_ns;            // that a thread spends on giving the device a chunk and asking whether it is done
};

// What the reference machine measured; bench/README.md says how.
extern const Rates kBuiltInRates;
// What calibrate() measures there: small pieces of work, one at a time. How much more or less it finds on another machine says by
// how much that one's rates differ.
extern const Rates kCalibratedOnReference;

// All of them, by names that stay, for reading and writing.
std::vector<std::pair<std::string, double*>> rates_by_name(Rates& rates);

}  // namespace gpuaes
