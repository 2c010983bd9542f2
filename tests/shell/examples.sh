#!/usr/bin/env bash
# What is in conf/examples/ compiles, runs, and finds its own results right. Further arguments: CUDA's include folder and static
# runtime library. Without a GPU the examples say so and do what they can.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
examples=$(dirname "$0")/../../conf/examples
export OPENSSL_CONF=/dev/null TMPDIR=$work

cc -Wall -Wextra -Werror -O2 "$examples/large_buffer.c" -o "$work/large_buffer" -lcrypto
GPUAES_DEVICE=$device GPUAES_MODE=always GPUAES_STATS=$work/stats.json "$work/large_buffer" 64 "$modules" >"$work/said"
grep -q 'byte for byte the same' "$work/said" || fail "large_buffer.c said: $(cat "$work/said")"
[ "$(offloaded "$work/stats.json")" = $((4 * 64 << 20)) ] || fail "large_buffer.c was not done by the device"

# On the stand-in, whose memory is of another kind than CUDA's, the Python example sees no device.
if [ "$device" = cuda ]; then expected=$((64 << 20)); else expected=0; fi
GPUAES_STATS=$work/stats.json /usr/bin/python3 "$examples/encrypted_weights.py" 64 "$modules" >"$work/said"
grep -q '^bytes  *the same$' "$work/said" || fail "encrypted_weights.py said: $(cat "$work/said")"
[ "$(counter "$work/stats.json" bytes.device)" -ge $expected ] || fail "encrypted_weights.py was not done by the device"
if [ "$device" != cuda ] && ! nvidia-smi -L >/dev/null 2>&1; then
  grep -q 'no CUDA device' "$work/said" || fail "encrypted_weights.py doesn't say that there is no device"
fi
if /usr/bin/python3 "$examples/encrypted_weights.py" 1 "$work" >/dev/null 2>"$work/said"; then fail "it went on without gpuaes"; fi
grep -q "can't load its provider gpuaes" "$work/said" || fail "without gpuaes it said: $(cat "$work/said")"

for size in x 0 -1 1048577 ''; do
  if /usr/bin/python3 "$examples/encrypted_weights.py" -- "$size" >"$work/said" 2>&1; then fail "it took $size for a size"; fi
  grep -q "whole numbers from 1 to 1048576 are allowed" "$work/said" || fail "of the size '$size' it said: $(cat "$work/said")"
done
/usr/bin/python3 "$examples/encrypted_weights.py" --help | grep -q '\[MIB\] \[FOLDER_OF_GPUAES_SO\]' || fail "no help of encrypted_weights.py"

if [ $# -lt 3 ]; then
  echo "device_memory.c needs CUDA: not compiled"
  exit 0
fi
cc -Wall -Wextra -Werror -O2 -I "$2" "$examples/device_memory.c" -o "$work/device_memory" -lcrypto "$3" -ldl -lrt -lpthread -lstdc++
status=0
GPUAES_STATS=$work/stats.json "$work/device_memory" 64 "$modules" >"$work/said" || status=$?
if [ "$device" = cuda ]; then
  grep -q '^bytes  *the same$' "$work/said" || fail "device_memory.c said: $(cat "$work/said")"
  [ "$(counter "$work/stats.json" bytes.device)" -ge $((64 << 20)) ] || fail "device_memory.c was not done by the device"
else
  [ $status = 0 ] || [ $status = 77 ] || fail "device_memory.c said: $(cat "$work/said")"
fi
