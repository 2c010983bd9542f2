#include "advice.h"

#include "engine/why_unusable.h"

namespace gpuaes::tool {
namespace {

struct Advice {
  const char* state;
  const char* in_reason;  // what the reason contains; empty: whatever it is
  const char* advice;
};

// The first that fits.
constexpr Advice kAdvice[] = {
    {"ready", "", ""},
    {"not loaded", "allowed is", "Correct the setting, or leave strict at 0."},
    {"not loaded", "no such setting", "Unset the variable, or leave strict at 0."},
    {"bad setting", "no such setting", "Unset the variable; until then the default provider does all work."},
    {"not loaded", "", "Install gpuaes, or say where gpuaes.so is: --provider-path FOLDER, or OPENSSL_MODULES=FOLDER."},
    {"bad setting", "", "Correct the setting in openssl.cnf or in the environment; until then the default provider does all work."},
    {"inert", why::kInert, "Have the program and gpuaes use the same libcrypto.so.3, the system's."},
    {"inert", "", "Repair the installation of OpenSSL: openssl list -providers -provider default must work."},
    {"idle", why::kModeNever, "Set mode = auto if the GPU is to be used."},
    {"starting", "", "The driver doesn't answer: see whether nvidia-smi does, and what the kernel's log says of NVRM."},
    {"forked", "", "Start the device in the child alone: leave startup at auto."},
    {"absent", why::kWithoutCuda, "Build gpuaes where a CUDA toolkit is installed: cmake -D GPUAES_CUDA=ON."},
    {"absent", why::kNoDriverLibrary,
     "In a container, start it with --gpus all; elsewhere install the library of the same driver version, Debian's libcuda1."},
    {"absent", why::kNoDriver,
     "Install NVIDIA's driver and see that nvidia-smi lists a GPU; in a container, start it with --gpus all."},
    {"absent", why::kDriverTooOld, "Update NVIDIA's driver, or build gpuaes with a CUDA toolkit that is no newer than the driver."},
    {"absent", why::kVersionMismatch,
     "Restart the machine, as after any update of the driver: its library and its kernel module differ."},
    {"absent", why::kNotReady, "Start NVIDIA's fabric manager: systemctl start nvidia-fabricmanager."},
    {"absent", why::kNoGpu, "See that nvidia-smi lists a GPU, and that CUDA_VISIBLE_DEVICES doesn't hide it."},
    {"absent", why::kAfterFork, "Start the device in the child alone: leave startup at auto."},
    {"absent", why::kNoSuchDevice,
     "Set devices = all, or to numbers that nvidia-smi -L lists and CUDA_VISIBLE_DEVICES doesn't hide."},
    {"absent", why::kFailedTest,
     "Don't trust this GPU with anything; nvidia-smi -q -d ECC may tell more, and devices can name another."},
    {"absent", why::kNoPinnedMemory, "Free memory of the machine, or raise the container's limit: memory is to be pinned."},
    {"absent", why::kOutOfMemory,
     "End programs that hold the GPU's memory (nvidia-smi lists them), or name another GPU in devices."},
    {"absent", why::kUnavailable,
     "Another process has the GPU for itself: wait for its end, or allow sharing with nvidia-smi --compute-mode=DEFAULT."},
    {"absent", why::kNoKernelImage,
     "This GPU needs kernels of its own, and compute capability 7.5 or more: build gpuaes with -D GPUAES_ARCHITECTURES=fat."},
    {"absent", why::kNoKernel,
     "This GPU needs kernels of its own, and compute capability 7.5 or more: build gpuaes with -D GPUAES_ARCHITECTURES=fat."},
    {"absent", why::kNoThread, "Allow the process more threads: ulimit -u, or the container's limit of processes."},
    {"absent", "", "See whether nvidia-smi and other CUDA programs work."},
    {"lost", why::kWrongResult,
     "Don't trust this GPU with anything; nvidia-smi -q -d ECC may tell more, and devices can name another."},
    {"lost", "", "Look for Xid in the kernel's log, and start the program again."},
};

}  // namespace

std::string advice_for(const std::string& state, const std::string& reason)
{
  for (const Advice& advice : kAdvice)
    if (state == advice.state && reason.find(advice.in_reason) != std::string::npos) return advice.advice;
  return "";
}

}  // namespace gpuaes::tool
