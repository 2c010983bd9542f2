// Questions and settings for cipher contexts, in right and wrong types and sizes, out of a fuzzer's bytes.
#pragma once

#include "support/both.h"

#include <fuzzer/FuzzedDataProvider.h>
#include <openssl/core.h>

#include <cstdint>
#include <deque>
#include <vector>

namespace gpuaes::test {

// Asks both for some parameters at once and compares the answers.
void get_parameters(Both& both, FuzzedDataProvider& input);

// Some parameters to be set. `num` above 15 makes the default provider read beyond its buffer: there is none.
class SettingParameters {
 public:
  explicit SettingParameters(FuzzedDataProvider& input);
  const OSSL_PARAM* get() const { return params_.data(); }

 private:
  std::deque<std::uint64_t> numbers_;
  std::vector<OSSL_PARAM> params_;
};

}  // namespace gpuaes::test
