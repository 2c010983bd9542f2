#!/usr/bin/env bash
# An OpenSSH transfer with aes256-ctr: the client has gpuaes, the server, which it starts itself, has not.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
command -v ssh >/dev/null || skip "ssh isn't installed"
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) || skip "sshd isn't installed"
[ "$(id -u)" != 0 ] || [ -d /run/sshd ] || skip "sshd has no folder /run/sshd"

chmod 700 "$work"
ssh-keygen -q -t ed25519 -N '' -f "$work/host"
ssh-keygen -q -t ed25519 -N '' -f "$work/user"
cp "$work/user.pub" "$work/authorized"
printf 'HostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\nCiphers aes256-ctr\nPermitRootLogin yes\n' \
  "$work/host" "$work/authorized" >"$work/sshd_config"
write_config "$work/openssl.cnf" "startup = load" "keystream_ahead = 256k" "device = $device" "stats = $work/counters-%p"
make_input 6000000 "$work/plain"

slowly <"$work/plain" |
  OPENSSL_CONF=$work/openssl.cnf ssh -F none -c aes256-ctr -i "$work/user" -o BatchMode=yes -o StrictHostKeyChecking=no \
    -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o IdentitiesOnly=yes \
    -o ProxyCommand="env -u OPENSSL_CONF $sshd -i -f $work/sshd_config" "$(id -un)@localhost" "cat >'$work/received'" ||
  skip "sshd can't be run by this user"
cmp "$work/plain" "$work/received" || fail "the server received other bytes"

set -- "$work"/counters-*
[ -s "$1" ] || skip "this OpenSSH doesn't take its ciphers from openssl.cnf's providers"
keystream=0
for counters; do keystream=$((keystream + $(counter "$counters" bytes.keystream))); done
[ "$keystream" -gt 1000000 ] || fail "of 6,000,000 bytes $keystream were encrypted ahead"
