// gpuaes info: asks the provider, as any application would, and explains its answers.
#include "command.h"

#include <stdexcept>

namespace gpuaes::tool {

int run_info(int, char**) { throw std::runtime_error("not here yet"); }

}  // namespace gpuaes::tool
