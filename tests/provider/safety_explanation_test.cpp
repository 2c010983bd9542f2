// What the provider says of its settings, its device and its decisions, and the self-test that brings the device up.
#include "support/differential.h"
#include "support/digest.h"

#include <openssl/err.h>

#include <nlohmann/json.hpp>

namespace gpuaes::test {
namespace {

using nlohmann::ordered_json;

ordered_json document(const Library& library, const char* parameter) { return ordered_json::parse(library.text(parameter)); }

ordered_json setting(const Library& library, const std::string& name)
{
  for (const ordered_json& each : document(library, "gpuaes.settings"))
    if (each["name"] == name) return each;
  return nullptr;
}

std::uint64_t sum(const ordered_json& numbers)
{
  std::uint64_t all = 0;
  for (const auto& [name, value] : numbers.items()) all += value.get<std::uint64_t>();
  return all;
}

bool self_test(const Library& library) { return OSSL_PROVIDER_self_test(library.gpuaes()) == 1; }

void encrypt(const Library& library, const std::string& cipher, std::size_t bytes, int calls = 1)
{
  const Bytes key = test_key(key_bytes_of(cipher));
  Traced context(library, cipher);
  context.init(&key, &key, true);
  context.set_padding(false);
  for (int i = 0; i < calls; ++i) context.update(pattern(bytes));
  context.final();
}

TEST(SafetyExplanation, SettingsSayWhereTheyComeFrom)
{
  const Library library = Library::with_gpuaes({{"device", "host"}, {"min_bytes", "64k"}, {"min_bytes_ecb", "1m"}});
  EXPECT_EQ(setting(library, "verify"), (ordered_json{{"name", "verify"}, {"value", "sample"}, {"origin", "default"}}));
  EXPECT_EQ(setting(library, "device")["origin"], "environment GPUAES_DEVICE");
  EXPECT_EQ(setting(library, "min_bytes_ecb")["value"], "1m");
  EXPECT_EQ(setting(library, "min_bytes_ctr"),
            (ordered_json{{"name", "min_bytes_ctr"}, {"value", "64k"}, {"origin", "min_bytes"}}));
  EXPECT_EQ(setting(Library::with_gpuaes({{"device", "host"}}), "min_bytes_ctr")["origin"], "default");
}

TEST(SafetyExplanation, ABadSettingIsNotInForce)
{
  const Library library = Library::with_gpuaes({{"device", "host"}, {"verify", "perhaps"}});
  EXPECT_EQ(setting(library, "verify")["value"], "sample");
  EXPECT_EQ(setting(library, "verify")["origin"], "default");
  EXPECT_EQ(setting(library, "mode"), (ordered_json{{"name", "mode"}, {"value", "never"}, {"origin", "a setting is wrong"}}));
  EXPECT_FALSE(self_test(library));
  take_errors();
}

// What is shown as the default is what one may write, and changes nothing.
TEST(SafetyExplanation, DefaultsAreGoodSettings)
{
  Settings all;
  {
    const Library library = Library::with_gpuaes({{"device", "host"}});
    for (const ordered_json& each : document(library, "gpuaes.settings"))
      if (each["value"] != "") all[each["name"].get<std::string>()] = each["value"].get<std::string>();
  }
  EXPECT_EQ(all.size(), 17u) << "all but stats, which has none";
  const Library plain = Library::with_gpuaes({{"device", "host"}});
  const Library explicitly = Library::with_gpuaes(all);
  EXPECT_EQ(explicitly.text("gpuaes.error"), "");
  EXPECT_EQ(explicitly.text("gpuaes.crossover"), plain.text("gpuaes.crossover"));
}

TEST(SafetyExplanation, TheSelfTestBringsTheDeviceUp)
{
  const Library library = Library::with_gpuaes({{"device", "host"}});
  EXPECT_EQ(library.text("gpuaes.state"), "idle");
  EXPECT_EQ(document(library, "gpuaes.devices"), ordered_json::array());
  EXPECT_EQ(document(library, "gpuaes.known_answers"), ordered_json::array());
  EXPECT_TRUE(self_test(library));
  EXPECT_TRUE(self_test(library));
  EXPECT_EQ(library.text("gpuaes.state"), "ready");
  const ordered_json devices = document(library, "gpuaes.devices");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0]["name"], "host (stand-in)");
  EXPECT_EQ(devices[0]["compute_capability"], "9.0");
  EXPECT_EQ(document(library, "gpuaes.software")["driver_cuda"], "13.0");
  const ordered_json tests = document(library, "gpuaes.known_answers");
  EXPECT_EQ(tests.size(), 10u);
  for (const ordered_json& test : tests) EXPECT_TRUE(test["passed"].get<bool>()) << test;
  const ordered_json crossover = document(library, "gpuaes.crossover");
  EXPECT_EQ(crossover["rates_from"], "built-in");
  EXPECT_EQ(crossover["table"].size(), 9 * 6 + 3u);
}

// OpenSSL forgets the ciphers of a provider that fails its self-test; they are fetched again, and serve.
TEST(SafetyExplanation, AFailedSelfTestLocksNobodyOut)
{
  const Library library = Library::with_gpuaes({{"device", "host"}, {"devices", "7"}});
  encrypt(library, "AES-128-CTR", 1000);
  EXPECT_FALSE(self_test(library));
  EXPECT_NE(ERR_peek_error(), 0u);
  take_errors();
  EXPECT_EQ(library.text("gpuaes.state"), "absent");
  compare(library, "AES-256-CTR", [](Traced& context) {
    const Bytes key = test_key(32);
    context.init(&key, &key, true);
    context.update(pattern(100'000));
    context.final();
  });
  EXPECT_GT(library.number("gpuaes.bytes.default"), 100'000u);
}

TEST(SafetyExplanation, EachCallIsCountedUnderOneReason)
{
  const Library library =
      Library::with_gpuaes({{"device", "host"}, {"min_bytes", "64k"}, {"keystream_ahead", "64k"}, {"pinned_bytes", "64m"}});
  encrypt(library, "AES-256-ECB", 100'000);
  EXPECT_TRUE(self_test(library));
  encrypt(library, "AES-256-ECB", 160, 3);
  encrypt(library, "AES-256-ECB", 100'000);
  encrypt(library, "AES-128-CTR", 1000, 1000);
  encrypt(library, "AES-128-CTR", 100'000, 3);
  {
    Digesting digest(library, "CRC16");
    const Bytes message = pattern(100'000);
    digest.update(message);
    digest.update(Bytes(message.begin(), message.begin() + 10));
  }
  {
    // Input and output that overlap.
    const Bytes key = test_key(16);
    Traced context(library, "AES-128-CTR");
    context.init(&key, &key, true);
    Bytes data = pattern(100'100);
    context.update_raw(data.data() + 50, data.data(), 100'000);
    context.final();
  }
  take_errors();
  const ordered_json stats = document(library, "gpuaes.stats");
  const ordered_json reasons = document(library, "gpuaes.reasons");
  EXPECT_EQ(reasons, stats["reasons"]);
  EXPECT_EQ(sum(reasons), sum(stats["calls"])) << stats.dump(2);
  EXPECT_EQ(reasons["not_ready"], 1u);
  EXPECT_EQ(reasons["unsuitable"], 1u);
  EXPECT_GE(reasons["min_bytes"].get<std::uint64_t>(), 2u) << stats.dump(2);
  // Those by the device are counted as its calls, and the others as the default provider's.
  const std::uint64_t by_device = sum({{"a", reasons["device_faster"]}, {"b", reasons["min_bytes"]}, {"c", reasons["ring"]}});
  EXPECT_EQ(by_device, stats["calls"]["device"].get<std::uint64_t>() + stats["calls"]["keystream"].get<std::uint64_t>());
}

// Through ordinary memory and no helpers a device never wins, however large the call.
TEST(SafetyExplanation, WhatIsNeverOfferedIsNotCalledSmall)
{
  const Library library = Library::with_gpuaes({{"device", "host"}, {"helper_threads", "0"}});
  EXPECT_TRUE(self_test(library));
  encrypt(library, "AES-256-ECB", 1'000'000, 3);
  EXPECT_EQ(document(library, "gpuaes.reasons")["cpu_faster"], 3u);
}

TEST(SafetyExplanation, WithoutADeviceSmallCallsSayThatToo)
{
  const Library library = Library::with_gpuaes({{"device", "host"}, {"mode", "never"}});
  encrypt(library, "AES-256-ECB", 160, 3);
  EXPECT_EQ(document(library, "gpuaes.reasons")["never"], 3u);
  EXPECT_EQ(sum(document(library, "gpuaes.reasons")), 3u);
}

}  // namespace
}  // namespace gpuaes::test
