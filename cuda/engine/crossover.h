// Who does a call of which size: the policy asked for every size, as data for people and programs to read.
#pragma once

#include "crc16_policy.h"
#include "policy.h"

#include <cstddef>
#include <string>
#include <vector>

namespace gpuaes {

// From `bytes` on, up to the next step.
struct CrossoverStep {
  std::size_t bytes = 0;
  std::string route;          // empty: the default provider, or for CRC-16 the processor
  double device_seconds = 0;  // for a call of that many bytes, on a device with nothing else to do; 0: no such way
  double cpu_seconds = 0;
};

struct CrossoverRow {
  std::string algorithm;
  MemoryKind in = MemoryKind::ordinary;
  MemoryKind out = MemoryKind::ordinary;
  bool in_place = false;
  std::vector<CrossoverStep> steps;  // the first from one block on; the last holds up to the longest call
};

// Every cipher and key size, and CRC-16, on ordinary, pinned and device memory.
std::vector<CrossoverRow> crossover_table(const Policy& policy);

// All rates, for reading.
struct NamedRate {
  std::string name;
  double value;
};
std::vector<NamedRate> named_rates(Rates rates);
std::vector<NamedRate> named_rates(const Crc16Rates& rates);

}  // namespace gpuaes
