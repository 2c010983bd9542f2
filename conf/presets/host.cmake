# cmake -C conf/presets/host.cmake -B build/host: without kernels; needs no CUDA toolkit.
set(GPUAES_CUDA OFF CACHE STRING "")
set(GPUAES_WERROR ON CACHE BOOL "")
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
