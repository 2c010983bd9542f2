// What the provider says of itself, by parameter and by file.
#include "engine/options.h"
#include "support/child.h"
#include "support/differential.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gpuaes::test {
namespace {

using nlohmann::ordered_json;

const Settings kHost = {{"mode", "always"}, {"device", "host"}};

void work(const Library& library)
{
  const Bytes key = test_key(16);
  for (const std::string cipher : {"AES-128-ECB", "AES-128-CTR"}) {
    Traced context(library, cipher);
    context.init(&key, &key, true);
    context.set_padding(false);
    context.update(pattern(1600));
    context.final();
  }
}

// The names and their order are those of the design; programs depend on them.
void expect_complete(const std::string& text)
{
  const ordered_json json = ordered_json::parse(text);
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"version", "state", "reason", "device", "calls", "bytes", "device_errors", "redone_on_cpu",
                                      "verify_failures", "rings_started", "pinned_bytes_held", "device_bytes_held", "reasons"}));
  for (const char* group : {"calls", "bytes"}) {
    std::vector<std::string> carriers;
    for (const auto& [name, value] : json[group].items()) {
      carriers.push_back(name);
      EXPECT_TRUE(value.is_number_unsigned());
    }
    EXPECT_EQ(carriers, (std::vector<std::string>{"device", "keystream", "default"}));
  }
  EXPECT_EQ(json["state"], "ready");
  EXPECT_EQ(json["device"], "host (stand-in)");
  EXPECT_EQ(json["bytes"]["device"], 1600);
  EXPECT_EQ(json["bytes"]["keystream"], 1600);
  EXPECT_EQ(json["calls"]["device"], 1);
  EXPECT_EQ(json["device_errors"], 0);
  EXPECT_EQ(json["pinned_bytes_held"], kLaneBytes);
  EXPECT_EQ(json["device_bytes_held"], kLaneBytes);
}

TEST(SafetyStatus, ParametersAreListedAndAgree)
{
  const Library library = Library::with_gpuaes(kHost);
  work(library);
  expect_complete(library.text("gpuaes.stats"));
  EXPECT_EQ(library.status(), 1);
  EXPECT_FALSE(library.text(OSSL_PROV_PARAM_NAME).empty());
  EXPECT_FALSE(library.text(OSSL_PROV_PARAM_VERSION).empty());
  EXPECT_FALSE(library.text(OSSL_PROV_PARAM_BUILDINFO).empty());
  for (const OSSL_PARAM* param = OSSL_PROVIDER_gettable_params(library.gpuaes()); param->key != nullptr; ++param) {
    SCOPED_TRACE(param->key);
    if (param->data_type == OSSL_PARAM_UTF8_PTR) {
      EXPECT_NO_THROW(library.text(param->key));
    } else if (param->data_type == OSSL_PARAM_UNSIGNED_INTEGER) {
      EXPECT_NO_THROW(library.number(param->key));
    }
  }
}

// Texts without end are kept one a parameter.
TEST(SafetyStatus, TextsOfOneRequestAreKeptApart)
{
  const Library library = Library::with_gpuaes(kHost);
  const char* settings = nullptr;
  const char* reasons = nullptr;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr("gpuaes.settings", const_cast<char**>(&settings), 0),
                         OSSL_PARAM_construct_utf8_ptr("gpuaes.reasons", const_cast<char**>(&reasons), 0),
                         OSSL_PARAM_construct_end()};
  ASSERT_EQ(OSSL_PROVIDER_get_params(library.gpuaes(), params), 1);
  EXPECT_EQ(library.text("gpuaes.settings"), settings);
  EXPECT_TRUE(ordered_json::parse(reasons).is_object());
}

TEST(SafetyStatus, OddRequests)
{
  const Library library = Library::with_gpuaes(kHost);
  OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
  EXPECT_EQ(OSSL_PROVIDER_get_params(library.gpuaes(), none), 1);
  int value = 42;
  for (const char* name : {"no-such-parameter", "gpuaes.", "gpuaes.calls", "gpuaes.calls.", "gpuaes.state.x", "gpuaes.no.such"}) {
    OSSL_PARAM params[] = {OSSL_PARAM_construct_int(name, &value), OSSL_PARAM_construct_end()};
    OSSL_PROVIDER_get_params(library.gpuaes(), params);
    EXPECT_EQ(value, 42) << name;
  }
  // The wrong type is an error or ignored, never written.
  OSSL_PARAM wrong[] = {OSSL_PARAM_construct_int("gpuaes.state", &value), OSSL_PARAM_construct_end()};
  OSSL_PROVIDER_get_params(library.gpuaes(), wrong);
  EXPECT_EQ(value, 42);
  take_errors();
}

class SafetyStatsFile : public ::testing::Test {
 protected:
  SafetyStatsFile()
  {
    char name[] = "/tmp/gpuaes-test-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~SafetyStatsFile() override { std::filesystem::remove_all(folder_); }

  std::string read(const std::string& name) const
  {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Settings settings(const std::string& stats) const
  {
    Settings result = kHost;
    result["stats"] = stats;
    return result;
  }
  std::filesystem::path folder_;
};

TEST_F(SafetyStatsFile, IsWrittenAtTeardown)
{
  {
    const Library library = Library::with_gpuaes(settings(folder_ / "of-%p.json"));
    work(library);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
  expect_complete(read("of-" + std::to_string(getpid()) + ".json"));
}

TEST_F(SafetyStatsFile, TheTraceHasALineForEachDecision)
{
  Settings traced = kHost;
  traced["trace"] = folder_ / "trace-of-%p";
  work(Library::with_gpuaes(traced));
  const std::string trace = read("trace-of-" + std::to_string(getpid()));
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 2) << trace;
  EXPECT_NE(trace.find(" algorithm=AES-128-ECB-encrypt bytes=1600 in=ordinary out=ordinary route=staged-staged reason=forced "),
            std::string::npos)
      << trace;
  EXPECT_NE(trace.find(" algorithm=AES-128-CTR bytes=1600 in=ordinary out=ordinary route=none-xored reason=forced "),
            std::string::npos)
      << trace;
}

// Where an application leaks a context, teardown never comes.
TEST_F(SafetyStatsFile, IsWrittenAtExit)
{
  EXPECT_TRUE(succeeds_in_child([&] {
    auto* library = new Library(Library::with_gpuaes(settings(folder_ / "leaked.json")));
    work(*library);
    new Traced(*library, "AES-128-CTR");
    return true;
  }));
  expect_complete(read("leaked.json"));
}

TEST_F(SafetyStatsFile, MinusIsStandardError)
{
  const std::string name = folder_ / "stderr";
  EXPECT_TRUE(succeeds_in_child([&] {
    if (std::freopen(name.c_str(), "w", stderr) == nullptr) return false;
    const Library library = Library::with_gpuaes(settings("-"));
    work(library);
    return true;
  }));
  expect_complete(read("stderr"));
}

// The process would wait for one at its end.
TEST_F(SafetyStatsFile, AFifoWithoutAReaderHurtsNobody)
{
  const std::string name = folder_ / "fifo";
  ASSERT_EQ(mkfifo(name.c_str(), 0600), 0);
  Settings to_fifo = settings(name);
  to_fifo["trace"] = name;
  EXPECT_TRUE(succeeds_in_child([&] {
    const Library library = Library::with_gpuaes(to_fifo);
    work(library);
    return library.status() == 1;
  }));
}

TEST_F(SafetyStatsFile, NamesThatAreNotUtf8)
{
  const std::string name = folder_ / "m\xfcll";
  {
    const Library library = Library::with_gpuaes(settings(name));
    work(library);
    EXPECT_NE(library.text("gpuaes.settings").find("stats"), std::string::npos);
  }
  expect_complete(read("m\xfcll"));
}

TEST_F(SafetyStatsFile, AFileThatCannotBeWrittenHurtsNobody)
{
  const Library library = Library::with_gpuaes(settings(folder_ / "no-such-folder" / "file"));
  work(library);
  EXPECT_EQ(library.status(), 1);
}

}  // namespace
}  // namespace gpuaes::test
