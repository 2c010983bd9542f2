// What the engine asks of an accelerator. cuda/gpu implements it with CUDA, cuda/host with threads of the processor.
//
// Every function that is not noexcept may throw DeviceError, also for work queued earlier on the same stream.
#pragma once

#include "crc16_job.h"
#include "jobs.h"
#include "match_job.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace gpuaes {

enum class MemoryKind : std::uint8_t {
  ordinary,  // pageable host memory
  pinned,    // page-locked host memory that kernels can reach
  managed,   // migrates between host and device on access
  device,    // on the engine's device, out of the processor's reach
  peer,      // on another device: copies reach it, kernels don't
};

constexpr bool host_can_access(MemoryKind kind) { return kind <= MemoryKind::managed; }
constexpr bool lives_on_device(MemoryKind kind) { return kind >= MemoryKind::managed; }

class DeviceError : public std::runtime_error {
 public:
  enum class Kind {
    absent,         // there is no usable device; `what` says why
    out_of_memory,  // nothing was changed, smaller work may succeed
    failed,         // this piece of work failed, later work may succeed
    lost,           // the device or its context is gone for this process
  };

  DeviceError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int compute_capability = 0;  // ten times the major number and the minor: 90
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
};

// What a platform's software is; what isn't known is empty or 0. Versions of CUDA are 1000 times the major number and ten times
// the minor: 13010.
struct Software {
  std::string driver;       // of the kernel's module: 580.95.05
  int driver_cuda = 0;      // the newest CUDA that the driver serves, once it was asked
  int built_with_cuda = 0;  // 0: without
  int devices_found = 0;
};

// Work in order, beside the work of other streams. Destroying a stream waits for its work and ignores errors.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* at, std::size_t bytes) = 0;
  virtual void run(const AesJob& job) = 0;
  // One at a time: the next after wait().
  virtual void run(const Crc16Job& job) = 0;
  virtual void run(const MatchJob& job) = 0;
  // Makes later work here wait for what the application has queued on its default stream.
  virtual void follow_application() = 0;
  // Blocks until all queued work is done.
  virtual void wait() = 0;
  // Whether all queued work is done; doesn't block.
  virtual bool done() = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const noexcept = 0;
  virtual std::unique_ptr<Stream> make_stream() = 0;
  // `kind` is pinned or device. The contents are undefined; the address is a multiple of 256.
  virtual void* allocate(MemoryKind kind, std::size_t bytes) = 0;
  virtual void release(MemoryKind kind, void* memory) noexcept = 0;
  // Marks what this thread does until the end for tools that record it. Ranges may be nested. `name` is a literal.
  virtual void begin_range(const char* /*name*/, std::size_t /*bytes*/) noexcept {}
  virtual void end_range() noexcept {}
};

class MarkedRange {
 public:
  MarkedRange(Device& device, const char* name, std::size_t bytes) : device_(device) { device_.begin_range(name, bytes); }
  ~MarkedRange() { device_.end_range(); }
  MarkedRange(const MarkedRange&) = delete;
  MarkedRange& operator=(const MarkedRange&) = delete;

 private:
  Device& device_;
};

// Where memory is, and on which device if it is on one.
struct MemoryPlace {
  MemoryKind kind = MemoryKind::ordinary;
  int ordinal = -1;
};

// How likely a pointer is the device's.
enum class DevicePointers : std::uint8_t {
  impossible,  // no context is active in this process
  unlikely,    // one is, but only because open() made it, and this thread hasn't used it
  likely,      // the application uses CUDA itself
};

// Where devices come from. Nothing but open() may start the accelerator's software in a process that hasn't.
class Platform {
 public:
  virtual ~Platform() = default;
  virtual DevicePointers device_pointers() const noexcept = 0;
  // `peer` is never returned: which device is the engine's is the engine's to know.
  virtual MemoryPlace place_of(const void* memory) const noexcept = 0;
  // From any thread, at any time.
  virtual Software software() const = 0;
  // Opens the first usable device of `ordinals`, or of all if empty. `between_stages` is called between steps that take long and
  // may throw to give up.
  virtual std::unique_ptr<Device> open(std::span<const int> ordinals, const std::function<void()>& between_stages) = 0;
};

std::unique_ptr<Platform> make_cuda_platform();
std::unique_ptr<Platform> make_host_platform();

}  // namespace gpuaes
