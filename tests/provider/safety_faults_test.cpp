// Every call of the stand-in fails in every way while an application works: it sees what it would see of the default provider.
#include "host/host_faults.h"
#include "host/host_memory.h"
#include "support/differential.h"
#include "support/scale.h"
#include "support/test_device.h"

#include <openssl/err.h>

namespace gpuaes::test {
namespace {

class SafetyFaults : public OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }
};

const Settings kFromOneByte = {{"min_bytes", "1"}, {"startup", "load"}, {"helper_threads", "0"}};

void application(Traced& context)
{
  const Bytes key = test_key(24);
  const Bytes iv = from_hex("00112233445566778899aabbffffff00");
  context.init(&key, &iv, true);
  context.update(pattern(5));
  context.parameters();
  context.update(pattern(300'000));
  context.parameters();
  context.update_in_place(pattern(99'980 + 3));
  context.parameters();
  context.final();
  context.init(nullptr, &iv, false);
  context.update(pattern(4096));
  context.parameters();
}

// Loads the provider, works with both modes, and unloads it.
void run(const Settings& settings, const std::function<void(const Library&)>& before_work,
         const std::function<void(const Library&)>& after_work)
{
  const Library library = Library::with_gpuaes(settings);
  library.settled_state();
  before_work(library);
  for (const std::string cipher : {"AES-192-CTR", "AES-192-ECB"}) compare(library, cipher, application);
  after_work(library);
}

constexpr DeviceError::Kind kKinds[] = {DeviceError::Kind::failed, DeviceError::Kind::out_of_memory, DeviceError::Kind::lost};

TEST_F(SafetyFaults, EveryCallFromLoadingOn)
{
  const std::size_t before = host_memory::live_allocations();
  std::size_t calls = 0;
  std::size_t calls_of_bring_up = 0;
  host_faults::set({});
  run(
      kFromOneByte, [&](const Library&) { calls_of_bring_up = host_faults::calls(); },
      [&](const Library& library) {
        EXPECT_EQ(library.number("gpuaes.device_errors"), 0u);
        EXPECT_GT(library.number("gpuaes.bytes.device"), 0u);
        calls = host_faults::calls();
      });
  ASSERT_GT(calls, calls_of_bring_up + 10);
  EXPECT_EQ(host_memory::live_allocations(), before);

  for (const DeviceError::Kind kind : kKinds)
    for (const bool when_executed : {false, true})
      for (std::size_t n = 1; n <= calls; n += scaled(1, 9)) {
        SCOPED_TRACE(::testing::Message() << "call " << n << " of " << calls << ", kind " << static_cast<int>(kind)
                                          << (when_executed ? ", when executed" : ""));
        host_faults::set({.fail_at = n, .kind = kind, .when_executed = when_executed});
        run(
            kFromOneByte, [](const Library&) {},
            [&](const Library& library) {
              const std::uint64_t errors = library.number("gpuaes.device_errors");
              EXPECT_EQ(library.number("gpuaes.redone_on_cpu"), errors);
              EXPECT_EQ(library.number("gpuaes.verify_failures"), 0u);
              const std::string state = library.text("gpuaes.state");
              if (n <= calls_of_bring_up) {
                EXPECT_EQ(state, "absent");
              } else if (errors > 0 && kind == DeviceError::Kind::lost) {
                EXPECT_EQ(state, "lost");
              } else {
                EXPECT_EQ(state, "ready");
              }
              if (state != "ready") {
                EXPECT_NE(library.text("gpuaes.reason").find("Fault injected"), std::string::npos);
              }
            });
        EXPECT_EQ(host_memory::live_allocations(), before);
        if (HasFailure()) return;
      }
}

TEST_F(SafetyFaults, AWrongResultIsRedoneAndEndsTheDevice)
{
  for (std::size_t job = 1; job <= 3; ++job) {
    host_faults::set({});
    run(
        kFromOneByte, [&](const Library&) { host_faults::set({.corrupt_job = job}); },
        [](const Library& library) {
          EXPECT_EQ(library.number("gpuaes.verify_failures"), 1u);
          EXPECT_EQ(library.number("gpuaes.device_errors"), 1u);
          EXPECT_EQ(library.number("gpuaes.redone_on_cpu"), 1u);
          EXPECT_EQ(library.text("gpuaes.state"), "lost");
        });
  }
}

// With fallback switched off the application gets our error, and can go on with the same context.
void expect_error_and_recovery(const Settings& settings, const host_faults::Plan& plan, const std::string& text)
{
  host_faults::set({});
  const Library library = Library::with_gpuaes(settings);
  library.settled_state();
  for (const std::string& cipher : kCipherNames) {
    SCOPED_TRACE(cipher);
    const Bytes key = test_key(key_bytes_of(cipher));
    const Bytes iv = pattern(16);
    Traced context(library, cipher);
    context.init(&key, &iv, true);
    context.set_padding(false);
    context.update(pattern(160));  // waits for the device
    const Bytes input = pattern(4096);
    Bytes output(4096 + 32);
    int written = 0;
    host_faults::set(plan);
    EXPECT_EQ(EVP_CipherUpdate(context.get(), output.data(), &written, input.data(), 4096), 0);
    host_faults::set({});
    const unsigned long error = ERR_peek_last_error();
    EXPECT_STREQ(ERR_reason_error_string(error), text.c_str());
    EXPECT_NE(ERR_GET_LIB(error), ERR_LIB_PROV);
    const char* data = nullptr;
    int flags = 0;
    ERR_peek_last_error_data(&data, &flags);
    EXPECT_NE(std::string(data).find("Fault injected"), std::string::npos) << data;
    take_errors();

    compare(library, cipher, [&](Traced& other) {
      other.init(&key, &iv, true);
      other.update(pattern(5000));
    });
    EXPECT_EQ(EVP_CipherInit_ex2(context.get(), nullptr, key.data(), iv.data(), 1, nullptr), 1);
    EXPECT_EQ(EVP_CipherUpdate(context.get(), output.data(), &written, input.data(), 4096), 1) << take_errors();
  }
  EXPECT_EQ(library.number("gpuaes.redone_on_cpu"), 0u);
  EXPECT_EQ(library.number("gpuaes.device_errors"), 6u);
}

TEST_F(SafetyFaults, AlwaysRaisesTheDevicesError)
{
  expect_error_and_recovery({{"mode", "always"}}, {.fail_at = 2}, "device operation failed");
}

TEST_F(SafetyFaults, OnErrorFailRaisesTheDevicesError)
{
  Settings settings = kFromOneByte;
  settings["on_error"] = "fail";
  expect_error_and_recovery(settings, {.fail_at = 1, .when_executed = true}, "device operation failed");
}

TEST_F(SafetyFaults, AlwaysWithoutADeviceSaysSo)
{
  host_faults::set({});
  const Library library = Library::with_gpuaes({{"mode", "always"}, {"devices", "5"}});
  const Bytes key = test_key(16);
  Traced context(library, "AES-128-ECB");
  context.init(&key, nullptr, true);
  Bytes buffer(64);
  int written = 0;
  EXPECT_EQ(EVP_CipherUpdate(context.get(), buffer.data(), &written, buffer.data(), 16), 0);
  EXPECT_STREQ(ERR_reason_error_string(ERR_peek_last_error()), "no device can be used");
  take_errors();
}

TEST_F(SafetyFaults, ALostDeviceStaysLost)
{
  host_faults::set({});
  const Library library = Library::with_gpuaes(kFromOneByte);
  EXPECT_EQ(library.settled_state(), "ready");
  host_faults::set({.fail_at = 2, .kind = DeviceError::Kind::lost});
  for (int i = 0; i < 5; ++i) compare(library, "AES-192-CTR", application);
  EXPECT_EQ(library.text("gpuaes.state"), "lost");
  EXPECT_EQ(library.number("gpuaes.device_errors"), 1u);
}

}  // namespace
}  // namespace gpuaes::test
