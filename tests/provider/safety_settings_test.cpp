// Good settings are taken, bad ones reported and survived.
#include "support/differential.h"

#include <openssl/err.h>

#include <algorithm>
#include <cctype>

namespace gpuaes::test {
namespace {

struct Key {
  const char* name;
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

const std::vector<std::string> kNoSizes = {"",
                                           "x",
                                           "-1",
                                           "+1",
                                           "1.5",
                                           "1x",
                                           "1kk",
                                           "k",
                                           "0x10",
                                           " 64k",
                                           "64k ",
                                           "64K ",
                                           "1e6",
                                           "AUTO",
                                           "99999999999999999999",
                                           "17179869184g"};

std::vector<std::string> and_off(std::vector<std::string> list)
{
  list.insert(list.end(), {"OFF", "on", "false"});
  return list;
}

const Key kKeys[] = {
    {"mode", {"auto", "always", "never"}, {"", "Auto", "on", "auto ", " auto", "1", "always,never"}},
    {"devices", {"all", "0", "0,1", "3,0"}, {"", "ALL", ",", "0,", ",0", "-1", "a", "0 1", "0;1", "99999999"}},
    {"min_bytes", {"auto", "0", "1", "65536", "64k", "16m", "1g"}, kNoSizes},
    {"min_bytes_ctr", {"auto", "0", "64k"}, kNoSizes},
    {"min_bytes_ecb", {"auto", "0", "64k"}, kNoSizes},
    {"min_bytes_crc16", {"auto", "0", "64k"}, kNoSizes},
    {"keystream_ahead", {"auto", "off", "16m", "1"}, and_off(kNoSizes)},
    {"helper_threads", {"auto", "0", "1", "16", "256"}, {"", "-1", "1k", "many", "1.0", "257", "100000"}},
    {"startup", {"load", "auto", "1g", "0"}, {"", "now", "-1", "1x", "Load"}},
    {"verify", {"off", "sample", "all"}, {"", "none", "ALL", "1"}},
    {"pinned_bytes", {"256m", "0", "1g"}, {"", "auto", "x", "-1", "1t"}},
    {"device_bytes", {"1g", "0", "64m"}, {"", "auto", "x", "-1", "1t"}},
    {"on_error", {"fallback", "fail"}, {"", "abort", "FAIL", "0"}},
    {"trace", {"off", "/dev/null"}, {""}},
    {"device", {"cuda", "host"}, {"", "gpu", "Host", "0"}},
    {"strict", {"0", "1"}, {"", "2", "yes", "true"}},
};

std::string variable(const char* key)
{
  std::string name = "GPUAES_";
  for (const char* c = key; *c != 0; ++c) name += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
  return name;
}

bool is_served(const Library& library)
{
  const Bytes key = test_key(16);
  const Library reference = Library::with_default();
  Traced expected(reference, "AES-128-ECB");
  Traced got(library, "AES-128-ECB");
  for (Traced* context : {&expected, &got}) {
    context->init(&key, nullptr, true);
    context->update(pattern(100'000));
    context->final();
  }
  return expected.output() == got.output() && expected.trace() == got.trace();
}

TEST(SafetySettings, GoodOnesAreTaken)
{
  for (const Key& key : kKeys)
    for (const std::string& value : key.good) {
      SCOPED_TRACE(std::string(key.name) + " = " + value);
      Settings settings = {{"device", "host"}};
      settings[key.name] = value;
      const Library library = Library::with_gpuaes(settings);
      EXPECT_EQ(library.status(), 1);
      EXPECT_EQ(library.text("gpuaes.error"), "");
    }
}

TEST(SafetySettings, BadOnesAreReportedAndEverythingIsServed)
{
  for (const Key& key : kKeys)
    for (const std::string& value : key.bad) {
      SCOPED_TRACE(std::string(key.name) + " = " + value);
      Settings settings = {{"device", "host"}, {"startup", "load"}, {"min_bytes_ecb", "1"}};
      settings[key.name] = value;
      const Library library = Library::with_gpuaes(settings);
      EXPECT_EQ(library.status(), 0);
      const std::string error = library.text("gpuaes.error");
      EXPECT_NE(error.find(variable(key.name)), std::string::npos) << error;
      EXPECT_NE(error.find(value), std::string::npos) << error;
      EXPECT_NE(error.find("allowed"), std::string::npos) << error;
      EXPECT_TRUE(is_served(library));
      EXPECT_EQ(library.number("gpuaes.bytes.default"), 100'000u);
      EXPECT_EQ(library.number("gpuaes.bytes.device"), 0u);
      EXPECT_EQ(library.text("gpuaes.state"), "idle");
      EXPECT_EQ(library.text("gpuaes.reason"), error);
    }
}

TEST(SafetySettings, SeveralBadOnesAreAllNamed)
{
  const Library library = Library::with_gpuaes({{"mode", "bad1"}, {"verify", "bad2"}, {"device", "host"}});
  const std::string error = library.text("gpuaes.error");
  EXPECT_NE(error.find("bad1"), std::string::npos) << error;
  EXPECT_NE(error.find("bad2"), std::string::npos) << error;
}

TEST(SafetySettings, UnknownVariablesAreReported)
{
  const Library library = Library::with_gpuaes({{"foo", "1"}, {"device", "host"}});
  EXPECT_EQ(library.status(), 0);
  const std::string error = library.text("gpuaes.error");
  EXPECT_NE(error.find("GPUAES_FOO"), std::string::npos) << error;
  EXPECT_NE(error.find("GPUAES_MODE"), std::string::npos) << error;
  EXPECT_TRUE(is_served(library));
}

TEST(SafetySettings, StrictRefusesToLoad)
{
  for (const Settings& bad : {Settings{{"mode", "bad"}}, Settings{{"foo", "1"}}}) {
    Settings settings = bad;
    settings["strict"] = "1";
    settings["device"] = "host";
    take_errors();
    EXPECT_THROW(Library::with_gpuaes(settings), std::runtime_error);
    std::string texts;
    while (const unsigned long error = ERR_get_error()) texts.append(ERR_error_string(error, nullptr)).append("\n");
    EXPECT_FALSE(texts.empty());
  }
  // Good settings load, strict or not.
  EXPECT_EQ(Library::with_gpuaes({{"strict", "1"}, {"device", "host"}}).status(), 1);
}

TEST(SafetySettings, MinBytesIsTheBoundOfWhatIsOffered)
{
  const Library library = Library::with_gpuaes(
      {{"min_bytes", "1"}, {"min_bytes_ecb", "4096"}, {"startup", "load"}, {"device", "host"}, {"keystream_ahead", "off"}});
  EXPECT_EQ(library.settled_state(), "ready");
  const Bytes key = test_key(16);
  for (const std::string cipher : {"AES-128-ECB", "AES-128-CTR"}) {
    Traced context(library, cipher);
    context.init(&key, &key, true);
    context.set_padding(false);
    context.update(pattern(4080));
    context.update(pattern(4096));
  }
  EXPECT_EQ(library.number("gpuaes.bytes.device"), 4096u + 4080u + 4096u);
  EXPECT_EQ(library.number("gpuaes.bytes.default"), 4080u);
}

}  // namespace
}  // namespace gpuaes::test
