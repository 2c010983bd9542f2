# cmake -C conf/presets/fuzz.cmake -B build/fuzz: fuzz targets, by clang, with AddressSanitizer and UndefinedBehaviorSanitizer.
set(CMAKE_CXX_COMPILER clang++ CACHE STRING "")
set(GPUAES_CUDA OFF CACHE STRING "")
set(GPUAES_FUZZ ON CACHE BOOL "")
set(GPUAES_TOOLS OFF CACHE BOOL "")
set(GPUAES_SANITIZE address,undefined,fuzzer-no-link CACHE STRING "")
set(GPUAES_WERROR ON CACHE BOOL "")
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g" CACHE STRING "")
