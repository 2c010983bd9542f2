#!/usr/bin/env bash
# Times the bfmatch command on files in memory, beside ripgrep and GNU grep, and prints a table of GB/s. The rivals get the first GiB.
# Usage: bench/match.sh BFMATCH [GIBIBYTES]; needs openssl, python3 and twice that much room in /dev/shm, or in TMPDIR.
set -euo pipefail
bfmatch=$1
gibibytes=${2:-16}
work=$(mktemp -d "${TMPDIR:-/dev/shm}/bfmatch-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff

# make KIND: the file, and lists of 1, 100 and 10,000 patterns of which one in a hundred occurs.
make() {
  python3 - "$1" "$work" "$gibibytes" <<'END'
import random, sys
kind, work, gibibytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(1)
if kind == "dna":
    piece = bytes(b"ACGT"[byte & 3] if i % 8191 else 10 for i, byte in enumerate(random.randbytes(16 << 20)))
    absent = lambda: bytes(random.choices(b"ACGT", k=24))
else:
    words = [bytes(random.choices(b"eeeetttaaooiinnsshhrrdlucmfwypvbgk", k=random.randrange(2, 10))) for _ in range(5000)]
    piece = b" ".join(random.choices(words, weights=[1 / (i + 1) for i in range(5000)], k=4 << 20))[:16 << 20]
    piece = bytes(10 if i % 71 == 0 and byte == 32 else byte for i, byte in enumerate(piece))
    absent = lambda: b" ".join(random.choices(words, k=4))
with open(f"{work}/{kind}", "wb") as file:
    for i in range(gibibytes * 64):
        turn = i * 4099 % len(piece)
        file.write(piece[turn:] + piece[:turn])
for count in (1, 100, 10000):
    with open(f"{work}/{kind}.{count}", "wb") as file:
        for i in range(count):
            start = random.randrange(len(piece) - 24)
            file.write((piece[start:start + 24] if i % 100 == 0 else absent()) + b"\n")
END
  head -c 1G "$work/$1" >"$work/$1.first"
}

# rate BYTES COMMAND...: GB/s of the faster of two runs; - if the program isn't there.
rate() {
  local bytes=$1 best=0 start ns
  shift
  command -v "$1" >/dev/null || { printf -- '-'; return; }
  for _ in 1 2; do
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1 || true  # finding nothing is no error
    ns=$(($(date +%s%N) - start))
    if [ $best = 0 ] || [ $ns -lt $best ]; then best=$ns; fi
  done
  awk -v b="$bytes" -v ns="$best" 'BEGIN { printf "%.2f", b / ns }'
}

whole=$((gibibytes << 30))
printf '%s GiB; whole commands, their start included\n\n' "$gibibytes"
"$bfmatch" -c --stats x /dev/null 2>&1 >/dev/null | sed 's/^/nothing to do: /' || true
printf '\n| data, patterns | auto | cpu | cpu, 1 thread | auto, listing | auto, encrypted | rg, 1 GiB | grep, 1 GiB |\n|---|---:|---:|---:|---:|---:|---:|---:|\n'
for kind in text dna; do
  make "$kind"
  openssl enc -aes-256-ctr -K $key -iv $iv -in "$work/$kind" -out "$work/secret"
  for count in 1 100 10000; do
    list=$work/$kind.$count
    first=$((1 << 30))
    printf '| %s, %s | %s | %s | %s | %s | %s | %s | %s |\n' "$kind" "$count" \
      "$(rate $whole "$bfmatch" -c -f "$list" "$work/$kind")" \
      "$(rate $whole "$bfmatch" -c --device cpu -f "$list" "$work/$kind")" \
      "$(rate $first "$bfmatch" -c --device cpu --threads 1 -f "$list" "$work/$kind.first")" \
      "$(rate $whole "$bfmatch" -f "$list" "$work/$kind")" \
      "$(rate $whole "$bfmatch" -c --decrypt aes-256-ctr --key $key --iv $iv -f "$list" "$work/secret")" \
      "$(rate $first rg --count-matches -F -f "$list" "$work/$kind.first")" \
      "$(if [ "$count" = 10000 ]; then printf 'not run'; else rate $first grep -c -a -F -f "$list" "$work/$kind.first"; fi)"
    # What it says of itself, with the share of the device.
    "$bfmatch" -c --stats -f "$list" "$work/$kind" 2>&1 >/dev/null | sed 's/^/<!-- /; s/$/ -->/'
  done
  rm "$work/$kind" "$work/$kind.first" "$work/secret"
done
