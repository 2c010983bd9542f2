# shellcheck shell=bash
# What conf/demo.sh, tests/run.sh and bench/run.sh share: the packages they need, a CUDA compiler, a quiet way to run things. Sourced, never run.
# It writes to apt and to the checkout's build folder, and nowhere else.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$root/build/$(basename "$0" .sh).log
mkdir -p "$root/build"
: >"$log"

# say TEXT...: one line that people see.
say() { printf '%s\n' "$*"; }

# quietly WHAT COMMAND...: runs the command with its output in $log. On failure prints the end of that, and fails.
quietly() {
  local what=$1
  shift
  printf '\n== %s: %s\n' "$what" "$*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null && return
  printf '%s failed. The end of %s:\n' "$what" "$log" >&2
  tail -n 40 "$log" >&2
  return 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

has_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# need PACKAGE[:COMMAND]...: installs, by apt, the packages whose command is not on PATH or, where none is named, that dpkg doesn't
# know as installed. Asks the network nothing if all is there.
need() {
  local wanted missing=()
  for wanted in "$@"; do
    if [[ $wanted == *:* ]]; then
      command -v "${wanted#*:}" >/dev/null || missing+=("${wanted%%:*}")
    else
      has_package "$wanted" || missing+=("$wanted")
    fi
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    say "Missing here, and there is no apt-get to install them: ${missing[*]}." >&2
    return 1
  fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say "Missing here, and to install them takes root or sudo: ${missing[*]}." >&2
    return 1
  fi
  say "Installing ${missing[*]}."
  quietly "apt-get update" as_root apt-get -q update || return
  quietly "apt-get install" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"
}

# What any build needs, for need.
# shellcheck disable=SC2034  # for the scripts that source this
build_tools=(cmake:cmake g++:g++ ninja-build:ninja libssl-dev openssl:openssl nlohmann-json3-dev libcli11-dev)

# The kernels are C++20, which nvcc knows from CUDA 12 on.
is_usable_nvcc() {
  local release
  release=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  [ "${release:-0}" -ge 12 ]
}

# NVIDIA's compiler from PyPI. 13.0 is what the oldest driver of the 13 series can run.
install_nvcc_wheels() {
  local into=$1 toolkit
  need python3-venv || return
  quietly "making a Python environment" python3 -m venv "$into" || return
  quietly "pip install" "$into/bin/pip" install --no-cache-dir --disable-pip-version-check --no-deps \
    nvidia-cuda-nvcc==13.0.* nvidia-cuda-crt==13.0.* nvidia-nvvm==13.0.* nvidia-cuda-runtime==13.0.* nvidia-cuda-cccl==13.0.* nvidia-nvtx==13.0.* || return
  toolkit=$("$into/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13
  # nvcc looks for libraries in lib64, CMake for libcudart.so.
  ln -sfn lib "$toolkit/lib64"
  ln -sfn libcudart.so.13 "$toolkit/lib/libcudart.so"
  ln -sfn "$toolkit" "$into/toolkit"
}

# Sets `nvcc` to a CUDA compiler, or to nothing.
find_nvcc() {
  local wheels=$root/build/nvcc candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc "$wheels/toolkit/bin/nvcc"; do
    nvcc=$candidate
    [ -n "$nvcc" ] && is_usable_nvcc "$nvcc" && return
  done
  say "There is no nvcc of CUDA 12 or newer here: installing NVIDIA's from PyPI into build/nvcc."
  nvcc=$wheels/toolkit/bin/nvcc
  install_nvcc_wheels "$wheels" 2>>"$log" && is_usable_nvcc "$nvcc" && return
  say "That failed (see ${log#"$root/"}): building without kernels."
  nvcc=
}

has_gpu() { [[ $(nvidia-smi -L 2>/dev/null) == "GPU 0"* ]]; }

# Architecture of the first GPU, 90 where there is none.
gpu_architecture() {
  local architecture
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/[^0-9]//gp' || true)
  if [ "${architecture:-0}" -lt 75 ]; then architecture=90; fi
  if [[ $'\n'$("$nvcc" --list-gpu-code)$'\n' == *$'\n'"sm_$architecture"$'\n'* ]]; then echo "$architecture"; else echo fat; fi
}

# Before CMake itself can say so: those that are too old stop at --fresh.
is_cmake_new_enough() {
  local least version
  least=$(sed -n 's/^cmake_minimum_required(VERSION \(.*\))/\1/p' "$root/CMakeLists.txt")
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  [ "$(printf '%s\n' "$least" "$version" | sort -V | head -n 1)" = "$least" ] && return
  say "CMake $least or newer is needed, and this is $version. Debian 12 and Ubuntu 24.04 have one; so has PyPI: pip install cmake." >&2
  return 1
}

# build FOLDER CMAKE_OPTION...: configures and compiles build/FOLDER. Configures afresh, since the compiler may have changed.
build() {
  local folder=$root/build/$1
  shift
  is_cmake_new_enough || return
  quietly "cmake" env ${nvcc:+"CUDACXX=$nvcc"} cmake --fresh -G Ninja -S "$root" -B "$folder" "$@" || return
  quietly "the build" cmake --build "$folder"
}
