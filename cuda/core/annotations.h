// Marks functions that g++ and nvcc both compile, so that the arithmetic the kernels run is the arithmetic the host tests check.
#pragma once

#ifdef __CUDACC__
#define GPUAES_HD __host__ __device__
#define GPUAES_UNROLL _Pragma("unroll")
#else
#define GPUAES_HD
#define GPUAES_UNROLL _Pragma("GCC unroll 16")
#endif
