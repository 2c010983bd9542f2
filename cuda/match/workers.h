// The threads of a search: some search with the processor, some feed the device once it is there.
#pragma once

#include "accelerator.h"
#include "chunk_queue.h"
#include "chunk_search.h"
#include "demand.h"
#include "feeding.h"
#include "search.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace gpuaes::match {

class Workers {
 public:
  // `accelerator` is null where no device may be used. `expected`: bytes to search, as far as that is known. `failed` gets messages
  // about what ends the search.
  Workers(const Settings& settings, std::size_t overlap, ChunkQueue& queue, const ChunkSearch& search, Report& report,
          Accelerator* accelerator, std::uint64_t expected, std::function<void(const std::string&)> failed)
      : settings_(settings),
        overlap_(overlap),
        queue_(queue),
        search_(search),
        report_(report),
        accelerator_(accelerator),
        expected_(expected),
        failed_(std::move(failed))
  {
  }

  // Searches with `threads` threads to the end, calling `look` now and then meanwhile. With one, that is the caller's.
  void run(int threads, const std::function<void()>& look);

  std::uint64_t bytes_by_device() const { return bytes_by_device_.load(); }
  // When the device was up, and the bytes that had been handed out then; nothing if nobody fed it.
  struct DeviceUp {
    std::chrono::steady_clock::time_point time;
    std::uint64_t bytes;
  };
  std::optional<DeviceUp> device_up() const { return device_up_; }

 private:
  void work();
  bool may_feed();
  void feed();
  // Until there is nothing left, or it is `enough`, which it then says.
  bool search_until(const std::function<bool()>& enough);
  void start_device_if_worthwhile();

  const Settings& settings_;
  const std::size_t overlap_;
  ChunkQueue& queue_;
  const ChunkSearch& search_;
  Report& report_;
  Accelerator* const accelerator_;
  const std::uint64_t expected_;
  const std::function<void(const std::string&)> failed_;
  std::atomic<std::uint64_t> bytes_by_device_{0};
  std::once_flag first_feeder_;
  std::optional<DeviceUp> device_up_;
  Pace pace_;
  Feeding feeding_;
  int threads_ = 1;
  bool maps_ = false;
};

}  // namespace gpuaes::match
