#!/usr/bin/env bash
# Builds the benchmarks and writes bench/results/<device>-<date>.json and .md: every figure beside the default provider's from the same run.
# Usage: bench/run.sh [CMAKE_OPTION...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/bench

cmake -S "$root" -B "$build" -D GPUAES_BENCH=ON -D GPUAES_TESTS=OFF "$@"
cmake --build "$build" -j "$(nproc)"

device=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr ' ' '-' || true)
name=$root/bench/results/${device:-no-gpu}-$(date +%Y-%m-%d)
mkdir -p "$root/bench/results"
# Small calls want many repetitions, large ones have little noise.
run() {
  "$build/bench/aes_update" --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true --benchmark_min_time=0.02 \
    --benchmark_out="$1" --benchmark_repetitions="$2" --benchmark_filter="$3" >"$build/aes_update.log" 2>&1
}
run "$name-small.json" 21 'aes-(128|256).*/ordinary-in-place/(16|64|256|1024|4096|16384)/'
run "$name-large.json" 3 'aes-(128|256).*/(65536|1048576|16777216|268435456|1073741824)/'
"$build/bench/keystream_ahead" --benchmark_min_time=0.3 --benchmark_out="$name-stream.json" >"$build/keystream_ahead.log" 2>&1
"$build/bench/crc16" --benchmark_report_aggregates_only=true --benchmark_repetitions=7 --benchmark_min_time=0.05 \
  --benchmark_out="$name-crc16.json" >"$build/crc16.log" 2>&1
"$build/bench/match" --benchmark_out="$name-match.json" >"$build/match.log" 2>&1
{
  git -C "$root" log -1 --format='commit: %h' 2>/dev/null || true
  nvidia-smi --query-gpu=driver_version,clocks.max.sm --format=csv,noheader 2>/dev/null | sed 's/^/driver, clock: /' || true
  sed -n 's/^model name[[:space:]]*: /processor: /p' /proc/cpuinfo | head -n 1
  python3 "$root/bench/report.py" "$name-small.json"
  python3 "$root/bench/report.py" "$name-large.json"
  python3 "$root/bench/report.py" "$name-stream.json"
  python3 "$root/bench/crc16_report.py" "$name-crc16.json"
  echo
  bash "$root/bench/dgst.sh" "$build/provider" "$build/bench"
  echo
  python3 "$root/bench/match_report.py" "$name-match.json"
  echo
  if [ -x "$build/bench/rival_hyperscan" ]; then export RIVAL_HYPERSCAN=$build/bench/rival_hyperscan; fi
  bash "$root/bench/match.sh" "$build/cuda/match/bfmatch"
} >"$name.md"
if python3 -c 'import matplotlib' 2>/dev/null; then
  python3 "$root/bench/plot_keystream_ahead.py" "$name-stream.json" "$name-stream.svg"
fi
echo "$name.md"
