// bfmatch: finds and counts byte patterns.
#include "options.h"
#include "search.h"
#include "standard_streams.h"
#include "usage_error.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace {

void tell(const std::string& message) { std::fprintf(stderr, "bfmatch: %s\n", message.c_str()); }

}  // namespace

int main(int argc, char** argv)
{
  using namespace gpuaes::match;
  try {
    hold_closed_streams();
    const std::optional<Settings> settings = parse_arguments(argc, argv);
    if (!settings) return status_after_printing("bfmatch", 0);
    const Outcome outcome = search(*settings, STDOUT_FILENO, tell);
    // All has been printed. CUDA can't be torn down in the middle of starting, and later takes its time.
    if (outcome.device != nullptr) std::_Exit(outcome.status);
    return outcome.status;
  } catch (const UsageError& error) {
    tell(std::string(error.what()) + ". See bfmatch --help.");
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return 2;
}
