#!/usr/bin/env bash
# Round trips through `openssl enc`: what one provider encrypts, the other decrypts, and both ciphertexts are the same.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

with_gpuaes=(-provider-path "$modules" -provider gpuaes -provider default -propquery '?provider=gpuaes')
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=fffffffffffffffffffffffffffffff0

# gpuaes_enc OPTION...: openssl enc with everything on the device, whose counters go to $work/counters.
gpuaes_enc() {
  GPUAES_MODE=always GPUAES_DEVICE=$device GPUAES_STATS=$work/counters openssl enc "$@" "${with_gpuaes[@]}"
}

for bytes in 0 1 16 17 300000; do
  make_input "$bytes" "$work/plain"
  for bits in 128 192 256; do
    for mode in ecb ctr; do
      what="aes-$bits-$mode, $bytes bytes"
      options=(-"aes-$bits-$mode" -K "${key:0:$((bits / 4))}")
      [ "$mode" = ecb ] || options+=(-iv "$iv")
      openssl enc "${options[@]}" -in "$work/plain" -out "$work/expected"
      gpuaes_enc "${options[@]}" -in "$work/plain" -out "$work/cipher"
      cmp "$work/expected" "$work/cipher" || fail "encrypting: $what"
      [ "$bytes" -lt 16 ] || [ "$(offloaded "$work/counters")" -gt 0 ] || fail "the device had no part in encrypting: $what"

      gpuaes_enc -d "${options[@]}" -in "$work/expected" -out "$work/back"
      cmp "$work/plain" "$work/back" || fail "decrypting what the default provider encrypted: $what"
      [ "$bytes" -lt 32 ] || [ "$(offloaded "$work/counters")" -gt 0 ] || fail "the device had no part in decrypting: $what"
      openssl enc -d "${options[@]}" -in "$work/cipher" -out "$work/back"
      cmp "$work/plain" "$work/back" || fail "decrypting by the default provider: $what"
    done
  done
done

# All of a larger file.
[ "$(offloaded "$work/counters")" -ge 299000 ] || fail "of 300,000 bytes the device did $(offloaded "$work/counters")"
[ "$(counter "$work/counters" device_errors)" = 0 ] || fail "device errors"
