#!/usr/bin/env bash
# What `openssl list` says.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

providers=$(openssl list -providers -verbose -provider-path "$modules" -provider gpuaes -provider default 2>"$work/errors")
cat "$work/errors"
[ ! -s "$work/errors" ] || fail "messages on standard error"
grep -q '^  gpuaes$' <<<"$providers" || fail "gpuaes isn't listed: $providers"
mine=$(sed -n '/^  gpuaes$/,/^  default$/p' <<<"$providers")
for field in name: version: status: 'build info:'; do
  grep -q "$field" <<<"$mine" || fail "no $field in: $mine"
done
grep -q 'status: active' <<<"$mine" || fail "not active: $mine"

ciphers=$(openssl list -cipher-algorithms -provider-path "$modules" -provider gpuaes -provider default | grep '@ gpuaes' | sort)
[ "$(wc -l <<<"$ciphers")" = 6 ] || fail "not six ciphers: $ciphers"
for bits in 128 192 256; do
  for mode in ECB CTR; do
    grep -q "AES-$bits-$mode" <<<"$ciphers" || fail "no AES-$bits-$mode in: $ciphers"
  done
done
