#!/usr/bin/env bash
# openssl.cnf in every state it can be in: bad settings lock nobody out, a missing device is no error.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

make_input 100000 "$work/plain"
encrypt() { openssl enc -aes-128-ctr -K 00112233445566778899aabbccddeeff -iv 000102030405060708090a0b0c0d0e0f -in "$work/plain" -out "$1"; }
encrypt "$work/expected"

# try WHAT LINE...: encrypts with these lines in the provider's section.
try() {
  local what=$1
  shift
  write_config "$work/openssl.cnf" "$@" "stats = $work/counters"
  rm -f "$work/counters" "$work/cipher"
  OPENSSL_CONF=$work/openssl.cnf encrypt "$work/cipher" || fail "$what: openssl failed"
  cmp "$work/expected" "$work/cipher" || fail "$what: other bytes"
}

try "no settings"
[ "$(counter "$work/counters" bytes.default)" = 100000 ] || fail "no settings: not all bytes are counted"
try "a bad setting" "mode = sometimes"
counter "$work/counters" reason | grep -q 'mode = sometimes' || fail "the reason doesn't name the bad setting"
OPENSSL_CONF=$work/openssl.cnf openssl list -providers -verbose | sed -n '/^  gpuaes$/,$p' | grep -q 'status: inactive' ||
  fail "the status of a provider with a bad setting"

try "the device from openssl.cnf" "mode = always" "device = $device"
[ "$(offloaded "$work/counters")" = 100000 ] || fail "settings of openssl.cnf aren't in force"
GPUAES_MODE=never try "the environment wins" "mode = always" "device = $device"
[ "$(offloaded "$work/counters")" = 0 ] || fail "the environment doesn't win"

# CUDA asked for from the start, whether there is any or not.
try "bring-up at load" "startup = load"
[ -n "$(counter "$work/counters" reason)" ] || fail "no reason"
try "a device that doesn't exist" "startup = load" "devices = 77"

# A strict provider refuses a bad setting, and says why.
if GPUAES_STRICT=1 GPUAES_MODE=sometimes openssl list -providers -provider-path "$modules" -provider gpuaes >"$work/said" 2>&1; then
  fail "strict = 1 loads with a bad setting"
fi
grep -q 'MODE = sometimes' "$work/said" || fail "the refusal doesn't say why: $(cat "$work/said")"
# In openssl.cnf that takes the rest of OpenSSL's configuration along, which is why it isn't the default: openssl goes on without it.
try "strict in openssl.cnf" "mode = sometimes" "strict = 1"
