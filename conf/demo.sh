#!/usr/bin/env bash
# Builds gpuaes, encrypts a file with it through the openssl command, compares bytes and time with OpenSSL alone, and shows whether a
# GPU did the work. Leaves nothing behind but the build and what usage() tells.
set -euo pipefail

usage() {
  cat <<'END'
Usage: conf/demo.sh [SIZE]

Builds gpuaes, encrypts a file of SIZE bytes, such as 512m or 4g, through the openssl command, with gpuaes and without, compares bytes
and time, and shows whether a GPU did the work. Without SIZE it is 4g where there is a GPU and 256m where there is none. The build takes
minutes, the rest seconds.

It installs what the build needs by apt-get, as root or with sudo, unless it is there. If there is no nvcc of CUDA 12 or newer, it
downloads NVIDIA's from PyPI into build/nvcc. It builds in build/demo, and puts its files, three times SIZE, in a folder of TMPDIR,
/dev/shm or build/demo, which it removes.
END
}

case $#:${1:-} in
  *:-h | *:--help)
    usage
    exit
    ;;
  0: | 1:*) ;;
  *)
    printf 'conf/demo.sh takes one size, and no "%s" behind it.\n\n' "$2" >&2
    usage >&2
    exit 2
    ;;
esac
# shellcheck source=conf/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

modules=$root/build/demo/provider
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
# The openssl.cnf of this machine is no part of the demo.
export OPENSSL_CONF=/dev/null

fail() {
  say "demo.sh: $*" >&2
  exit 1
}

# bytes_of SIZE: a whole number of bytes, k, m or g.
bytes_of() {
  [[ ${1,,} =~ ^([1-9][0-9]{0,9})([kmg]?)$ ]] || return
  case ${BASH_REMATCH[2]} in
    k) echo $((BASH_REMATCH[1] << 10)) ;;
    m) echo $((BASH_REMATCH[1] << 20)) ;;
    g) echo $((BASH_REMATCH[1] << 30)) ;;
    *) echo "${BASH_REMATCH[1]}" ;;
  esac
}

# Room for files in a folder; in memory, no more than is free there.
free_bytes() {
  local room memory
  room=$(df --output=avail -B1 "$1" | tail -n 1)
  memory=$(($(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) * 1024))
  if [ "$(stat -f -c %T "$1")" = tmpfs ] && [ "$memory" -lt "$room" ]; then room=$memory; fi
  echo "$room"
}

# Sets `work` to a new folder with room for three files of `bytes` bytes.
make_folder() {
  local folder
  for folder in "${TMPDIR:-}" /dev/shm "$root/build/demo"; do
    if [ -d "$folder" ] && [ -w "$folder" ] && [ "$(free_bytes "$folder")" -gt $((bytes * 13 / 4)) ]; then
      work=$(mktemp -d "$folder/gpuaes-demo.XXXXXX")
      trap 'rm -rf "$work"' EXIT
      return
    fi
  done
  return 1
}

with_default() { openssl enc -aes-256-ctr -K $key -iv $iv "$@"; }

with_gpuaes() {
  openssl enc -aes-256-ctr -K $key -iv $iv \
    -provider-path "$modules" -provider gpuaes -provider default -propquery '?provider=gpuaes' "$@"
}

# timed COMMAND...: sets `seconds`.
timed() {
  local start
  start=$(date +%s%N)
  "$@"
  seconds=$(awk -v ns=$(($(date +%s%N) - start)) 'BEGIN { printf "%.9f", ns / 1e9 }')
}

# row WHAT NOTE: one line of the table, about what took `seconds`.
row() {
  awk -v what="$1" -v note="$2" -v s="$seconds" -v b="$bytes" \
    'BEGIN { printf "  %-19s %7.2f s %7.2f GB/s%s\n", what, s, b / s / 1e9, note }'
}

# What the provider wrote when it was unloaded, on one line.
counters() { tr -d '\n' <"$work/stats.json" | tr -s ' '; }

show_openssl_enc() {
  say "openssl enc -aes-256-ctr on a file of $bytes bytes, in ${work%/*}:"
  head -c "$bytes" /dev/zero | openssl enc -aes-128-ctr -K ${key::32} -iv $iv -out "$work/plain"
  timed with_default -in "$work/plain" -out "$work/default"
  row "default provider" ""
  GPUAES_STATS=$work/stats.json timed with_gpuaes -in "$work/plain" -out "$work/gpuaes"
  cmp "$work/default" "$work/gpuaes" || fail "gpuaes and the default provider gave different bytes."
  row "gpuaes" "   byte for byte the same"
  rm "$work/default"
  timed with_gpuaes -d -in "$work/gpuaes" -out "$work/back"
  cmp "$work/plain" "$work/back" || fail "What was decrypted isn't the file."
  row "gpuaes, decrypting" "   the file again"
  say "  bytes by            $(counters | sed 's/.*"bytes": { \([^}]*\) }.*/\1/; s/[":]//g')"
  say "  openssl enc hands over 4 KiB a call: from 2 GiB on a GPU makes keystream ahead of it, until then the default provider does it all."
  rm "$work"/*
}

show_example() {
  local mebibytes=256
  if has_gpu; then mebibytes=1024; fi
  say "conf/examples/large_buffer.c, the same cipher on one large buffer in memory:"
  quietly "compiling conf/examples/large_buffer.c" cc -O2 "$root/conf/examples/large_buffer.c" -o "$root/build/demo/example" -lcrypto
  GPUAES_STARTUP=load GPUAES_STATS=$work/stats.json "$root/build/demo/example" $mebibytes "$modules" >"$work/example.txt" ||
    fail "conf/examples/large_buffer.c failed: $(cat "$work/example.txt")"
  sed 's/^/  /' "$work/example.txt"
  say "  counters            $(counters)"
}

if [ $# -gt 0 ]; then
  bytes=$(bytes_of "$1") || fail "not a size: $1. Write it as in 512m or 4g."
elif has_gpu; then
  bytes=$((4 << 30))
else
  bytes=$((256 << 20))
fi

need "${build_tools[@]}"
find_nvcc
if [ -n "$nvcc" ]; then
  build demo -D GPUAES_TESTS=OFF -D GPUAES_CUDA=ON -D GPUAES_ARCHITECTURES="$(gpu_architecture)"
else
  build demo -D GPUAES_TESTS=OFF -D GPUAES_CUDA=OFF
fi
make_folder || fail "there is no room for three files of $bytes bytes. Give a smaller size, or a TMPDIR with room."
show_openssl_enc
show_example
