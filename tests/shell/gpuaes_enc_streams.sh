#!/usr/bin/env bash
# gpuaes enc and what isn't a whole file: pipes on both ends, parts of a file, and more than 4 GiB.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
gpuaes=$2
if [ "$device" = cuda ]; then on_device=0; else on_device=host; fi

key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
cd "$work"
make_input 3000001 plain
for cipher in -aes-256-ctr -aes-256-ecb; do
  options=("$cipher" -K "$key")
  [ $cipher = -aes-256-ecb ] || options+=(-iv fffffffffffffffffffffffffffffff0)
  openssl enc "${options[@]}" -in plain -out secret
  for where in cpu $on_device auto; do
    # shellcheck disable=SC2002
    cat plain | "$gpuaes" enc "${options[@]}" --device "$where" | cmp - secret || fail "$cipher, $where, pipes"
    "$gpuaes" enc "${options[@]}" --device "$where" --threads 3 -in plain | cat | cmp - secret || fail "$cipher, $where, file to pipe"
    # shellcheck disable=SC2002
    cat secret | "$gpuaes" enc -d "${options[@]}" --device "$where" --threads 3 -out back
    cmp plain back || fail "$cipher -d, $where, pipe to file"
    rm back
  done
  head -c 1000000 plain | slowly | "$gpuaes" enc "${options[@]}" | "$gpuaes" enc -d "${options[@]}" | cmp - <(head -c 1000000 plain) ||
    fail "$cipher, slow pipes"
  printf '' | "$gpuaes" enc "${options[@]}" | cmp - <(printf '' | openssl enc "${options[@]}") || fail "$cipher, an empty pipe"
done

# A stream that pauses isn't held back: the answer to each line comes before the next line.
coproc both { "$gpuaes" enc -aes-256-ctr -K $key -iv 00 2>/dev/null | "$gpuaes" enc -d -aes-256-ctr -K $key -iv 00 2>/dev/null; }
for line in one another; do
  echo $line >&"${both[1]}"
  read -r -t 60 answer <&"${both[0]}" || fail "no answer to $line"
  [ "$answer" = $line ] || fail "the answer to $line is $answer"
done
eval "exec ${both[1]}>&-"

# Who reads no further ends it.
"$gpuaes" enc -aes-128-ctr -K 00 -iv 00 -in /dev/zero 2>/dev/null | head -c 100000 >/dev/null || true

# Parts add up to the whole, wherever they are cut and whoever does them.
options=(-aes-192-ctr -K "${key:0:48}" -iv fffffffffffffffffffffffffffffff0)
salted=(-aes-192-ctr -iter 1 -k secret)
openssl enc "${options[@]}" -in plain -out secret 2>/dev/null
openssl enc "${salted[@]}" -in plain -out salted
cuts=(0 1 16 17 1000 65536 524305 2097159 3000001)
for where in cpu $on_device; do
  rm -f parts back back_too
  for ((i = 0; i + 1 < ${#cuts[@]}; ++i)); do
    part=(--offset "${cuts[i]}" --length "$((cuts[i + 1] - cuts[i]))" --device "$where")
    "$gpuaes" enc "${options[@]}" "${part[@]}" -in plain >>parts
    "$gpuaes" enc -d "${options[@]}" "${part[@]}" <secret >>back
    "$gpuaes" enc -d "${salted[@]}" "${part[@]}" -in <(cat salted) >>back_too
  done
  cmp parts secret || fail "parts encrypted, $where"
  cmp back plain || fail "parts decrypted, $where"
  cmp back_too plain || fail "parts of a salted file, $where"
done
"$gpuaes" enc -d "${salted[@]}" --offset 2900k -in salted -out part --verify
cmp part <(tail -c +$((2900 * 1024 + 1)) plain) || fail "the last part"
status=0
"$gpuaes" enc "${salted[@]}" --length 16 -in plain 2>said || status=$?
[ $status = 2 ] || fail "a part with a salt of its own: ended with $status"
grep -q 'a salt of its own' said || fail "a part with a salt of its own: $(cat said)"

# Beyond 4 GiB: 2^28 blocks later the counter is 2^28. Holes are read fastest in memory.
if [ -w /dev/shm ]; then sparse=$(mktemp /dev/shm/gpuaes.XXXXXX); else sparse=$work/sparse; fi
trap 'rm -rf "$work" "$sparse"' EXIT
truncate -s $(((4 << 30) + 100)) "$sparse"
printf 'the end' | dd of="$sparse" bs=1 seek=$(((4 << 30) + 93)) conv=notrunc status=none
raw=(-aes-256-ctr -K "$key")
tail -c 100 "$sparse" | openssl enc "${raw[@]}" -iv 00000000000000000000000010000000 >expected
raw+=(-iv 00000000000000000000000000000000)
"$gpuaes" enc "${raw[@]}" --offset 4g -in "$sparse" | cmp - expected || fail "beyond 4 GiB"
"$gpuaes" enc "${raw[@]}" --offset $(((4 << 30) - 3000000)) -in "$sparse" | tail -c 100 | cmp - expected || fail "across 4 GiB"
"$gpuaes" enc "${raw[@]}" --json -in "$sparse" -out /dev/null | grep -q '"bytes_out":4294967396' || fail "more than 4 GiB"
