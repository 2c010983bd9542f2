// One request on the stand-in with a fault in it, and how that ends.
#pragma once

#include "engine/engine.h"
#include "host/host_faults.h"
#include "host/host_memory.h"
#include "support/default_aes.h"
#include "support/print.h"
#include "support/test_device.h"
#include "support/test_memory.h"

#include <gtest/gtest.h>

#include <functional>

namespace gpuaes::test {

struct Shape {
  AesMode mode = AesMode::ctr;
  MemoryKind in = MemoryKind::ordinary;
  MemoryKind out = MemoryKind::ordinary;
  bool in_place = false;
  bool keystream = true;
  std::size_t bytes = (std::size_t{512} << 10) + 16;  // several chunks
};

inline std::string name_of_shape(const Shape& shape)
{
  return std::string(text_of(shape.mode)) + "_" + text_of(shape.in) + "_" + text_of(shape.out) +
         (shape.in_place ? "_InPlace" : "") + (shape.keystream ? "" : "_NoKeystream") + "_" + std::to_string(shape.bytes);
}

inline void PrintTo(const Shape& shape, std::ostream* out) { *out << name_of_shape(shape); }

enum class End { right, error, wrong };

class FaultyRun : public OnStandIn {
 protected:
  void TearDown() override { host_faults::set({}); }

  static Options options_for(const Shape& shape)
  {
    Options options;
    options.min_bytes_ctr = options.min_bytes_ecb = 1;
    options.keystream = shape.keystream;
    options.helper_threads = 0;
    options.startup.when = Startup::When::on_load;
    return options;
  }

  // One request on a device that was brought up without faults, and then gets `plan`.
  End run(const Shape& shape, const host_faults::Plan& plan, const std::function<void(Engine&, const AesRequest&)>& look = {})
  {
    host_faults::set({});
    Engine engine(options_for(shape), make_host_platform());
    TestMemory warm(MemoryKind::device, 16);
    Bytes ignored(16);
    engine.copy(warm.data(), ignored.data(), 16);  // waits for the device
    EXPECT_EQ(engine.state(), State::ready);

    const DefaultAes reference(shape.mode, test_key(16));
    const AesKey key = reference.engine_key();
    const Bytes input = pattern(shape.bytes);
    TestMemory in(shape.in, input);
    TestMemory apart(shape.out, shape.bytes);
    TestMemory& out = shape.in_place ? in : apart;
    const AesRequest request = reference.request(key, in.data(), out.data(), shape.bytes);
    End end = End::right;
    host_faults::set(plan);
    try {
      engine.process(request);
      if (out.download(0, shape.bytes) != reference.run(input)) end = End::wrong;
    } catch (const DeviceError&) {
      end = End::error;
    }
    calls_ = host_faults::calls();
    host_faults::set({});
    if (look) look(engine, request);
    return end;
  }

  std::size_t calls_of_clean_run(const Shape& shape)
  {
    EXPECT_EQ(run(shape, {}), End::right);
    return calls_;
  }

  std::size_t calls_ = 0;
};

}  // namespace gpuaes::test
