// Reads the response files of NIST's Cryptographic Algorithm Validation Program.
#pragma once

#include "bytes.h"

#include <string>
#include <vector>

namespace gpuaes::test {

struct RspCase {
  bool encrypt = true;
  unsigned count = 0;
  Bytes key;
  Bytes plaintext;
  Bytes ciphertext;
};

// All cases of the file of that name in tests/data. Throws std::runtime_error if there is none, or if it can't be understood.
std::vector<RspCase> read_rsp_file(const std::string& name);

}  // namespace gpuaes::test
