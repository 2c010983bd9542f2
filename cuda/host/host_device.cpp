// The stand-in for a GPU: a thread for each stream, memory of its own, and faults on request. It is for tests; in production the
// fallback is OpenSSL's default provider.
#include "../engine/blocked_signals.h"
#include "../engine/device.h"
#include "../engine/why_unusable.h"
#include "host_faults.h"
#include "host_kernels.h"
#include "host_match.h"
#include "host_memory.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace gpuaes {
namespace {

class HostStream final : public Stream {
 public:
  explicit HostStream(std::size_t number) : number_(number)
  {
    const BlockedSignals blocked;
    thread_ = std::thread([this] { serve(); });
  }

  ~HostStream() override
  {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void copy(void* to, const void* from, std::size_t bytes) override
  {
    const bool fails = host_faults::count_queued(number_, "copy");
    add([=] {
      // A copy that fails has done some harm already.
      std::memmove(host_memory::reach(to), host_memory::reach(from), fails ? bytes / 2 : bytes);
      if (fails) host_faults::fail("copy");
    });
  }

  void clear(void* at, std::size_t bytes) override
  {
    const bool fails = host_faults::count_queued(number_, "clear");
    add([=] {
      if (fails) host_faults::fail("clear");
      std::memset(host_memory::reach(at), 0, bytes);
    });
  }

  void run(const AesJob& job) override
  {
    const bool fails = host_faults::count_queued(number_, "run");
    const bool corrupt = host_faults::count_job_to_corrupt(number_);
    AesJob reached = job;
    if (job.in != nullptr) reached.in = host_memory::reach(job.in);
    reached.out = host_memory::reach(job.out);
    add([=]() mutable {
      if (fails) reached.blocks /= 2;
      run_on_host(reached);
      auto* out = static_cast<std::uint8_t*>(reached.out);
      for (std::size_t i = 0; corrupt && i < reached.blocks; ++i) out[i * kBlockBytes] ^= 1;
      if (fails) host_faults::fail("run");
    });
  }

  void run(const Crc16Job& job) override
  {
    const bool fails = host_faults::count_queued(number_, "run");
    const bool corrupt = host_faults::count_job_to_corrupt(number_);
    Crc16Job reached = job;
    reached.data = host_memory::reach(job.data);
    add([=]() mutable {
      if (fails) reached.bytes /= 2;
      run_on_host(reached);
      if (corrupt) reached.answer->sum ^= 1;
      if (fails) host_faults::fail("run");
    });
  }

  void run(const MatchJob& job) override
  {
    const bool fails = host_faults::count_queued(number_, "match");
    const auto reach = [](auto*& pointer) {
      if (pointer != nullptr) pointer = static_cast<std::remove_reference_t<decltype(pointer)>>(host_memory::reach(pointer));
    };
    MatchJob reached = job;
    reach(reached.tables.memory);
    reach(reached.text.bytes);
    reach(reached.counts);
    reach(reached.found);
    reach(reached.hits);
    add([=] {
      if (fails) host_faults::fail("match");
      match_on_host(reached);
    });
  }

  void follow_application() override { host_faults::count_call(number_, "follow_application"); }

  void wait() override
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return queue_.empty() && !busy_; });
    if (error_) throw *std::exchange(error_, std::nullopt);
    lock.unlock();
    host_faults::count_call(number_, "wait");
  }

  bool done() override
  {
    const std::lock_guard lock(mutex_);
    if (!queue_.empty() || busy_) return false;
    if (error_) throw *std::exchange(error_, std::nullopt);
    host_faults::count_call(number_, "done");
    return true;
  }

 private:
  void add(std::function<void()> work)
  {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
    }
    changed_.notify_all();
  }

  void serve()
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const std::function<void()> work = std::move(queue_.front());
      queue_.pop_front();
      busy_ = true;
      const bool skip = error_.has_value();
      lock.unlock();
      host_faults::wait_while_held(number_);
      std::optional<DeviceError> error;
      try {
        if (!skip) work();
      } catch (const DeviceError& thrown) {
        error = thrown;
      }
      lock.lock();
      if (error) error_ = error;
      busy_ = false;
      if (queue_.empty()) idle_.notify_all();
    }
  }

  const std::size_t number_;  // of its device
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> queue_;
  std::optional<DeviceError> error_;
  bool busy_ = false;
  bool stop_ = false;
  std::thread thread_;
};

class HostDevice final : public Device {
 public:
  explicit HostDevice(std::size_t number) : number_(number) {}

  const DeviceInfo& info() const noexcept override { return info_; }

  std::unique_ptr<Stream> make_stream() override
  {
    host_faults::count_call(number_, "make_stream");
    return std::make_unique<HostStream>(number_);
  }

  void* allocate(MemoryKind kind, std::size_t bytes) override
  {
    host_faults::wait_while_calls_are_held(number_);
    host_faults::count_call(number_, "allocate");
    return host_memory::allocate(kind, bytes);
  }

  void release(MemoryKind, void* memory) noexcept override { host_memory::release(memory); }

 private:
  const std::size_t number_;
  DeviceInfo info_{.ordinal = 0,
                   .name = "host (stand-in)",
                   .compute_capability = 90,
                   .multiprocessors = 1,
                   .memory_bytes = std::size_t{1} << 30};
};

class HostPlatform final : public Platform {
 public:
  DevicePointers device_pointers() const noexcept override { return DevicePointers::likely; }
  MemoryPlace place_of(const void* memory) const noexcept override { return host_memory::place_of(memory); }

  Software software() const override
  {
    return {.driver = "stand-in", .driver_cuda = 13000, .built_with_cuda = 13000, .devices_found = 1};
  }

  std::unique_ptr<Device> open(std::span<const int> ordinals, const std::function<void()>& between_stages) override
  {
    const std::size_t number = host_faults::number_device();
    host_faults::count_call(number, "open");
    between_stages();
    for (const int ordinal : ordinals)
      if (ordinal == 0) return std::make_unique<HostDevice>(number);
    if (ordinals.empty()) return std::make_unique<HostDevice>(number);
    throw DeviceError(DeviceError::Kind::absent, "No device can be used. Device " + std::to_string(ordinals.front()) +
                                                     why::kNoSuchDevice + ": the stand-in has only device 0.");
  }
};

}  // namespace

std::unique_ptr<Platform> make_host_platform() { return std::make_unique<HostPlatform>(); }

}  // namespace gpuaes
