# Sourced by the tests of this folder: where the module is, a folder to work in, and the provider's counters.
# shellcheck shell=bash
set -euo pipefail

# shellcheck disable=SC2034  # for the tests
modules=$1
# shellcheck disable=SC2034
device=${GPUAES_TEST_DEVICE:-host}
for variable in "${!GPUAES_@}"; do unset "$variable"; done
unset OPENSSL_CONF OPENSSL_MODULES

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "failed: $*" >&2
  exit 1
}

skip() {
  echo "skipped: $*"
  exit 77
}

# counter FILE NAME: a number of the counters' JSON, for example bytes.device.
counter() {
  python3 - "$1" "$2" <<'END'
import json, sys
value = json.load(open(sys.argv[1]))
for part in sys.argv[2].split("."):
    value = value[part]
print(value)
END
}

# offloaded FILE: bytes that the device had a part in.
offloaded() { echo $(($(counter "$1" bytes.device) + $(counter "$1" bytes.keystream))); }

# write_config FILE [LINE...]: an openssl.cnf with the module beside the default provider, and more lines for its section.
write_config() {
  local file=$1
  shift
  cat >"$file" <<END
openssl_conf = openssl_init
[openssl_init]
providers = provider_section
alg_section = algorithm_section
[algorithm_section]
default_properties = ?provider=gpuaes
[provider_section]
default = default_section
gpuaes = gpuaes_section
[default_section]
activate = 1
[gpuaes_section]
module = $modules/gpuaes.so
activate = 1
END
  printf '%s\n' "$@" >>"$file"
}

# slowly: copies standard input to standard output, 64 KiB every few milliseconds.
slowly() {
  python3 -c '
import sys, time
while piece := sys.stdin.buffer.read(65536):
    sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
    time.sleep(0.01)'
}

# make_input BYTES FILE: bytes of period 251.
make_input() { python3 -c 'import sys; n = int(sys.argv[1]); sys.stdout.buffer.write((bytes(range(251)) * (n // 251 + 1))[:n])' "$1" >"$2"; }
