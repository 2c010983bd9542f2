// Standard input, output and error, as the caller of a command left them.
#pragma once

namespace gpuaes::match {

// Before anything else: gives those that are closed a descriptor that can't be used, standard error one that takes everything, so
// that no file gets their numbers and then what is printed. Throws std::runtime_error.
void hold_closed_streams();

// After everything else: writes out what was printed. The exit status of the command, which is `status`, or 2 if something of it
// got lost; then `command` says so on standard error.
int status_after_printing(const char* command, int status);

}  // namespace gpuaes::match
