// The ways the provider can be set up that must not change a byte.
#pragma once

#include "support/library.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuaes::test {

struct Variant {
  const char* name;
  Settings settings;
};

inline std::ostream& operator<<(std::ostream& out, const Variant& variant) { return out << variant.name; }

inline const Variant kVariants[] = {
    {"Never", {{"mode", "never"}}},
    {"Auto", {}},
    {"AutoFromOneByte", {{"min_bytes", "1"}, {"startup", "load"}}},
    {"Always", {{"mode", "always"}}},
    {"AlwaysVerifyAll", {{"mode", "always"}, {"verify", "all"}}},
    {"AlwaysNoKeystreamNoHelpers", {{"mode", "always"}, {"keystream_ahead", "off"}, {"helper_threads", "0"}, {"verify", "off"}}},
    {"AlwaysFourHelpers", {{"mode", "always"}, {"helper_threads", "4"}, {"keystream_ahead", "1m"}}},
};

// Runs a test for each of them, on the device that is tested.
class PerVariant : public OnDevice<::testing::TestWithParam<Variant>> {
 protected:
  // Ready for work, if the variant uses a device from the start.
  static Library make()
  {
    Library library = Library::with_gpuaes(GetParam().settings);
    if (GetParam().settings.contains("startup")) {
      EXPECT_EQ(library.settled_state(), "ready");
    }
    return library;
  }
};

inline std::string name_of_variant(const ::testing::TestParamInfo<Variant>& chosen) { return chosen.param.name; }

}  // namespace gpuaes::test
