# Warnings are errors, in host code and, as far as nvcc knows them, in kernels.
add_library(gpuaes_flags INTERFACE)
target_compile_options(
  gpuaes_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Wshadow;-Werror>
            # clang counts changes of sign as conversions, g++ doesn't.
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>
            $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Werror>)
if(GPUAES_SANITIZE)
  target_compile_options(gpuaes_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GPUAES_SANITIZE};-fno-omit-frame-pointer;-g>)
  target_link_options(gpuaes_flags INTERFACE -fsanitize=${GPUAES_SANITIZE})
endif()
