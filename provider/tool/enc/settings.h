// What one run of gpuaes enc shall do.
#pragma once

#include "cipher.h"
#include "core/secret_bytes.h"
#include "match/demand.h"
#include "match/device_choice.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuaes::enc {

// Gets one line at a time for the user.
using Tell = std::function<void(const std::string&)>;

// Where the key comes from, in the words of `openssl enc`.
struct KeySettings {
  std::optional<std::string> passphrase_file;    // -kfile
  std::optional<SecretBytes> passphrase_source;  // -pass, which may be one itself
  std::optional<SecretBytes> passphrase;         // -k
  std::optional<SecretBytes> key_hex;            // -K
  std::optional<std::string> key_file;           // --key-file, bytes or digits
  std::optional<std::string> iv_hex;             // -iv
  std::optional<std::string> salt_hex;           // -S
  std::string digest = "sha256";                 // -md
  std::optional<int> iterations;                 // of PBKDF2; without, one round of OpenSSL's own derivation
  bool salted = true;                            // -nosalt

  bool has_key() const { return key_hex || key_file; }
  bool has_passphrase() const { return passphrase || passphrase_file || passphrase_source; }
};

enum class PrintKey : std::uint8_t { no, too, only };

struct Settings {
  const CipherKind* cipher = nullptr;
  bool decrypts = false;
  bool padding = true;
  KeySettings key;
  PrintKey print_key = PrintKey::no;
  std::vector<std::string> inputs;  // "-" is standard input
  std::string output = "-";         // "-" is standard output
  std::optional<std::string> output_folder;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  bool force = false;
  bool sync = true;
  bool crc16 = false;
  bool verify = false;
  bool stats = false;
  bool json = false;
  bool progress = false;
  match::DeviceChoice device;
  int threads = 0;  // 0 = one for each core
  // What is read at once. For the processor, what a core's second-level cache holds; for a device, what keeps the link busy.
  std::size_t cpu_bytes = std::size_t{512} << 10;
  std::size_t device_bytes = std::size_t{2} << 20;
  double must_win = match::kMustWin;  // seconds, for a device to be begun; below 0 it is at once

  bool is_part() const { return offset > 0 || length.has_value(); }
};

}  // namespace gpuaes::enc
