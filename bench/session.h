// What every benchmark of the provider begins and ends with.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

namespace gpuaes::bench {

// Loads gpuaes and the default provider, waits until the device is ready or can't be, and puts device and versions into the report.
// False, with a message, if gpuaes can't be loaded.
bool start_session();
// Whether the device is ready.
bool has_device();

// Whether a case gives what it should: asks `is_right` the first time only, since the library runs a case several times.
bool gives_right_output(const std::string& name, const std::function<bool()>& is_right);
// Ends a case that gave wrong output or none, and the program with an error once the others are done.
void fail(benchmark::State& state, const std::string& what);

// Runs what was registered. Returns the program's exit status.
int run_session(int argc, char** argv);

}  // namespace gpuaes::bench
