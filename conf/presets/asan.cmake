# cmake -C conf/presets/asan.cmake -B build/asan: host code with AddressSanitizer and UndefinedBehaviorSanitizer.
set(GPUAES_CUDA OFF CACHE STRING "")
set(GPUAES_SANITIZE address,undefined CACHE STRING "")
set(GPUAES_WERROR ON CACHE BOOL "")
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g" CACHE STRING "")
