// Proves which device the other suites of this run talk about.
#include "support/differential.h"
#include "support/test_device.h"

namespace gpuaes::test {
namespace {

using KatActiveDevice = OnDevice<>;

TEST_F(KatActiveDevice, IsTheOneAskedFor)
{
  const Library library = Library::with_gpuaes({{"mode", "always"}});
  const Bytes key = test_key(16);
  {
    Traced context(library, "AES-128-ECB");
    context.init(&key, nullptr, true);
    context.update(pattern(160));
  }
  EXPECT_EQ(library.text("gpuaes.state"), "ready");
  EXPECT_EQ(library.text("gpuaes.device") == "host (stand-in)", !on_cuda()) << library.text("gpuaes.device");
  EXPECT_EQ(library.number("gpuaes.bytes.device"), 160u);
  EXPECT_EQ(library.number("gpuaes.calls.device"), 1u);
  RecordProperty("device", library.text("gpuaes.device"));
}

}  // namespace
}  // namespace gpuaes::test
