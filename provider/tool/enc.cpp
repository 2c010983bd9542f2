// gpuaes enc: whole files, in the format of `openssl enc`.
#include "command.h"
#include "enc/options.h"
#include "enc/run.h"
#include "match/standard_streams.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace gpuaes::tool {

int run_enc(int argc, char** argv)
{
  const std::optional<enc::Settings> settings = enc::parse_arguments(argc, argv);
  if (!settings) return 0;
  const enc::Library library;
  const enc::Outcome outcome =
      enc::run(*settings, library, stdout, [](const std::string& line) { std::fprintf(stderr, "gpuaes enc: %s\n", line.c_str()); });
  // All has been written. CUDA can't be torn down in the middle of starting, and later takes its time.
  if (outcome.device != nullptr) std::_Exit(match::status_after_printing("gpuaes enc", outcome.status));
  return outcome.status;
}

}  // namespace gpuaes::tool
