// How a stream's CRC-16 jobs get their answers back: through a few bytes of pinned memory that the kernel writes, which takes no
// copy and so no time beyond the kernel's.
#pragma once

#include "check.cuh"
#include "crc16_kernels.cuh"

#include <cuda_runtime.h>

#include <utility>

namespace gpuaes {

// The device's context must be current whenever one is made, used or destroyed; the stream's work must be done when it is
// destroyed.
class Crc16Mailbox {
 public:
  // For jobs of this stream.
  explicit Crc16Mailbox(cudaStream_t stream) : stream_(stream)
  {
    void* answer = nullptr;
    check(cudaHostAlloc(&answer, sizeof *answer_, cudaHostAllocPortable), "cudaHostAlloc");
    answer_ = static_cast<Crc16Answer*>(answer);
    void* meeting = nullptr;
    cudaError_t result = cudaMalloc(&meeting, sizeof *meeting_);
    meeting_ = static_cast<Crc16Meeting*>(meeting);
    if (result == cudaSuccess) result = cudaMemsetAsync(meeting_, 0, sizeof *meeting_, stream_);
    if (result != cudaSuccess) release();
    check(result, "memory for CRC-16 answers");
  }
  ~Crc16Mailbox() { release(); }
  Crc16Mailbox(const Crc16Mailbox&) = delete;
  Crc16Mailbox& operator=(const Crc16Mailbox&) = delete;

  void send(const Crc16Job& job, const KernelLimits& limits)
  {
    check(launch_crc16(job, meeting_, answer_, limits, stream_), "CRC-16 kernel launch");
    waiting_ = job.answer;
  }

  // After the stream's work is done, well or not.
  void deliver(bool good)
  {
    Crc16Answer* const to = std::exchange(waiting_, nullptr);
    if (good && to != nullptr) *to = *answer_;
  }

 private:
  void release() noexcept
  {
    cudaFree(meeting_);
    cudaFreeHost(answer_);
  }

  const cudaStream_t stream_;
  Crc16Answer* answer_ = nullptr;
  Crc16Meeting* meeting_ = nullptr;
  Crc16Answer* waiting_ = nullptr;
};

}  // namespace gpuaes
