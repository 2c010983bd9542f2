#!/usr/bin/env bash
# Programs that encrypt in small pieces and know nothing of us: the device is ahead of them. Their input comes slowly, so that the
# stand-in, which is no faster than a processor, can be ahead too.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=fffffffffffffffffffffffffffffff0
settings=("startup = load" "keystream_ahead = 256k" "device = $device" "stats = $work/counters")
write_config "$work/openssl.cnf" "${settings[@]}"
make_input 4000003 "$work/plain"

# expect_ahead WHAT: by the counters.
expect_ahead() {
  [ "$(counter "$work/counters" rings_started)" -gt 0 ] || fail "$1: no ring was started"
  [ "$(counter "$work/counters" bytes.keystream)" -gt 0 ] || fail "$1: no keystream was used"
  [ "$(counter "$work/counters" device_errors)" = 0 ] || fail "$1: device errors"
  rm "$work/counters"
}

for bits in 128 256; do
  options=(-"aes-$bits-ctr" -K "${key:0:$((bits / 4))}" -iv "$iv")
  openssl enc "${options[@]}" -in "$work/plain" -out "$work/expected"
  slowly <"$work/plain" | OPENSSL_CONF=$work/openssl.cnf openssl enc "${options[@]}" -out "$work/cipher"
  cmp "$work/expected" "$work/cipher" || fail "openssl enc encrypts to something else, $bits bits"
  expect_ahead "openssl enc"
  slowly <"$work/cipher" | OPENSSL_CONF=$work/openssl.cnf openssl enc -d "${options[@]}" -out "$work/back"
  cmp "$work/plain" "$work/back" || fail "openssl enc decrypts to something else, $bits bits"
  expect_ahead "openssl enc -d"
done

/usr/bin/python3 -c 'import cryptography' 2>/dev/null || skip "python3-cryptography isn't installed"
cat >"$work/client.py" <<'END'
import hashlib, time
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

context = Cipher(algorithms.AES(bytes(range(32))), modes.CTR(bytes([255] * 16))).encryptor()
digest = hashlib.sha256()
piece = bytes(range(251)) * 33
for i in range(500):
    digest.update(context.update(piece[i:]))
    if i % 8 == 0:
        time.sleep(0.005)
print(digest.hexdigest())
END
expected=$(/usr/bin/python3 "$work/client.py")
got=$(OPENSSL_CONF=$work/openssl.cnf /usr/bin/python3 "$work/client.py")
[ "$got" = "$expected" ] || fail "other bytes through gpuaes"
[ -s "$work/counters" ] || skip "this cryptography has a libcrypto of its own"
expect_ahead "Python"
