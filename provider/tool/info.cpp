// gpuaes info: asks the provider, as any application would, and explains its answers.
#include "command.h"
#include "info/bench.h"
#include "info/installed_provider.h"
#include "info/report.h"
#include "match/usage_error.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <optional>

namespace gpuaes::tool {
namespace {

enum Exit { kUsable = 0, kNotUsable = 1 };

}  // namespace

int run_info(int argc, char** argv)
{
  CLI::App app(
      "Tells whether the provider's device can be used and, if not, what to do; what it is; where each setting comes\n"
      "from; and which calls go to it.",
      "gpuaes info");
  app.footer("Ends with 0 if the device can be used, 1 if not, 2 after a wrong option. gpuaes-info(1) tells more.");
  std::string folder;
  bool json = false, measures = false;
  app.add_option("--provider-path", folder, "Where gpuaes.so is, if not where OpenSSL looks for providers")->option_text("FOLDER");
  app.add_flag("--json", json, "One JSON object instead of text");
  app.add_flag("--bench", measures, "Measure calls of all sizes too, which takes up to 20 s");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw match::UsageError(std::string(error.what()) + ". See gpuaes info --help");
  }

  std::optional<Bench> bench;
  if (measures) bench.emplace(folder);
  InstalledProvider provider(folder);
  const bool usable = provider.loaded() && provider.self_test() && provider.number("status") == 1;
  nlohmann::ordered_json report = make_report(provider, usable);
  if (bench) {
    report["bench"] = usable ? bench->measure(provider) : nlohmann::ordered_json::array();
    if (usable) report["counters"] = provider.document("gpuaes.stats");  // the report has those of before
  }
  // Settings and names of files needn't be UTF-8, as JSON must be.
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  std::puts(json ? report.dump(2, ' ', false, kReplace).c_str() : text_of(report).c_str());
  return usable ? kUsable : kNotUsable;
}

}  // namespace gpuaes::tool
