// What every benchmark of the provider begins with.
#pragma once

namespace gpuaes::bench {

// Loads gpuaes and the default provider, waits until the device is ready or can't be, and puts device and versions into the report.
// False, with a message, if gpuaes can't be loaded.
bool start_session();
// Whether the device is ready.
bool has_device();

}  // namespace gpuaes::bench
