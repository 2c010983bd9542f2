#!/usr/bin/env bash
# Measures gpuaes beside what people would use instead, each ratio in one run, and writes bench/results/<gpu>-<date>/: report.md with
# tables and drawings, figures.json, environment.json. Fails if any output was wrong. usage() tells what it takes and what it installs.
set -euo pipefail

bench=$(dirname "${BASH_SOURCE[0]}")
mapfile -t names < <(sed -n 's/^ *{"name": "\([^"]*\)".*/\1/p' "$bench/benches.json")

usage() {
  cat <<END
Usage: bench/run.sh [--quick] [--only NAME]... [--into FOLDER]

Builds gpuaes for this machine's GPU, measures it beside what would be used instead and writes bench/results/<gpu>-<date>/, or FOLDER.
Without a GPU, what the processor does is measured.

  --quick        fewer rows, fewer times: some three minutes instead of thirteen
  --only NAME    only this bench: ${names[*]}
  --into FOLDER  where to; a folder of the same commit and GPU gets these benches anew

It installs Debian's packages for that by apt-get, as root or with sudo, unless they are there. If there is no nvcc of CUDA 12 or
newer, it downloads NVIDIA's from PyPI into build/nvcc. Else it writes to build/ and, while it runs, to TMPDIR.
END
}

# Before anything is built.
refuse() {
  printf 'bench/run.sh: %s\n\n' "$1" >&2
  usage >&2
  exit 2
}
before=
for argument in "$@"; do
  case $before:$argument in
    --only:*)
      [[ " ${names[*]} " == *" $argument "* ]] || refuse "there is no bench \"$argument\"."
      before=
      ;;
    --into:*) before= ;;
    *:-h | *:--help)
      usage
      exit
      ;;
    *:--quick) ;;
    *:--only | *:--into) before=$argument ;;
    *) refuse "it takes no \"$argument\"." ;;
  esac
done
[ -z "$before" ] || refuse "$before wants something behind it."
# shellcheck source=conf/setup.sh
source "$bench/../conf/setup.sh"

# Sets `python` to one that can draw, if there is one.
find_python() {
  for python in python3 /usr/bin/python3; do
    "$python" -c 'import matplotlib' 2>/dev/null && return
  done
  python=python3
  return 1
}

need "${build_tools[@]}" libbenchmark-dev
# Rivals and drawings, without which there is less to see.
need libboost-dev ripgrep:rg || true
find_python || { need python3-matplotlib && find_python; } || say "No Python here has matplotlib: there will be no drawings."
find_nvcc
if [ -n "$nvcc" ]; then
  build bench -D GPUAES_BENCH=ON -D GPUAES_TESTS=OFF -D GPUAES_CUDA=ON -D GPUAES_ARCHITECTURES="$(gpu_architecture)"
else
  build bench -D GPUAES_BENCH=ON -D GPUAES_TESTS=OFF -D GPUAES_CUDA=OFF
fi
exec "$python" "$root/bench/run_benches.py" --build "$root/build/bench" "$@"
