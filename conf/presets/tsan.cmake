# cmake -C conf/presets/tsan.cmake -B build/tsan: host code with ThreadSanitizer.
set(GPUAES_CUDA OFF CACHE STRING "")
set(GPUAES_SANITIZE thread CACHE STRING "")
set(GPUAES_WERROR ON CACHE BOOL "")
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g" CACHE STRING "")
