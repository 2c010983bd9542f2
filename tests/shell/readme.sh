#!/usr/bin/env bash
# The README's examples compile as they stand and do what they say. Further arguments: CUDA's include folder and static runtime library.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
readme=$(dirname "$0")/../../README.md

# extract NAME: the code block after the comment that names it.
extract() {
  awk -v start="<!-- example: $1 -->" '$0 == start { found = 1; next } found && /^```(c|cpp|sh)$/ { inside = 1; next } inside && /^```$/ { exit } inside' \
    "$readme" >"$work/$1"
  [ -s "$work/$1" ] || fail "README.md has no example $1"
}

export OPENSSL_MODULES=$modules GPUAES_DEVICE=$device GPUAES_STATS=$work/stats.json OPENSSL_CONF=/dev/null

extract encrypt.c
cc -Wall -Wextra -Werror "$work/encrypt.c" -o "$work/encrypt" -lcrypto
[ "$(GPUAES_MODE=always "$work/encrypt")" = "encrypted by gpuaes" ] || fail "encrypt.c"
[ "$(offloaded "$work/stats.json")" = $((64 << 20)) ] || fail "encrypt.c was not done by the device"

extract combine.cpp
mkdir "$work/include"
ln -s "$(realpath "$(dirname "$readme")")/cuda/core" "$work/include/gpuaes"
c++ -std=c++20 -Wall -Wextra -Werror -I "$work/include" "$work/combine.cpp" -o "$work/combine"
[ "$("$work/combine")" = 6f91 ] || fail "combine.cpp"
# says NAME COMMAND: what each line of an example prints stands behind it, lines joined by "and".
says() {
  local expected said
  extract "$1"
  expected=$(sed -n 's/.*# //p' "$work/$1" | sed 's/ and /\n/')
  said=$(cd "$work" && PATH=$(dirname "$2"):$PATH env -u GPUAES_DEVICE -u GPUAES_STATS bash -e "$1")
  [ "$said" = "$expected" ] || fail "$1 said: $said"
}
[ -z "${BFMATCH:-}" ] || says bfmatch.sh "$BFMATCH"
[ -z "${GPUAES:-}" ] || says enc.sh "$GPUAES"

extract device.c
if [ $# -lt 3 ]; then
  echo "device.c needs CUDA: not compiled"
  exit 0
fi
cc -Wall -Wextra -Werror -I "$2" "$work/device.c" -o "$work/device" -lcrypto "$3" -ldl -lrt -lpthread -lstdc++
if [ "$device" = cuda ]; then
  # AES-256 with key 01 00 .. of counter 02 00 ..: what the default provider makes of it.
  first=$(head -c 16 /dev/zero | env -u GPUAES_STATS openssl enc -aes-256-ctr -K "01$(printf '0%.0s' {1..62})" \
    -iv "02$(printf '0%.0s' {1..30})" | head -c 1 | od -An -tx1 | tr -d ' ')
  [ "$("$work/device")" = "encrypted on the device, first byte $first" ] || fail "device.c"
  [ "$(counter "$work/stats.json" bytes.device)" = $((256 << 20)) ] || fail "device.c was not done by the device"
fi
