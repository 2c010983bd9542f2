// The command line's arguments through CLI11 and back as they were given: it reads some of them as lists of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gpuaes::match {

// What App::parse is to be given.
std::vector<std::string> hidden_arguments(int argc, char** argv);

// Throws UsageError unless it is a number from `least` to `most`.
std::uint64_t number_in(const std::string& text, const std::string& option, std::uint64_t least, std::uint64_t most);

// An option that may be given several times, or the arguments that are no options.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help);

// An option whose value `take` gets.
CLI::Option* add_taken(CLI::App& app, const std::string& name, const std::function<void(const std::string&)>& take,
                       const std::string& help);

template <typename Text>
CLI::Option* add_text(CLI::App& app, const std::string& name, Text& value, const std::string& help)
{
  return add_taken(
      app, name, [&value](const std::string& text) { value = text; }, help);
}

template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& value, std::uint64_t least, std::uint64_t most,
                        const std::string& help)
{
  const auto take = [&value, name, least, most](const std::string& text) {
    value = static_cast<Number>(number_in(text, name, least, most));
  };
  return add_taken(app, name, take, help);
}

}  // namespace gpuaes::match
