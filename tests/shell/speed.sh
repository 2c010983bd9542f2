#!/usr/bin/env bash
# `openssl speed -multi` forks after the provider was loaded.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

for mode in auto always; do
  result=$(GPUAES_MODE=$mode GPUAES_DEVICE=$device openssl speed -mr -multi 2 -seconds 1 -bytes 16384 \
    -provider-path "$modules" -provider gpuaes -provider default -propquery '?provider=gpuaes' -evp aes-256-ctr 2>&1) ||
    fail "openssl speed: $result"
  grep -q '^+F:.*AES-256-CTR' <<<"$result" || fail "no result: $result"
  ! grep -qi 'error\|killed\|segmentation' <<<"$result" || fail "$result"
done
