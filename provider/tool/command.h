// The subcommands of gpuaes. Each parses its own arguments, of which argv[0] is its name, and returns the exit status.
#pragma once

namespace gpuaes::tool {

int run_info(int argc, char** argv);
int run_enc(int argc, char** argv);

}  // namespace gpuaes::tool
