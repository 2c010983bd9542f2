#!/usr/bin/env bash
# How much of `openssl dgst -CRC16` is the CRC? Prints a table of whole commands on a file in memory: with a digest that does nothing,
# with gpuaes, and of reading alone. Arguments: the folders with gpuaes.so and rival_digests.so; the file's size in MiB, 4096 if none.
set -euo pipefail
gpuaes=$1 rivals=$2 mebibytes=${3:-4096}
file=$(mktemp -p /dev/shm)
trap 'rm -f "$file"' EXIT
head -c "${mebibytes}M" /dev/zero | tr '\0' 'Z' >"$file"

digest() { OPENSSL_CONF=/dev/null openssl dgst -provider-path "$2" -provider "$3" -provider default "-$1" "$file"; }
crc16() { digest CRC16 "$gpuaes" gpuaes; }
nothing() { digest CRC16-NULL "$rivals" rival_digests; }
reading() { dd if="$file" of=/dev/null bs=8k status=none; }  # what openssl dgst reads at a time

# In turns, so that all meet the same moods of the machine.
declare -A took=([nothing]="" [crc16]="" [reading]="")
for _ in 1 2 3 4 5 6 7; do
  for what in nothing crc16 reading; do
    start=$(date +%s%N)
    "$what" >/dev/null
    took[$what]+=" $((($(date +%s%N) - start) / 1000))"
  done
done
median() { tr ' ' '\n' <<<"${took[$1]# }" | sort -n | sed -n 4p; }

base=$(median nothing)
echo "| $mebibytes MiB in /dev/shm | ms, median of 7 | of the null digest |"
echo "|---|---:|---:|"
for what in nothing crc16 reading; do
  label=$(case $what in nothing) echo "openssl dgst, null digest" ;; crc16) echo "openssl dgst -CRC16" ;; *) echo "reading, 8 KiB at a time" ;; esac)
  awk -v label="$label" -v us="$(median $what)" -v base="$base" 'BEGIN { printf "| %s | %.0f | %.3f |\n", label, us / 1000, us / base }'
done
