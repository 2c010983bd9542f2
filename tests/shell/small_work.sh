#!/usr/bin/env bash
# A process that does only small work starts no thread and maps no CUDA library, as the settings are by default.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
/usr/bin/python3 -c 'import cryptography' 2>/dev/null || skip "python3-cryptography isn't installed"

cat >"$work/client.py" <<'END'
import os
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

for i in range(1000):
    context = Cipher(algorithms.AES(bytes(32)), modes.CTR(bytes(16))).encryptor()
    context.update(bytes(16 + 64 * i))
    context.finalize()
maps = open("/proc/self/maps").read()
if "gpuaes.so" not in maps:
    raise SystemExit(77)
assert "libcuda" not in maps and "nvidia" not in maps, maps
assert len(os.listdir("/proc/self/task")) == 1
assert not any("nvidia" in os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}"))
END

write_config "$work/openssl.cnf" "stats = $work/counters"
OPENSSL_CONF=$work/openssl.cnf /usr/bin/python3 "$work/client.py"
[ "$(counter "$work/counters" state)" = idle ] || fail "state $(counter "$work/counters" state)"
[ "$(counter "$work/counters" calls.default)" = 1000 ] || fail "$(counter "$work/counters" calls.default) calls"
[ "$(offloaded "$work/counters")" = 0 ] || fail "something was offloaded"
