#!/usr/bin/env bash
# Passphrases, bad decryptions and pipes.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

with_gpuaes=(-provider-path "$modules" -provider gpuaes -provider default -propquery '?provider=gpuaes')
export GPUAES_MODE=always GPUAES_DEVICE=$device
make_input 100001 "$work/plain"
for cipher in aes-256-ctr aes-128-ecb; do
  openssl enc -$cipher -pbkdf2 -pass pass:secret -in "$work/plain" "${with_gpuaes[@]}" |
    openssl enc -d -$cipher -pbkdf2 -pass pass:secret -out "$work/back"
  cmp "$work/plain" "$work/back" || fail "$cipher, gpuaes to default"
  openssl enc -$cipher -pbkdf2 -pass pass:secret -in "$work/plain" |
    openssl enc -d -$cipher -pbkdf2 -pass pass:secret -out "$work/back" "${with_gpuaes[@]}"
  cmp "$work/plain" "$work/back" || fail "$cipher, default to gpuaes"
done

# A wrong passphrase gives the message that it gives without us.
openssl enc -aes-128-ecb -pbkdf2 -pass pass:secret -in "$work/plain" -out "$work/cipher"
wrong() { openssl enc -d -aes-128-ecb -pbkdf2 -pass pass:wrong -in "$work/cipher" -out "$work/back" "$@" 2>&1 | sed 's/^[0-9A-F]*://; s/:[^:]*:[0-9]*:$//'; }
[ "$(wrong || true)" = "$(wrong "${with_gpuaes[@]}" || true)" ] || fail "messages differ: $(wrong) and $(wrong "${with_gpuaes[@]}")"
