#!/usr/bin/env bash
# gpuaes info in every state that it can find here: what it says, its exit status, its JSON. Further argument: the gpuaes command.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
gpuaes=$2
export OPENSSL_CONF=/dev/null OPENSSL_MODULES=$modules

# info STATUS ARGUMENT...: what `gpuaes info` says is in $said.
info() {
  local expected=$1 status=0
  shift
  said=$("$gpuaes" info "$@" 2>&1) || status=$?
  [ "$status" = "$expected" ] || fail "gpuaes info $* ended with $status instead of $expected: $said"
}
# says PATTERN
says() { grep -qE -- "$1" <<<"$said" || fail "no $1 in: $said"; }

if [ "$device" = host ]; then
  export GPUAES_DEVICE=host
  info 0
  says '^state +ready: '
  says '^device +0 of 1: host \(stand-in\), compute capability 9\.0'
  says '^tests +10 known answers, all of them given'
  says '^driver +stand-in, for CUDA 13\.0; built with CUDA 13\.0$'
  says '^  device +host +environment GPUAES_DEVICE'
  says '^  stats +\(none\) +default$'
  GPUAES_STATS=- info 0
  says '^  stats +- +environment GPUAES_STATS'
  says '^  AES-CTR +pinned +direct-direct +[0-9.]+ KiB +[0-9.]+ KiB +[0-9.]+ KiB$'
  GPUAES_DEVICES=7 info 1
  says "^state +absent: .* doesn't exist"
  says '^to do +Set devices = all'
  if grep -q '^Counters' <<<"$said"; then fail "a heading of no counters: $said"; fi
  GPUAES_DEVICES=7 info 1 --bench
  says "^Nothing was measured, since the device can't be used: .* doesn't exist"
  GPUAES_DEVICES=7 info 1 --bench --json
  says '^  "bench": \[\]'
  info 0 --bench
  says '^Measured, GB/s'
  says "^Counters that aren't 0"
  says '^ +16 KiB +[0-9.]+ +[0-9.]+ +[0-9.]+  default$'
else
  info 0
  says '^state +ready: '
  info 0 --bench
  says 'AES-256-CTR, pinned memory; the device is faster from .*iB on'
fi

# One JSON object, whose parts are there, whatever the state.
for arguments in "" "--bench"; do
  # shellcheck disable=SC2086  # no argument at all, where there is none
  info 0 --json $arguments
  python3 - "$arguments" <<END || fail "the JSON of gpuaes info $arguments: $said"
import json, sys
report = json.loads(r'''$said''')
assert report["usable"] is True and report["state"] == "ready" and report["advice"] == "", report["state"]
assert report["devices"][0]["memory_bytes"] > 0
assert all(test["passed"] for test in report["known_answers"]) and len(report["known_answers"]) == 10
settings = {setting["name"]: setting for setting in report["settings"]}
assert settings["verify"] == {"name": "verify", "value": "sample", "origin": "default"}
assert report["crossover"]["rates"]["zero_copy"] > 0 and report["crossover"]["rates_from"]
table = [row for row in report["crossover"]["table"] if row["algorithm"] == "AES-256-CTR" and row["in"] == row["out"] == "pinned"]
assert table[0]["steps"][0]["route"] is None and table[0]["steps"][1]["route"] == "direct-direct"
assert set(report["counters"]["reasons"]) > {"too_small", "cpu_faster", "device_busy", "device_faster", "ring"}
assert ("bench" in report) == (sys.argv[1] == "--bench")
for table in report.get("bench", []):
    assert all(row["default"] > 0 and row["device"] > 0 and row["gpuaes"] > 0 for row in table["rows"]), table
END
done

# The configuration is the application's, and so is the origin of settings.
write_config "$work/openssl.cnf" "verify = all" "device = $device"
(
  unset GPUAES_DEVICE
  OPENSSL_CONF=$work/openssl.cnf info 0
  says '^  verify +all +configuration'
  says "^OpenSSL .*configured by $work/openssl.cnf"
  if grep -q '^note' <<<"$said"; then fail "a note although all is in order: $said"; fi
)

ln -s loop "$work/loop"
OPENSSL_CONF=$work/loop info 0
says '^OpenSSL .*configured by no file'
echo 'garbage' >"$work/garbage.cnf"
OPENSSL_CONF=$work/garbage.cnf info 0
says '^note +OpenSSL finds an error in openssl.cnf: .*line 1'

# What can be wrong, and what to do about it.
printf '%s\n' 'openssl_conf = conf' '[conf]' 'providers = list' '[list]' 'base = base' '[base]' 'activate = 1' >"$work/base.cnf"
OPENSSL_CONF=$work/base.cnf info 1 --provider-path "$work"
says '^state +not loaded: .*gpuaes\.so'
info 1 --provider-path "$work" --bench
says "^Nothing was measured, since the device can't be used: .*gpuaes\.so"
info 1 --provider-path "$work"
says '^state +not loaded: .*gpuaes\.so'
says '^to do +Install gpuaes, or say where'
GPUAES_MODE=sometimes info 1
says '^state +idle: GPUAES_MODE = sometimes: allowed is'
says '^to do +Correct the setting'
says '^  mode +never +a setting is wrong'
GPUAES_FOO=1 info 1
says '^to do +Unset the variable'
GPUAES_MODE=sometimes GPUAES_STRICT=1 info 1
says '^state +not loaded: .*allowed is'
says '^to do +Correct the setting, or leave strict'
GPUAES_MODE=never info 1
says '^to do +Set mode = auto'
GPUAES_MODE=sometimes info 1 --json
python3 -c 'import json, sys; report = json.loads(sys.argv[1]); assert not report["usable"] and report["advice"]' "$said" ||
  fail "the JSON of a bad setting"
GPUAES_MODE=$'\xff' info 1 --json
python3 -c 'import json, sys; assert "\ufffd" in json.loads(sys.argv[1])["reason"]' "$said" || fail "the JSON of a setting that isn't UTF-8"
info 1 --provider-path "$work" --json
python3 -c 'import json, sys; report = json.loads(sys.argv[1]); assert report["state"] == "not loaded"' "$said" ||
  fail "the JSON of a provider that isn't there"
# On a machine without a GPU: no driver, or no kernels in this build.
if [ "$device" = host ] && ! nvidia-smi >/dev/null 2>&1; then
  GPUAES_DEVICE=cuda info 1
  says '^state +absent: '
  says '^driver +none; built with'
  says '^to do +(Build gpuaes where|Install NVIDIA|In a container)'
fi

info 2 --no-such-option
says '^gpuaes info: .*--no-such-option\. See gpuaes info --help'
info 2 extra
says '^gpuaes info: .*extra'
info 0 --help
says 'gpuaes-info\(1\)'
