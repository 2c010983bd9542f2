#!/usr/bin/env bash
# Times gpuaes enc beside `openssl enc` with its default provider, on files in memory, and prints tables. Whole commands, their start
# included; the faster of two runs.
# Usage: bench/enc.sh GPUAES [GIBIBYTES]; needs twice that much room in /dev/shm, or in TMPDIR.
set -euo pipefail
gpuaes=$1
gibibytes=${2:-16}
work=$(mktemp -d "${TMPDIR:-/dev/shm}/gpuaes-enc-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
ctr=(-aes-256-ctr -K "$key" -iv f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff)
ecb=(-aes-256-ecb -K "$key")
plain=$work/plain
out=$work/out
whole=$((gibibytes << 30))
threads=$(nproc)
unset OPENSSL_CONF OPENSSL_MODULES

# best RUNS COMMAND...: nanoseconds of the fastest of some runs, each of which finds no output.
best() {
  local runs=$1 best=0 start ns i
  shift
  for ((i = 0; i < runs; ++i)); do
    rm -f "$out"
    start=$(date +%s%N)
    "$@" >/dev/null 2>"$work/said" || { cat "$work/said" >&2; exit 1; }
    ns=$(($(date +%s%N) - start))
    if [ $best = 0 ] || [ $ns -lt $best ]; then best=$ns; fi
  done
  rm -f "$out"
  echo $best
}

rate() { awk -v b=$whole -v ns="$1" 'BEGIN { printf "%.2f", b / ns }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# The same bytes to a new file, a stretch for each of as many processes.
parallel_copy() {
  local each=$(((whole / 1048576 + threads - 1) / threads))
  # shellcheck disable=SC2016  # expanded by the inner shell
  seq 0 $((threads - 1)) | xargs -P "$threads" -I{} sh -c \
    'dd if="$1" of="$2" bs=1M count="$3" skip=$(({} * $3)) seek=$(({} * $3)) conv=notrunc status=none' sh "$plain" "$out" "$each"
}

# What it says of itself: the share of the device.
stats() { "$gpuaes" enc --stats --no-sync "$@" 2>&1 >/dev/null | sed 's/^/<!-- /; s/$/ -->/'; rm -f "$out"; }

# row WHAT OUTPUT CIPHER_OPTION...: GB/s, and how many times as fast as OpenSSL's command.
row() {
  local what=$1 to=$2 theirs auto cpu
  shift 2
  theirs=$(best 2 openssl enc "$@" -in "$plain" -out "$to")
  auto=$(best 2 "$gpuaes" enc "$@" --no-sync -in "$plain" -out "$to")
  cpu=$(best 2 "$gpuaes" enc "$@" --no-sync --device cpu -in "$plain" -out "$to")
  printf '| %s | %s | %s (%s) | %s (%s) |\n' "$what" "$(rate "$theirs")" "$(rate "$auto")" "$(ratio "$theirs" "$auto")" \
    "$(rate "$cpu")" "$(ratio "$theirs" "$cpu")"
  notes+=$(stats "$@" -in "$plain" -out "$to")$'\n'
  last_auto=$auto
}

openssl enc -aes-128-ctr -K 00 -iv 00 -in /dev/zero 2>/dev/null | head -c $whole >"$plain" || true
[ "$(stat -c %s "$plain")" = $whole ] || { echo "no room for $gibibytes GiB in $work" >&2; exit 1; }
notes=
printf '%s GiB, %s threads, OpenSSL %s; GB/s, in brackets: times openssl enc\n\n' "$gibibytes" "$threads" "$(openssl version | cut -d' ' -f2)"
printf '| work | openssl enc | gpuaes enc | --device cpu |\n|---|---:|---:|---:|\n'
row "AES-256-CTR to /dev/null" /dev/null "${ctr[@]}"
row "AES-256-CTR -d to /dev/null" /dev/null -d "${ctr[@]}"
row "AES-256-ECB to /dev/null" /dev/null "${ecb[@]}"
row "AES-256-CTR to a new file" "$out" "${ctr[@]}"
with_ctr=$last_auto
row "AES-256-ECB to a new file" "$out" "${ecb[@]}"
copy=$(best 2 parallel_copy)
printf '\nA parallel copy to a new file: %s GB/s; gpuaes enc has %s of that rate with CTR, %s with ECB\n' "$(rate "$copy")" \
  "$(ratio "$copy" "$with_ctr")" "$(ratio "$copy" "$last_auto")"

head -c 1M "$plain" >"$work/small"
theirs=$(best 21 openssl enc "${ctr[@]}" -in "$work/small" -out /dev/null)
ours=$(best 21 "$gpuaes" enc "${ctr[@]}" -in "$work/small" -out /dev/null)
awk -v a="$theirs" -v b="$ours" 'BEGIN { printf "1 MiB to /dev/null, best of 21: openssl enc %.1f ms, gpuaes enc %.1f ms\n\n", a / 1e6, b / 1e6 }'
printf '%s' "$notes"
