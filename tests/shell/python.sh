#!/usr/bin/env bash
# Python's cryptography as a client that knows nothing of us: only OPENSSL_CONF is set.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
/usr/bin/python3 -c 'import cryptography' 2>/dev/null || skip "python3-cryptography isn't installed"

cat >"$work/client.py" <<'END'
import hashlib
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

data = (bytes(range(251)) * 4000)[:1_000_003]
digest = hashlib.sha256()
for bits in (128, 192, 256):
    key = bytes(range(bits // 8))
    for mode in (modes.CTR(bytes([255] * 15 + [250])), modes.ECB()):
        size = len(data) if isinstance(mode, modes.CTR) else len(data) // 16 * 16
        for context in (Cipher(algorithms.AES(key), mode).encryptor(), Cipher(algorithms.AES(key), mode).decryptor()):
            for start, end in ((0, 5), (5, 100), (100, 100), (100, 70_000), (70_000, size)):
                digest.update(context.update(data[start:end]))
            digest.update(context.finalize())
assert hashlib.sha256(b"abc").hexdigest() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
assert hashlib.md5(b"abc").hexdigest() == "900150983cd24fb0d6963f7d28e17f72"
print(digest.hexdigest())
END

write_config "$work/openssl.cnf" "mode = always" "device = $device" "stats = $work/counters"
expected=$(/usr/bin/python3 "$work/client.py")
got=$(OPENSSL_CONF=$work/openssl.cnf /usr/bin/python3 "$work/client.py")
[ "$got" = "$expected" ] || fail "other bytes through gpuaes"
[ -s "$work/counters" ] || skip "this cryptography has a libcrypto of its own"
[ "$(offloaded "$work/counters")" -gt 11000000 ] || fail "the device did only $(offloaded "$work/counters") bytes"
