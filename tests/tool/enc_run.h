// Whole runs of gpuaes enc in a folder that goes away.
#pragma once

#include "enc/library.h"
#include "enc/run.h"
#include "host/host_faults.h"
#include "support/bytes.h"
#include "support/default_aes.h"
#include "support/test_device.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gpuaes::enc {

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "gpuaes-enc-test-XXXXXX").string())
  {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const test::Bytes& bytes) const
  {
    std::ofstream(*this / name, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    return *this / name;
  }
  test::Bytes read(const std::string& name) const
  {
    std::ifstream file(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const
  {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::string path_;
};

// Whoever does the work: the processor, the device that is tested, or both as they come.
enum class Who { cpu, device, both };

inline std::string name_of_who(const testing::TestParamInfo<Who>& info)
{
  constexpr const char* kNames[] = {"Cpu", "Device", "Both"};
  return kNames[static_cast<std::size_t>(info.param)];
}

inline const test::Bytes kIv = test::from_hex("ffffffffffffffffffffffffffffff00");

inline Settings settings_for(Who who, const CipherKind& cipher, const std::string& input, const std::string& output)
{
  using How = match::DeviceChoice::How;
  Settings settings;
  settings.cipher = &cipher;
  const std::string key = test::to_hex(test::test_key(cipher.key_bytes));
  settings.key.key_hex.emplace(key.begin(), key.end());
  if (cipher.counts) settings.key.iv_hex = test::to_hex(kIv);
  settings.inputs = {input};
  settings.output = output;
  settings.sync = false;
  settings.threads = 3;
  settings.device.make_platform = test::make_test_platform;
  settings.device.how = who == Who::cpu ? How::cpu : who == Who::device ? How::device : How::automatic;
  settings.must_win = -1;
  settings.cpu_bytes = settings.device_bytes = 256;
  return settings;
}

struct Ran {
  int status = -1;
  std::string printed;
  std::vector<std::string> messages;
};

inline Ran run(const Settings& settings)
{
  Ran ran;
  const Library library;
  char* text = nullptr;
  std::size_t bytes = 0;
  std::FILE* const print = open_memstream(&text, &bytes);
  try {
    ran.status = run(settings, library, print, [&](const std::string& line) { ran.messages.push_back(line); }).status;
  } catch (...) {
    std::fclose(print);
    free(text);
    throw;
  }
  std::fclose(print);
  ran.printed.assign(text, bytes);
  free(text);
  return ran;
}

// What the default provider makes of it, padded as PKCS #7 has it.
inline test::Bytes encrypted(const CipherKind& cipher, test::Bytes plain)
{
  const std::size_t bytes = plain.size();
  const std::size_t padding = kBlockBytes - bytes % kBlockBytes;
  plain.insert(plain.end(), padding, static_cast<std::uint8_t>(padding));
  const AesMode mode = cipher.counts ? AesMode::ctr : AesMode::ecb_encrypt;
  test::Bytes result = test::DefaultAes(mode, test::test_key(cipher.key_bytes), kIv).run(plain);
  if (cipher.counts) result.resize(bytes);
  return result;
}

class EncTest : public test::OnDevice<testing::TestWithParam<Who>> {
 protected:
  void TearDown() override { host_faults::set({}); }
};

}  // namespace gpuaes::enc
