# cmake -C conf/presets/cuda.cmake -B build/cuda: kernels for every architecture, or an error.
# For a quick build add -D GPUAES_ARCHITECTURES=90 (or the number of your card).
set(GPUAES_CUDA ON CACHE STRING "")
set(GPUAES_ARCHITECTURES fat CACHE STRING "")
set(GPUAES_WERROR ON CACHE BOOL "")
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
