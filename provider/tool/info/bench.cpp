#include "bench.h"

#include "engine/buffer.h"

#include <openssl/evp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace gpuaes::tool {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char* kCiphers[] = {"AES-128-CTR", "AES-256-CTR", "AES-128-ECB", "AES-256-ECB"};
constexpr std::size_t kSizes[] = {16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20};
constexpr std::size_t kLargest = *std::rbegin(kSizes);
constexpr std::chrono::milliseconds kEach{30};
constexpr std::chrono::milliseconds kLongestCall{150};
constexpr std::chrono::seconds kAll{18};
constexpr std::size_t kFewestCalls = 3;

// Sets variables while it lives.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables)
  {
    for (const auto& [name, value] : variables) {
      const char* const before = std::getenv(name.c_str());
      before_[name] = before != nullptr ? std::optional<std::string>(before) : std::nullopt;
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~Environment()
  {
    for (const auto& [name, value] : before_) value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

// A stream of calls of one cipher of one provider, as an application makes them.
class CipherStream {
 public:
  CipherStream(OSSL_LIB_CTX* library, const std::string& name, const char* query) : context_(EVP_CIPHER_CTX_new())
  {
    const std::unique_ptr<EVP_CIPHER, Free> cipher(EVP_CIPHER_fetch(library, name.c_str(), query));
    const unsigned char key[32] = {1}, iv[16] = {2};
    if (cipher == nullptr || EVP_EncryptInit_ex2(context_.get(), cipher.get(), key, iv, nullptr) != 1)
      throw std::runtime_error(name + " can't be had with the query " + query);
    EVP_CIPHER_CTX_set_padding(context_.get(), 0);
  }

  std::chrono::nanoseconds call(std::uint8_t* out, const std::uint8_t* in, std::size_t bytes)
  {
    int written = 0;
    const Clock::time_point begun = Clock::now();
    if (EVP_EncryptUpdate(context_.get(), out, &written, in, static_cast<int>(bytes)) != 1)
      throw std::runtime_error("a call failed while it was measured");
    return Clock::now() - begun;
  }

  // The median, after one call that doesn't count; in GB/s.
  double rate(std::uint8_t* out, const std::uint8_t* in, std::size_t bytes)
  {
    std::vector<std::chrono::nanoseconds> took;
    const Clock::time_point end = Clock::now() + kEach;
    call(out, in, bytes);
    while (took.size() < kFewestCalls || Clock::now() < end) took.push_back(call(out, in, bytes));
    const auto middle = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
    std::nth_element(took.begin(), middle, took.end());
    return static_cast<double>(bytes) / static_cast<double>(middle->count());
  }

 private:
  const std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
};

// Who did most of the calls since.
class Served {
 public:
  explicit Served(const InstalledProvider& provider) : provider_(provider), before_(bytes()) {}
  std::string by() const
  {
    std::string most = "default";
    std::uint64_t bytes_of_most = 0;
    const ordered_json now = bytes();
    for (const auto& [name, value] : now.items()) {
      const std::uint64_t more = value.get<std::uint64_t>() - before_[name].get<std::uint64_t>();
      if (more <= bytes_of_most) continue;
      most = name;
      bytes_of_most = more;
    }
    return most;
  }

 private:
  ordered_json bytes() const { return provider_.document("gpuaes.stats")["bytes"]; }

  const InstalledProvider& provider_;
  const ordered_json before_;
};

ordered_json measure_table(const std::string& algorithm, const InstalledProvider& provider, const InstalledProvider& always,
                           OSSL_LIB_CTX* plain, std::uint8_t* in, std::uint8_t* out, Clock::time_point deadline)
{
  ordered_json rows = ordered_json::array();
  ordered_json faster_from;
  for (const std::size_t bytes : kSizes) {
    if (Clock::now() > deadline) break;
    CipherStream by_device(always.library(), algorithm, "provider=gpuaes");
    if (by_device.call(out, in, bytes) > kLongestCall) break;
    ordered_json row = {{"bytes", bytes},
                        {"default", CipherStream(plain, algorithm, "provider=default").rate(out, in, bytes)},
                        {"device", by_device.rate(out, in, bytes)}};
    const Served served(provider);
    {
      CipherStream chosen(provider.library(), algorithm, "provider=gpuaes");
      row["gpuaes"] = chosen.rate(out, in, bytes);
    }
    row["by"] = served.by();
    if (row["device"] <= row["default"])
      faster_from = nullptr;
    else if (faster_from.is_null())
      faster_from = bytes;
    rows.push_back(row);
  }
  return {{"algorithm", algorithm}, {"memory", ""}, {"device_faster_from", faster_from}, {"rows", rows}};
}

}  // namespace

Bench::Bench(const std::string& folder)
{
  const Environment always({{"GPUAES_MODE", "always"}, {"GPUAES_STATS", "/dev/null"}, {"GPUAES_TRACE", "off"}});
  always_ = std::make_unique<InstalledProvider>(folder);
  // Settings are read when the device is wanted.
  if (always_->loaded() && !always_->self_test()) always_.reset();
}

ordered_json Bench::measure(const InstalledProvider& provider)
{
  ordered_json tables = ordered_json::array();
  if (always_ == nullptr || !always_->loaded()) return tables;
  const std::unique_ptr<OSSL_LIB_CTX, void (*)(OSSL_LIB_CTX*)> plain(OSSL_LIB_CTX_new(), OSSL_LIB_CTX_free);
  const Clock::time_point deadline = Clock::now() + kAll;
  const auto measure_all = [&](const char* memory, std::uint8_t* in, std::uint8_t* out) {
    std::fill_n(in, kLargest, std::uint8_t{1});
    std::fill_n(out, kLargest, std::uint8_t{2});
    for (const char* const algorithm : kCiphers) {
      ordered_json table = measure_table(algorithm, provider, *always_, plain.get(), in, out, deadline);
      table["memory"] = memory;
      tables.push_back(table);
    }
  };
  // The stand-in of this program isn't that of the provider: to it, memory pinned here is ordinary.
  const ordered_json devices = provider.document("gpuaes.devices");
  const bool is_cuda = !provider.document("gpuaes.software")["driver_cuda"].is_null() && devices[0]["name"] != "host (stand-in)";
  if (is_cuda) {
    const std::unique_ptr<Platform> platform = make_cuda_platform();
    const int ordinal = devices[0]["ordinal"].get<int>();
    const std::unique_ptr<Device> device = platform->open(std::span(&ordinal, 1), [] {});
    const Buffer in(*device, MemoryKind::pinned, kLargest), out(*device, MemoryKind::pinned, kLargest);
    measure_all("pinned", in.data(), out.data());
  }
  std::vector<std::uint8_t> in(kLargest), out(kLargest);
  measure_all("ordinary", in.data(), out.data());
  return tables;
}

}  // namespace gpuaes::tool
