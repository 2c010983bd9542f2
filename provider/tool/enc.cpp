// gpuaes enc: whole files, in the format of `openssl enc`.
#include "command.h"

#include <stdexcept>

namespace gpuaes::tool {

int run_enc(int, char**) { throw std::runtime_error("not here yet"); }

}  // namespace gpuaes::tool
