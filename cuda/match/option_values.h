// The command line's arguments through CLI11 and back as they were given: it reads some of them as lists of its own.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gpuaes::match {

// What App::parse is to be given, and what each value that comes of it goes through.
std::vector<std::string> hidden_arguments(int argc, char** argv);
std::string as_given(std::string value);

// Throws UsageError unless it is a number from `least` to `most`.
std::uint64_t number_in(const std::string& text, const std::string& option, std::uint64_t least, std::uint64_t most);

// An option that may be given several times, or the arguments that are no options.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help);

template <typename Text>
CLI::Option* add_text(CLI::App& app, const std::string& name, Text& value, const std::string& help)
{
  return app.add_option_function<std::string>(
      name, [&value](const std::string& text) { value = as_given(text); }, help);
}

template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& value, std::uint64_t least, std::uint64_t most,
                        const std::string& help)
{
  const auto take = [&value, name, least, most](const std::string& text) {
    value = static_cast<Number>(number_in(as_given(text), name, least, most));
  };
  return app.add_option_function<std::string>(name, take, help);
}

}  // namespace gpuaes::match
