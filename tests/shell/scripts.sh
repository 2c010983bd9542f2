#!/usr/bin/env bash
# What the scripts say before they begin, and where they can't.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
root=$(realpath "$(dirname "$0")/../..")

# ends WITH TEXT COMMAND...: its exit code, and a text in what it says.
ends() {
  local expected=$1 text=$2 status=0
  shift 2
  "$@" >"$work/said" 2>&1 </dev/null || status=$?
  [ "$status" = "$expected" ] || fail "$*: ended with $status, not $expected: $(cat "$work/said")"
  grep -qF -- "$text" "$work/said" || fail "$*: no \"$text\" in: $(cat "$work/said")"
}

# In a copy without anything to build, so that what goes on in spite of an argument fails.
mkdir "$work/conf" "$work/tests" "$work/bench"
cp "$root"/conf/*.sh "$work/conf"
cp "$root/tests/run.sh" "$work/tests"
cp "$root"/bench/{run.sh,benches.json} "$work/bench"
cp "$root/CMakeLists.txt" "$work"
for script in tests/run.sh conf/demo.sh bench/run.sh; do
  for option in -h --help; do
    ends 0 "Usage: $script" bash "$work/$script" $option
    grep -q build/nvcc "$work/said" || fail "$script $option doesn't tell where it writes"
  done
done
ends 2 'takes no "--quick"' bash "$work/tests/run.sh" --quick
ends 2 'no "5g" behind it' bash "$work/conf/demo.sh" 4g 5g
ends 2 'takes no "--fast"' bash "$work/bench/run.sh" --quick --fast
ends 2 'no bench "aes"' bash "$work/bench/run.sh" --into x --only aes
ends 2 '--only wants something' bash "$work/bench/run.sh" --only
[ ! -e "$work/build" ] || fail "a usage message made a folder"
ends 1 "not a size: --fast" bash "$work/conf/demo.sh" --fast

# with LINE...: what these lines of bash do after conf/setup.sh.
with() { bash -c 'source conf/setup.sh; eval "$1"' "$work/with.sh" "$(printf '%s\n' "$@")"; }
cd "$work"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/apt-get
chmod +x bin/apt-get
# shellcheck disable=SC2016  # for the other shell
ends 1 "takes root or sudo: no-such-a no-such-b." with 'id() { echo 1000; }' 'PATH=$PWD/bin' 'need no-such-a no-such-b'
ends 1 "CMake 3.25 or newer is needed, and this is 3.22.1" with 'cmake() { echo "cmake version 3.22.1"; }' 'build x'
for version in 3.25 3.25.1 3.31.6 4.0.2; do
  with "cmake() { echo cmake version $version; }" is_cmake_new_enough || fail "CMake $version is refused"
done

# The builds of the tests stop at a warning, though users' don't.
presets=$(sed -nE 's/.*build_and_run "[^"]*" [a-z]+ ([a-z]+).*/\1/p' "$root/tests/run.sh")
[ "$(wc -l <<<"$presets")" = 5 ] || fail "not five presets in tests/run.sh: $presets"
for preset in $presets; do
  grep -q '^set(GPUAES_WERROR ON ' "$root/conf/presets/$preset.cmake" || fail "GPUAES_WERROR isn't on in $preset.cmake"
done
