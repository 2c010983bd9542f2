#include "driver.h"

#include "../engine/process.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>

namespace gpuaes::driver {
namespace {

constexpr const char* kLibraryName = "libcuda.so.1";

// As cuda.h declares them; that header isn't there where there is no toolkit.
using Result = int;

constexpr int kMemoryType = 2;       // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int kIsManaged = 8;        // CU_POINTER_ATTRIBUTE_IS_MANAGED
constexpr int kDeviceOrdinal = 9;    // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
constexpr unsigned kTypeHost = 1;    // CU_MEMORYTYPE_HOST
constexpr unsigned kTypeDevice = 2;  // CU_MEMORYTYPE_DEVICE

struct Library {
  Result (*device_get_count)(int* count);
  Result (*primary_context_get_state)(int device, unsigned* flags, int* active);
  Result (*pointer_get_attributes)(unsigned count, const int* attributes, void** values, unsigned long long pointer);
  Result (*context_get_current)(void** context);
  Result (*context_push_current)(void* context);
  Result (*context_pop_current)(void** context);
};

template <typename Function>
bool find(void* handle, const char* name, Function*& function)
{
  function = reinterpret_cast<Function*>(dlsym(handle, name));
  return function != nullptr;
}

bool find_all(void* handle, Library& library)
{
  return find(handle, "cuDeviceGetCount", library.device_get_count) &&
         find(handle, "cuDevicePrimaryCtxGetState", library.primary_context_get_state) &&
         find(handle, "cuPointerGetAttributes", library.pointer_get_attributes) &&
         find(handle, "cuCtxGetCurrent", library.context_get_current) &&
         find(handle, "cuCtxPushCurrent_v2", library.context_push_current) &&
         find(handle, "cuCtxPopCurrent_v2", library.context_pop_current);
}

// What the process has loaded. Unlike dlopen() with RTLD_NOLOAD this doesn't go through the folders where the library could be.
struct LoadedObjects {
  unsigned long long ever = 0;  // how many there have been
  bool has_library = false;
};

// With `all` false it only looks how many there have been, which is ten times as fast.
LoadedObjects loaded_objects(bool all) noexcept
{
  struct Search {
    bool all;
    LoadedObjects found;
  } search{all, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* argument) {
        auto& into = *static_cast<Search*>(argument);
        into.found.ever = info->dlpi_adds;
        into.found.has_library = into.found.has_library || std::strstr(info->dlpi_name, "/libcuda.so") != nullptr;
        return into.all ? 0 : 1;
      },
      &search);
  return search.found;
}

// The library stays loaded once it is there, so that answer is kept; that it isn't there, until something else has been loaded.
const Library* library() noexcept
{
  static std::atomic<const Library*> found{nullptr};
  static std::atomic<unsigned long long> not_among{0};
  if (const Library* known = found.load(std::memory_order_acquire)) return known;
  if (not_among.load(std::memory_order_relaxed) == loaded_objects(false).ever) return nullptr;
  const LoadedObjects objects = loaded_objects(true);
  void* const handle = objects.has_library ? dlopen(kLibraryName, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  if (handle == nullptr) {
    not_among.store(objects.ever, std::memory_order_relaxed);
    return nullptr;
  }
  static Library loaded;
  static const bool complete = find_all(handle, loaded);
  if (!complete) return nullptr;
  found.store(&loaded, std::memory_order_release);
  return &loaded;
}

}  // namespace

void start(const std::function<void()>& between_stages)
{
  void* const handle = dlopen(kLibraryName, RTLD_NOW);  // never closed: CUDA can't be unloaded
  between_stages();
  Result (*initialise)(unsigned flags) = nullptr;
  if (handle == nullptr || !find(handle, "cuInit", initialise)) return;
  initialise(0);
  between_stages();
}

std::string version()
{
  // Not by streams, which would bring all locales of the C++ library into the module.
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen("/sys/module/nvidia/version", "re"));
  char text[32] = "";
  if (file == nullptr || std::fgets(text, sizeof text, file.get()) == nullptr) return {};
  return std::string(text, std::strcspn(text, "\n"));
}

bool has_active_context() noexcept
{
  // Once is enough: what was in a context may be handed over for as long as the process lives.
  static std::atomic<bool> seen{false};
  static std::atomic<unsigned> seen_in{0};
  // In a forked child what the parent had is out of reach, and the driver, whose locks may be held for ever, can't be asked.
  if (seen.load(std::memory_order_acquire)) return seen_in.load(std::memory_order_relaxed) == fork_generation();
  const Library* const cuda = library();
  if (cuda == nullptr) return false;
  // Both fail with "not initialized" in a process that has loaded the library and not started it.
  int devices = 0;
  if (cuda->device_get_count(&devices) != 0) return false;
  for (int device = 0; device < devices; ++device) {
    unsigned flags = 0;
    int active = 0;
    if (cuda->primary_context_get_state(device, &flags, &active) == 0 && active != 0) {
      seen_in.store(fork_generation(), std::memory_order_relaxed);
      seen.store(true, std::memory_order_release);
      return true;
    }
  }
  return false;
}

MemoryPlace place_of(const void* memory) noexcept
{
  const Library* const cuda = library();
  if (cuda == nullptr) return {};
  unsigned type = 0;
  unsigned managed = 0;  // the driver writes a bool or an unsigned, by version
  int ordinal = -1;
  const int attributes[] = {kMemoryType, kIsManaged, kDeviceOrdinal};
  void* values[] = {&type, &managed, &ordinal};
  // Unlike the question for one attribute, this one is no error for memory that CUDA doesn't know: all values are zero then.
  if (cuda->pointer_get_attributes(3, attributes, values, reinterpret_cast<unsigned long long>(memory)) != 0) return {};
  if (managed != 0) return {MemoryKind::managed, ordinal};
  if (type == kTypeDevice) return {MemoryKind::device, ordinal};
  if (type == kTypeHost) return {MemoryKind::pinned, ordinal};
  return {};
}

void* current_context() noexcept
{
  void* context = nullptr;
  if (const Library* const cuda = library()) cuda->context_get_current(&context);
  return context;
}

CurrentContext::CurrentContext(void* context)
{
  const Library* const cuda = library();
  if (cuda == nullptr || cuda->context_push_current(context) != 0)
    throw DeviceError(DeviceError::Kind::lost, "cuCtxPushCurrent: the device's context is gone");
}

CurrentContext::~CurrentContext()
{
  void* popped = nullptr;
  library()->context_pop_current(&popped);
}

}  // namespace gpuaes::driver
