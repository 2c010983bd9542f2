#!/usr/bin/env bash
# How fast is the bfmatch command on files in memory, beside others on one thread? Prints a table of GB/s, of whole commands if not said
# otherwise. Usage: bench/match.sh BFMATCH [GIBIBYTES]; needs openssl, python3 and three times that much room in /dev/shm, or in TMPDIR.
# Rivals are whichever there are: rg, grep, StringZilla for Python, and Hyperscan, by RIVAL_HYPERSCAN, the program of that name.
set -euo pipefail
bfmatch=$1
gibibytes=${2:-16}
work=$(mktemp -d "${TMPDIR:-/dev/shm}/bfmatch-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=f0f1f2f3f4f5f6f7 # of it, the upper half
parts=16
# What one thread gets of the file, in MiB, so that nobody takes long.
declare -A share=([1]=1024 [100]=128 [10000]=16)
for count in "${!share[@]}"; do
  if [ "${share[$count]}" -gt $((gibibytes * 1024)) ]; then share[$count]=$((gibibytes * 1024)); fi
done

# make KIND: the file, and lists of 1, 100 and 10,000 patterns of which one in a hundred occurs.
make() {
  python3 - "$1" "$work" "$gibibytes" <<'END_OF_PYTHON'
import random, sys
kind, work, gibibytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(1)
if kind == "dna":
    piece = bytes(b"ACGT"[byte & 3] if i % 8191 else 10 for i, byte in enumerate(random.randbytes(8 << 20)))
    absent = lambda: bytes(random.choices(b"ACGT", k=24))
else:
    words = [bytes(random.choices(b"eeeetttaaooiinnsshhrrdlucmfwypvbgk", k=random.randrange(2, 10))) for _ in range(5000)]
    piece = b" ".join(random.choices(words, weights=[1 / (i + 1) for i in range(5000)], k=2 << 20))[:8 << 20]
    piece = bytes(10 if i % 71 == 0 and byte == 32 else byte for i, byte in enumerate(piece))
    absent = lambda: b" ".join(random.choices(words, k=4))
with open(f"{work}/{kind}", "wb") as file:
    for i in range(gibibytes * 128):
        turn = i * 4099 % len(piece)
        file.write(piece[turn:])
        file.write(piece[:turn])
for count in (1, 100, 10000):
    with open(f"{work}/{kind}.{count}", "wb") as file:
        for i in range(count):
            start = random.randrange(len(piece) - 24)
            # Without newlines, which would end the pattern.
            file.write((piece[start:start + 24].replace(b"\n", b" ") if i % 100 == 0 else absent()) + b"\n")
END_OF_PYTHON
}

# Parts of it by a processor each.
encrypt() {
  local part mib=$((gibibytes * 1024 / parts)) counter
  for ((part = 0; part < parts; ++part)); do
    counter=$iv$(printf %016x $((part * mib * 65536)))
    dd if="$1" bs=1M skip=$((part * mib)) count=$mib status=none |
      openssl enc -aes-256-ctr -K $key -iv "$counter" |
      dd of="$2" bs=1M seek=$((part * mib)) conv=notrunc iflag=fullblock status=none &
  done
  wait
}

# seconds COMMAND...: the faster of two runs; what it says goes to $work/said.
seconds() {
  local best=0 start ns
  for _ in 1 2; do
    start=$(date +%s%N)
    "$@" >"$work/found" 2>"$work/said" || true # finding nothing is no error
    ns=$(($(date +%s%N) - start))
    if [ $best = 0 ] || [ $ns -lt $best ]; then best=$ns; fi
  done
  awk -v ns="$best" 'BEGIN { printf "%.6f", ns / 1e9 }'
}

# rate MIB COMMAND...: GB/s; - if the program isn't there.
rate() {
  command -v "$2" >/dev/null || { printf -- '-'; return; }
  awk -v mib="$1" -v s="$(seconds "${@:2}")" 'BEGIN { printf "%.2f", mib * 1048576 / s / 1e9 }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }

hyperscan() { if [ -n "${RIVAL_HYPERSCAN:-}" ]; then "$RIVAL_HYPERSCAN" "$@" 2>/dev/null; else printf -- '-'; fi; }

# The scan alone, of one pattern: it knows no others.
stringzilla() {
  python3 - "$1" "$2" 2>/dev/null <<'END_OF_PYTHON' || printf -- '-'
import stringzilla, sys, time
text, pattern = stringzilla.Str(stringzilla.File(sys.argv[1])), open(sys.argv[2], "rb").readline().rstrip(b"\n")
rates = []
for _ in range(3):
    start = time.perf_counter()
    text.count(pattern, allowoverlap=True)
    rates.append(len(text) / (time.perf_counter() - start) / 1e9)
print(f"{max(rates):.2f}", end="")
END_OF_PYTHON
}

mib=$((gibibytes * 1024))
printf '%s GiB; one thread, and all rivals, get the first 1,024 MiB, 128 for 100 patterns, 16 for 10,000.\n\n' "$gibibytes"
printf '| data, patterns | auto | auto, once the device is up | by the device | cpu | auto, offsets | auto, ciphertext | ciphertext, once up | cpu, 1 thread |'
printf ' rg | ratio | grep | ratio | Hyperscan, scan alone | ratio | StringZilla, scan alone | ratio |\n|---|'
printf -- '---:|%.0s' {1..16}
printf '\n'
for kind in text dna; do
  make "$kind"
  encrypt "$work/$kind" "$work/secret"
  for count in 1 100 10000; do
    list=$work/$kind.$count
    first=$work/first
    head -c "${share[$count]}M" "$work/$kind" >"$first"
    # What it says of itself after the second run: "...; 48 % by NVIDIA ...; once that was up, ... s, 40.1 GB/s".
    auto=$(rate $mib "$bfmatch" -c --stats -f "$list" "$work/$kind")
    up=$(sed -n 's/.*once that was up.* s, \([0-9.]*\) GB.*/\1/p' "$work/said")
    by=$(sed -n 's/.* \([0-9]*\) % by .*/\1 %/p' "$work/said")
    cpu=$(rate $mib "$bfmatch" -c --device cpu -f "$list" "$work/$kind")
    offsets=$(rate $mib "$bfmatch" -f "$list" "$work/$kind")
    secret=$(rate $mib "$bfmatch" -c --stats --decrypt aes-256-ctr --key $key --iv ${iv}0000000000000000 -f "$list" "$work/secret")
    secret_up=$(sed -n 's/.*once that was up.* s, \([0-9.]*\) GB.*/\1/p' "$work/said")
    one=$(rate "${share[$count]}" "$bfmatch" -c --device cpu --threads 1 -f "$list" "$first")
    rg=$(rate "${share[$count]}" rg --count-matches -a -F -f "$list" "$first")
    grep=$(rate "${share[$count]}" grep -c -a -F -f "$list" "$first")
    hs=$(hyperscan "$first" "$list")
    sz=$(if [ "$count" = 1 ]; then stringzilla "$first" "$list"; else printf -- '-'; fi)
    printf '| %s, %s | %s | %s | %s | %s | %s | %s | %s | %s |' "$kind" "$count" "$auto" "${up:--}" "${by:--}" "$cpu" "$offsets" "$secret" \
      "${secret_up:--}" "$one"
    for rival in "$rg" "$grep" "$hs" "$sz"; do printf ' %s | %s |' "$rival" "$(ratio "$one" "$rival")"; done
    printf '\n'
  done
  rm "$work/$kind" "$work/first" "$work/secret"
done

head -c 1M /dev/zero >"$work/small"
printf '\n1 MiB, one pattern, milliseconds: bfmatch'
for command in "$bfmatch -c" "grep -c -a -F" "rg -c -a -F"; do
  [ "$command" = "$bfmatch -c" ] || printf ', %s' "${command%% *}"
  # shellcheck disable=SC2086
  if command -v ${command%% *} >/dev/null; then
    printf ' %s' "$(for _ in 1 2 3 4 5; do seconds $command needle "$work/small"; echo; done | sort -n | head -n 1 | awk '{ printf "%.1f", $1 * 1000 }')"
  fi
done
printf '\n'
