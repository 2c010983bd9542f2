# cmake --install, and the Debian package (cmake --build build --target package).
include(GNUInstallDirs)

# OpenSSL looks for providers in one folder only, so by default the module goes there whatever the prefix is; DESTDIR is respected.
# A relative GPUAES_MODULES_DIR is taken from the prefix.
install(TARGETS gpuaes LIBRARY DESTINATION ${GPUAES_MODULES_DIR})
install(FILES conf/man/gpuaes.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
# crc16_combine(), for programs that digest in parts.
install(FILES cuda/core/annotations.h cuda/core/crc16.h cuda/core/crc16_polynomial.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gpuaes)
if(GPUAES_TOOLS)
  install(TARGETS bfmatch gpuaes_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES conf/man/bfmatch.1 conf/man/gpuaes-enc.1 conf/man/gpuaes-info.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES conf/completion/bfmatch conf/completion/gpuaes DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
# Examples to copy from: whether OpenSSL uses gpuaes by default is for the administrator to say in openssl.cnf.
install(FILES conf/gpuaes.cnf conf/examples/device_memory.c conf/examples/large_buffer.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(PROGRAMS conf/examples/encrypted_weights.py DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "An OpenSSL 3 provider: AES-ECB, AES-CTR and CRC-16 on an NVIDIA GPU where that is\n\
faster, and on OpenSSL's default provider where it isn't.")
set(CPACK_PACKAGE_CONTACT "gpuaes maintainers <maintainers@users.noreply.example>")
set(CPACK_DEBIAN_PACKAGE_NAME gpuaes)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
# What the module needs is asked of it where Debian's tools for that are installed.
find_program(GPUAES_SHLIBDEPS dpkg-shlibdeps)
find_program(GPUAES_FILE file)
mark_as_advanced(GPUAES_SHLIBDEPS GPUAES_FILE)
if(GPUAES_SHLIBDEPS AND GPUAES_FILE)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libssl3 (>= 3.0.0), libstdc++6 (>= 12)")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
