// Something the user asked for that can't be done. The message says what was wrong and what is allowed; the command ends with 2.
#pragma once

#include <stdexcept>

namespace gpuaes::match {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gpuaes::match
