#!/usr/bin/env bash
# Who may include what: see the READMEs of cuda/ and provider/. Argument: the source folder.
set -euo pipefail
cd "$1"
failed=0

# forbid FOLDERS PATTERN WHY [BUT]: no file in FOLDERS, except one named BUT, has an #include that matches PATTERN.
forbid() {
  local folder found
  for folder in $1; do
    [ -d "$folder" ] || { echo "no folder $folder"; failed=1; continue; }
    if found=$(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$2" "$folder" --include='*.h' --include='*.cpp' --include='*.cu' \
      --include='*.cuh' --exclude="${4:-}"); then
      echo "$3:"
      echo "$found"
      failed=1
    fi
  done
}

forbid "cuda/core cuda/engine cuda/host cuda/gpu" 'openssl/' 'OpenSSL under cuda/'
forbid "cuda/match" 'openssl/' 'OpenSSL in another file of cuda/match than decrypt.cpp' decrypt.cpp
forbid "cuda/core cuda/engine cuda/host cuda/match provider" '(cuda|device_launch|driver_types|nv)[a-z_]*3?(\.h|/)' "a CUDA header outside cuda/gpu"
forbid "cuda/core cuda/engine cuda/host cuda/match provider" '[^>"]*\.cuh' 'a header for nvcc outside cuda/gpu'
forbid "cuda/core" '(\.\./)?(engine|host|gpu|match)/' 'core/ includes a layer above it'
forbid "cuda/engine" '(\.\./)?(host|gpu|match)/' 'engine/ includes a layer above it'
forbid "cuda/host cuda/gpu" '([^>"]*/)?match/' 'a device includes the command'
forbid "cuda/match" '(\.\./)?(host|gpu)/' 'the command includes a device and not just engine/device.h'
forbid "cuda" '([^>"]*/)?provider/' 'cuda/ includes the provider'
forbid "cuda/core cuda/engine" '(nlohmann|CLI)/' 'a library other than the standard one in core/ or engine/'

# That the patterns find what they should.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
mkdir "$trial/cuda"
printf '#include <cuda_runtime.h>\n' > "$trial/cuda/a.h"
if (cd "$trial"; failed=0; forbid cuda '(cuda|nv)[a-z_]*(\.h|/)' x > /dev/null; [ "$failed" = 0 ]); then
  echo "the check itself finds nothing"
  failed=1
fi
exit "$failed"
