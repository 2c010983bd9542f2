// All that gpuaes info has to say, as one JSON object, and the same for people.
#pragma once

#include "installed_provider.h"

#include <nlohmann/json.hpp>
#include <string>

namespace gpuaes::tool {

// Asks the provider, after it has brought its device up.
nlohmann::ordered_json make_report(const InstalledProvider& provider, bool usable);
std::string text_of(const nlohmann::ordered_json& report);

// "1.5 MiB", for people.
std::string text_of_bytes(double bytes);

}  // namespace gpuaes::tool
