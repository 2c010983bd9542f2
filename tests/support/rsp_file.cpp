#include "rsp_file.h"

#include <fstream>
#include <stdexcept>

namespace gpuaes::test {

std::vector<RspCase> read_rsp_file(const std::string& name)
{
  std::ifstream file(std::string(GPUAES_TEST_DATA) + "/" + name);
  if (!file) throw std::runtime_error("There is no " + name + " in tests/data.");
  std::vector<RspCase> cases;
  bool encrypt = true;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (line == "[ENCRYPT]" || line == "[DECRYPT]") {
      encrypt = line == "[ENCRYPT]";
      continue;
    }
    const auto equals = line.find(" = ");
    if (equals == std::string::npos) throw std::runtime_error(name + ": " + line);
    const std::string field = line.substr(0, equals);
    const std::string value = line.substr(equals + 3);
    if (field == "COUNT") {
      cases.push_back(
          {.encrypt = encrypt, .count = static_cast<unsigned>(std::stoul(value)), .key = {}, .plaintext = {}, .ciphertext = {}});
    } else if (cases.empty()) {
      throw std::runtime_error(name + ": " + line);
    } else if (field == "KEY") {
      cases.back().key = from_hex(value);
    } else if (field == "PLAINTEXT") {
      cases.back().plaintext = from_hex(value);
    } else if (field == "CIPHERTEXT") {
      cases.back().ciphertext = from_hex(value);
    } else {
      throw std::runtime_error(name + ": " + line);
    }
  }
  if (cases.empty()) throw std::runtime_error(name + " has no cases.");
  return cases;
}

}  // namespace gpuaes::test
