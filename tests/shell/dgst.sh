#!/usr/bin/env bash
# `openssl dgst` and Python's hashlib, by names that neither knows of itself.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

with_gpuaes=(-provider-path "$modules" -provider gpuaes -provider default)
printf 123456789 >"$work/digits"
: >"$work/empty"

# expect VALUE NAME FILE
expect() {
  local got
  got=$(openssl dgst "${with_gpuaes[@]}" "-$2" -r "$3")
  [ "${got%% *}" = "$1" ] || fail "$2 of $3: $got, not $1"
}
for name in CRC16 crc16 CRC-16/MCRF4XX; do
  expect 6f91 "$name" "$work/digits"
  expect ffff "$name" "$work/empty"
done
for name in CRC-16/IBM-SDLC CRC-16/X-25 CRC16-X25; do expect 906e "$name" "$work/digits"; done
for name in CRC-16/KERMIT CRC16-KERMIT; do expect 2189 "$name" "$work/digits"; done

# The bytes of the digest: high byte first.
[ "$(openssl dgst "${with_gpuaes[@]}" -CRC16 -binary "$work/digits" | od -An -tx1)" = " 6f 91" ] || fail "the order of the bytes"

# A file and a pipe, by the device and by the processor.
make_input 1000003 "$work/message"
on_processor=$(openssl dgst "${with_gpuaes[@]}" -CRC16 -r <"$work/message")
on_device=$(GPUAES_MODE=always GPUAES_DEVICE=$device GPUAES_STATS=$work/counters openssl dgst "${with_gpuaes[@]}" -CRC16 -r <"$work/message")
[ "$on_processor" = "$on_device" ] || fail "$on_device on the device, $on_processor on the processor"
[ "$(counter "$work/counters" bytes.device)" = 1000003 ] || fail "the device digested $(counter "$work/counters" bytes.device) bytes"

listed=$(openssl list -digest-algorithms "${with_gpuaes[@]}" | grep '@ gpuaes' | sort)
wanted='  { CRC-16/IBM-SDLC, CRC-16/X-25, CRC16-X25 } @ gpuaes
  { CRC-16/KERMIT, CRC16-KERMIT } @ gpuaes
  { CRC-16/MCRF4XX, CRC16 } @ gpuaes'
[ "$listed" = "$wanted" ] || fail "listed: $listed"

write_config "$work/openssl.cnf"
cat >"$work/client.py" <<'END'
import hashlib

digest = hashlib.new("crc16", b"1234")
copy = digest.copy()
digest.update(b"56789")
copy.update(bytes(100_000))
assert (digest.hexdigest(), digest.digest_size, digest.block_size) == ("6f91", 2, 1), digest.hexdigest()
assert copy.hexdigest() == hashlib.new("CRC16", b"1234" + bytes(100_000)).hexdigest()
assert hashlib.new("crc-16/kermit", b"123456789").hexdigest() == "2189"
assert hashlib.sha256(b"abc").hexdigest().startswith("ba7816bf")
END
OPENSSL_CONF=$work/openssl.cnf /usr/bin/python3 "$work/client.py"
