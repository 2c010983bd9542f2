// What every benchmark of the provider begins and ends with.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace gpuaes::bench {

// Loads gpuaes and the default provider, waits until the device is ready or can't be, and puts device and versions into the report.
// False, with a message, if gpuaes can't be loaded.
bool start_session();
// Whether the device is ready.
bool has_device();

// How many calls of gpuaes went which way so far, by its reasons. A context may keep its last 255 small calls to itself until it is
// freed.
using Ways = std::map<std::string, std::uint64_t>;
Ways ways_so_far();
// The way that most calls went since; empty if there were none.
std::string most_frequent_way_since(const Ways& before);

// Whether a case gives what it should: asks `is_right` the first time only, since the library runs a case several times.
bool gives_right_output(const std::string& name, const std::function<bool()>& is_right);
// Ends a case that gave wrong output or none, and the program with an error once the others are done.
void fail(benchmark::State& state, const std::string& what);

// Runs what was registered. Returns the program's exit status.
int run_session(int argc, char** argv);

}  // namespace gpuaes::bench
