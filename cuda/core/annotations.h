// Marks functions that g++ and nvcc both compile, so that the arithmetic the kernels run is the arithmetic the host tests check.
#pragma once

#ifdef __CUDACC__
#define GPUAES_HD __host__ __device__
#else
#define GPUAES_HD
#endif

// Device code, what nvcc passes on to the host compiler, and plain g++.
#if defined(__CUDA_ARCH__)
#define GPUAES_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define GPUAES_UNROLL
#else
#define GPUAES_UNROLL _Pragma("GCC unroll 16")
#endif
