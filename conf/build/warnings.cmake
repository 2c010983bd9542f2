# With GPUAES_WERROR warnings are errors, in host code and, as far as nvcc knows them, in kernels.
option(GPUAES_WERROR "Stop at a compiler's warning" OFF)
add_library(gpuaes_flags INTERFACE)
target_compile_options(
  gpuaes_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Wshadow;$<$<BOOL:${GPUAES_WERROR}>:-Werror>>
            # clang counts changes of sign as conversions, g++ doesn't.
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>
            $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${GPUAES_WERROR}>>:--Werror=all-warnings;-Xcompiler=-Werror>)
if(GPUAES_SANITIZE)
  target_compile_options(gpuaes_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GPUAES_SANITIZE};-fno-omit-frame-pointer;-g>)
  target_link_options(gpuaes_flags INTERFACE -fsanitize=${GPUAES_SANITIZE})
endif()
