# OpenSSL, and the folder that the installed one loads providers from: sets GPUAES_MODULES_DIR.
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_program(GPUAES_OPENSSL openssl REQUIRED DOC "The openssl command of the installed OpenSSL")
if(NOT GPUAES_MODULES_DIR)
  execute_process(COMMAND ${GPUAES_OPENSSL} version -m OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "\"([^\"]*)\"" _ "${answer}")
  set(GPUAES_MODULES_DIR "${CMAKE_MATCH_1}" CACHE PATH "Where gpuaes.so is installed")
endif()
message(STATUS "OpenSSL ${OPENSSL_VERSION}, modules in ${GPUAES_MODULES_DIR}")
