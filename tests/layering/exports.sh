#!/usr/bin/env bash
# The module exports OSSL_provider_init and nothing else, needs no CUDA library to load, and has probes. Argument: gpuaes.so.
set -euo pipefail
exported=$(nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | grep -vE '^__(asan|tsan|ubsan|lsan|sanitizer|odr_asan)' || true)
if [ "$exported" != OSSL_provider_init ]; then
  echo "exported: $exported"
  exit 1
fi
if needed=$(readelf -d "$1" | grep -E 'NEEDED.*(libcuda|libcudart)'); then
  echo "$needed"
  exit 1
fi
# Code of the module may still run when OpenSSL unloads it.
readelf -d "$1" | grep -q NODELETE || { echo "not linked with -z nodelete"; exit 1; }
# Where their header is, probes are compiled in.
if echo '#include <sys/sdt.h>' | c++ -E -x c++ - >/dev/null 2>&1; then
  for probe in call_begin call_end; do
    readelf -n "$1" | grep -q "Name: $probe\$" || { echo "no probe $probe"; exit 1; }
  done
fi
