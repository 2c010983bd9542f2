#!/usr/bin/env bash
# OpenSSH as a client that knows nothing of us: a private key encrypted with AES-256-CTR.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
command -v ssh-keygen >/dev/null || skip "ssh-keygen isn't installed"

write_config "$work/openssl.cnf" "mode = always" "device = $device" "stats = $work/counters-%p"
OPENSSL_CONF=$work/openssl.cnf ssh-keygen -q -t ed25519 -Z aes256-ctr -a 1 -N secret -C test -f "$work/key"
[ "$(ssh-keygen -y -P secret -f "$work/key")" = "$(cat "$work/key.pub")" ] || fail "ssh-keygen alone can't read the key"
ssh-keygen -q -t ed25519 -Z aes256-ctr -a 1 -N secret -C test -f "$work/other"
[ "$(OPENSSL_CONF=$work/openssl.cnf ssh-keygen -y -P secret -f "$work/other")" = "$(cat "$work/other.pub")" ] ||
  fail "ssh-keygen with gpuaes can't read the key"

set -- "$work"/counters-*
[ -s "$1" ] || skip "this OpenSSH doesn't take its ciphers from openssl.cnf's providers"
for counters; do
  [ "$(offloaded "$counters")" -gt 0 ] || fail "the device had no part in it"
done
