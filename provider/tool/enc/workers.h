// The threads of a transfer: some encrypt with the processor, some feed the device once it is there.
#pragma once

#include "accelerator.h"
#include "pace.h"
#include "settings.h"
#include "transfer.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

namespace gpuaes::enc {

class Workers {
 public:
  // `accelerator` is null where no device may be used. `left`: bytes that are still to be done in this run, by what is known now.
  Workers(const Settings& settings, Transfer& transfer, Accelerator* accelerator, std::function<std::uint64_t()> left)
      : settings_(settings), transfer_(transfer), accelerator_(accelerator), left_(std::move(left))
  {
  }

  // Does all with `threads` threads, calling `look` now and then meanwhile. With one, that may be the caller's. Throws what the
  // first thread that failed did.
  void run(int threads, const std::function<void()>& look);

 private:
  void work(int index, int feeders);
  bool may_prepare_feeding();
  void feed();
  void encrypt_until(const std::function<bool()>& enough);
  void start_device_if_worthwhile();

  const Settings& settings_;
  Transfer& transfer_;
  Accelerator* const accelerator_;
  const std::function<std::uint64_t()> left_;
  Pace pace_;
  int threads_ = 1;
  std::atomic<bool> preparing_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace gpuaes::enc
