#include "option_values.h"

#include "usage_error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace gpuaes::match {
namespace {

std::string as_given(std::string value)
{
  if (value.ends_with('\0')) value.pop_back();
  return value;
}

}  // namespace

// CLI11 takes [a,b] for two values where several are allowed, and {} for none. A zero byte at the end, which no argument of a
// process contains, hides both from it. It wants the last argument first.
std::vector<std::string> hidden_arguments(int argc, char** argv)
{
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {
    arguments.emplace_back(argv[i]);
    if (argv[i][0] == '[' || argv[i][0] == '{') arguments.back().push_back('\0');
  }
  return arguments;
}

std::uint64_t number_in(const std::string& text, const std::string& option, std::uint64_t least, std::uint64_t most)
{
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < least || number > most)
    throw UsageError(option + " \"" + text + "\": it takes a number from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help)
{
  const auto take = [&values](const std::vector<std::string>& texts) {
    std::transform(texts.begin(), texts.end(), std::back_inserter(values), as_given);
  };
  return app.add_option_function<std::vector<std::string>>(name, take, help);
}

CLI::Option* add_taken(CLI::App& app, const std::string& name, const std::function<void(const std::string&)>& take,
                       const std::string& help)
{
  return app.add_option_function<std::string>(
      name, [take](const std::string& value) { take(as_given(value)); }, help);
}

}  // namespace gpuaes::match
