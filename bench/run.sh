#!/usr/bin/env bash
# Measures gpuaes beside what people would use instead, each ratio in one run, and writes bench/results/<gpu>-<date>/: report.md with
# tables and drawings, figures.json, environment.json. Builds first, and installs what it needs. Fails if any output was wrong.
# Usage: bench/run.sh [--quick] [--only NAME]... [--into FOLDER]. Without a GPU, what the processor does is measured.
set -euo pipefail
# shellcheck source=conf/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../conf/setup.sh"

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
