// gpuaes: explains the provider, and encrypts whole files.
#include "command.h"
#include "match/standard_streams.h"

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

struct Command {
  std::string_view name;
  const char* summary;
  int (*run)(int argc, char** argv);
};

constexpr Command kCommands[] = {
    {"enc", "encrypt or decrypt files in the format of `openssl enc`", gpuaes::tool::run_enc},
    {"info", "tell what the provider does here, and why", gpuaes::tool::run_info},
};

void print_usage(std::FILE* to)
{
  std::fputs("Usage: gpuaes COMMAND [OPTION...]\n\n", to);
  for (const Command& command : kCommands)
    std::fprintf(to, "  %-6.*s%s\n", static_cast<int>(command.name.size()), command.name.data(), command.summary);
  std::fputs("\ngpuaes COMMAND --help tells its options; gpuaes --version the version.\n", to);
}

int run(int argc, char** argv)
{
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted == "--help" || wanted == "-h") return print_usage(stdout), 0;
  if (wanted == "--version") return std::puts("gpuaes " GPUAES_VERSION), 0;
  for (const Command& command : kCommands) {
    if (command.name != wanted) continue;
    try {
      return command.run(argc - 1, argv + 1);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "gpuaes %s: %s\n", argv[1], error.what());
      return 2;
    }
  }
  if (!wanted.empty()) std::fprintf(stderr, "gpuaes: there is no command %s\n\n", argv[1]);
  print_usage(stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    gpuaes::match::hold_closed_streams();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpuaes: %s\n", error.what());
    return 2;
  }
  return gpuaes::match::status_after_printing("gpuaes", run(argc, argv));
}
