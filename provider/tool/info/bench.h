// gpuaes info --bench: what EVP calls of each size reach here, from the default provider, from the device, and from gpuaes as it
// is configured, which chooses between them.
#pragma once

#include "installed_provider.h"

#include <nlohmann/json.hpp>
#include <string>

namespace gpuaes::tool {

class Bench {
 public:
  // Loads the provider once more, with mode = always. Before any other is loaded: the setting comes by the environment.
  explicit Bench(const std::string& folder);

  // [{"algorithm", "memory", "device_faster_from", "rows": [{"bytes", "default", "device", "gpuaes", "by"}...]}...], in GB/s.
  // Ends within some 20 s: what is too slow is measured for smaller sizes only. `provider` must have brought its device up.
  nlohmann::ordered_json measure(const InstalledProvider& provider);

 private:
  std::unique_ptr<InstalledProvider> always_;
};

}  // namespace gpuaes::tool
