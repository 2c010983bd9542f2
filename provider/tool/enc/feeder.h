// Carries pieces over the device, a few at a time, for one thread.
#pragma once

#include "accelerator.h"
#include "transfer.h"

#include <cstddef>
#include <cstdint>

namespace gpuaes::enc {

class Feeder {
 public:
  Feeder(Accelerator& accelerator, Transfer& transfer, Flights& flights);

  // Until no piece is left, or the device fails: then the processor does what was under way, and the device is given up. Errors of
  // files are thrown, with nothing left under way.
  void run();

 private:
  void fly();
  void launch(Flight& flight);
  void land(Flight& flight);
  void check(const Flight& flight);
  void land_without_device();
  void wait_for_all();

  Accelerator& accelerator_;
  Transfer& transfer_;
  Flights& flights_;
  const std::size_t under_way_;
  const Cipher::Context context_;
  std::size_t turn_ = 0;  // of the flight that is taken next, the oldest
};

}  // namespace gpuaes::enc
