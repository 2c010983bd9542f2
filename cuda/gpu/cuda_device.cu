// The Device interface on CUDA: one primary context, which the application may share, and never its current context.
#include "../engine/device.h"
#include "../engine/why_unusable.h"
#include "aes_kernels.cuh"
#include "check.cuh"
#include "crc16_mailbox.cuh"
#include "driver.h"
#include "match_kernels.cuh"
#include "ranges.h"

#include <cuda_runtime.h>

#include <atomic>
#include <numeric>
#include <optional>
#include <vector>

namespace gpuaes {
namespace {

// For calls from an application's thread: the device's context is current, and what the application may be capturing into a graph
// on this thread or another isn't disturbed by what is done here.
class InContext {
 public:
  explicit InContext(void* context) : context_(context) { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~InContext() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  driver::CurrentContext context_;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

class CudaStream final : public Stream {
 public:
  CudaStream(void* context, const KernelLimits& limits) : context_(context), limits_(limits)
  {
    const InContext current(context_);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const cudaError_t result = cudaEventCreateWithFlags(&application_, cudaEventDisableTiming);
    if (result != cudaSuccess) cudaStreamDestroy(stream_);
    check(result, "cudaEventCreateWithFlags");
  }

  // Errors are no news here: a context that is gone has taken the stream with it.
  ~CudaStream() override
  {
    try {
      const InContext current(context_);
      cudaStreamSynchronize(stream_);
      crc16_.reset();
      cudaEventDestroy(application_);
      cudaStreamDestroy(stream_);
      cudaGetLastError();
    } catch (const DeviceError&) {
    }
  }

  void copy(void* to, const void* from, std::size_t bytes) override
  {
    const InContext current(context_);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
  }

  void clear(void* at, std::size_t bytes) override
  {
    const InContext current(context_);
    check(cudaMemsetAsync(at, 0, bytes, stream_), "cudaMemsetAsync");
  }

  void run(const AesJob& job) override
  {
    const InContext current(context_);
    check(launch_aes(job, limits_, stream_), "AES kernel launch");
  }

  void run(const Crc16Job& job) override
  {
    const InContext current(context_);
    if (!crc16_) crc16_.emplace(stream_);
    crc16_->send(job, limits_);
  }

  void run(const MatchJob& job) override
  {
    const InContext current(context_);
    check(launch_match(job, limits_.multiprocessors, stream_), "match kernel launch");
  }

  void follow_application() override
  {
    const InContext current(context_);
    check(cudaEventRecord(application_, cudaStreamLegacy), "cudaEventRecord");
    check(cudaStreamWaitEvent(stream_, application_, 0), "cudaStreamWaitEvent");
  }

  void wait() override
  {
    const InContext current(context_);
    const cudaError_t result = cudaStreamSynchronize(stream_);
    if (crc16_) crc16_->deliver(result == cudaSuccess);
    check(result, "cudaStreamSynchronize");
  }

  bool done() override
  {
    const InContext current(context_);
    const cudaError_t result = cudaStreamQuery(stream_);
    if (result != cudaErrorNotReady) check(result, "cudaStreamQuery");
    return result == cudaSuccess;
  }

 private:
  void* const context_;
  const KernelLimits& limits_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t application_ = nullptr;
  std::optional<Crc16Mailbox> crc16_;  // made when first needed
};

class CudaDevice final : public Device {
 public:
  // The device must be current for this thread.
  explicit CudaDevice(int ordinal) : context_(driver::current_context())
  {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
    info_ = {.ordinal = ordinal,
             .name = properties.name,
             .compute_capability = 10 * properties.major + properties.minor,
             .multiprocessors = properties.multiProcessorCount,
             .memory_bytes = properties.totalGlobalMem};
    limits_ = {.multiprocessors = properties.multiProcessorCount, .both_pairs = properties.sharedMemPerBlockOptin >= (128u << 10)};
    check(prepare_aes_kernels(limits_), "cudaFuncSetAttribute");
    check(prepare_match_kernels(), "cudaFuncSetAttribute");
  }

  const DeviceInfo& info() const noexcept override { return info_; }
  std::unique_ptr<Stream> make_stream() override { return std::make_unique<CudaStream>(context_, limits_); }

  void* allocate(MemoryKind kind, std::size_t bytes) override
  {
    const InContext current(context_);
    void* memory = nullptr;
    if (kind == MemoryKind::pinned)
      check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    else
      check(cudaMalloc(&memory, bytes), "cudaMalloc");
    return memory;
  }

  void release(MemoryKind kind, void* memory) noexcept override
  {
    try {
      const InContext current(context_);
      if (kind == MemoryKind::pinned)
        cudaFreeHost(memory);
      else
        cudaFree(memory);
      cudaGetLastError();
    } catch (const DeviceError&) {
      // The context took its memory with it.
    }
  }

  void begin_range(const char* name, std::size_t bytes) noexcept override { ranges::begin(name, bytes); }
  void end_range() noexcept override { ranges::end(); }

 private:
  void* const context_;
  DeviceInfo info_;
  KernelLimits limits_;
};

class CudaPlatform final : public Platform {
 public:
  DevicePointers device_pointers() const noexcept override
  {
    if (!driver::has_active_context()) return DevicePointers::impossible;
    return only_ours_.load() && driver::current_context() == nullptr ? DevicePointers::unlikely : DevicePointers::likely;
  }
  MemoryPlace place_of(const void* memory) const noexcept override { return driver::place_of(memory); }

  Software software() const override
  {
    return {.driver = driver::version(),
            .driver_cuda = driver_cuda_.load(),
            .built_with_cuda = CUDART_VERSION,
            .devices_found = devices_found_.load()};
  }

  std::unique_ptr<Device> open(std::span<const int> ordinals, const std::function<void()>& between_stages) override
  {
    // This thread is the engine's own and ends with bring-up: nothing to put back.
    cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&relaxed);
    only_ours_.store(!driver::has_active_context());
    driver::start(between_stages);
    int driver_cuda = 0;
    cudaDriverGetVersion(&driver_cuda);
    driver_cuda_.store(driver_cuda);
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    devices_found_.store(count);
    if (result != cudaSuccess) {
      cudaGetLastError();
      throw DeviceError(DeviceError::Kind::absent, why_none(result));
    }
    between_stages();
    std::vector<int> candidates(ordinals.begin(), ordinals.end());
    if (candidates.empty()) {
      candidates.resize(static_cast<std::size_t>(count));
      std::iota(candidates.begin(), candidates.end(), 0);
    }
    std::string refused;
    for (const int ordinal : candidates) {
      if (ordinal >= count) {
        refused += " Device " + std::to_string(ordinal) + why::kNoSuchDevice + ": there are " + std::to_string(count) + ".";
        continue;
      }
      try {
        check(cudaSetDevice(ordinal), "cudaSetDevice");
        between_stages();
        check(cudaFree(nullptr), "cudaFree");  // makes the context, which takes the longest
        between_stages();
        return std::make_unique<CudaDevice>(ordinal);
      } catch (const DeviceError& error) {
        refused += " Device " + std::to_string(ordinal) + ": " + error.what() + ".";
      }
    }
    throw DeviceError(DeviceError::Kind::absent, "No device can be used." + refused);
  }

 private:
  std::atomic<bool> only_ours_{false};  // whether the application had no context before open()
  // Known once open() was called: to ask loads the driver.
  std::atomic<int> driver_cuda_{0};
  std::atomic<int> devices_found_{0};

  std::string why_none(cudaError_t result) const
  {
    switch (result) {
      case cudaErrorNoDevice:
        return why::kNoGpu;
      case cudaErrorInsufficientDriver:
        // Of the library; 0: there is none.
        return driver_cuda_.load() != 0 ? why::kDriverTooOld : driver::version().empty() ? why::kNoDriver : why::kNoDriverLibrary;
      case cudaErrorInitializationError:
        return why::kAfterFork;
      default:
        return std::string("CUDA can't be started: ") + cudaGetErrorString(result) + ".";
    }
  }
};

}  // namespace

std::unique_ptr<Platform> make_cuda_platform() { return std::make_unique<CudaPlatform>(); }

}  // namespace gpuaes
