#!/usr/bin/env bash
# Builds and runs all tests: as built for use, with AddressSanitizer and UndefinedBehaviorSanitizer, with ThreadSanitizer, by fuzzing and,
# where there is a GPU, on it. Ends with the counts of all runs together. usage() tells what it installs and where it writes.
set -euo pipefail

usage() {
  cat <<'END'
Usage: tests/run.sh

Builds gpuaes and runs all tests: as built for use, on the GPU if there is one, with AddressSanitizer and UndefinedBehaviorSanitizer,
with ThreadSanitizer, and a minute of fuzzing. Ends with 0 if none failed. On few cores it takes most of an hour. It has no options.

It installs Debian's packages for all that by apt-get, as root or with sudo, unless they are there. If there is no nvcc of CUDA 12 or
newer, it downloads NVIDIA's from PyPI into build/nvcc. Else it writes to build/ and, while it runs, to TMPDIR.
END
}

case $#:${1:-} in
  0:) ;;
  *:-h | *:--help)
    usage
    exit
    ;;
  *)
    printf 'tests/run.sh has no options and takes no "%s".\n\n' "$1" >&2
    usage >&2
    exit 2
    ;;
esac
# shellcheck source=conf/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../conf/setup.sh"

passed=0 failed=0 skipped=0

# check WHAT COMMAND...: one test that is a command.
check() {
  if quietly "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

skip() {
  say "Skipped: $*"
  skipped=$((skipped + 1))
}

# attribute NAME FILE: a number that ctest's report, in JUnit's format, begins with.
attribute() { sed -n "/<testcase/q; s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$2"; }

# run_tests WHAT FOLDER CTEST_OPTION...: counts each test of ctest.
run_tests() {
  local what=$1 folder=$root/build/$2 report=$root/build/$2/report.xml status=0 start=$SECONDS bad left_out
  shift 2
  rm -f "$report"
  printf '\n== tests, %s\n' "$what" >>"$log"
  "${fixed_addresses[@]}" ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(nproc)" --output-junit "$report" "$@" \
    >"$folder/tests.log" 2>&1 </dev/null || status=$?
  cat "$folder/tests.log" >>"$log"
  if [ ! -f "$report" ]; then
    say "$what: ctest failed:" >&2
    tail -n 40 "$folder/tests.log" >&2
    failed=$((failed + 1))
    return
  fi
  bad=$(attribute failures "$report")
  left_out=$(($(attribute skipped "$report") + $(attribute disabled "$report")))
  # A test whose program is missing makes ctest fail and yet counts as left out.
  if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1 left_out=$((left_out - 1)); fi
  passed=$((passed + $(attribute tests "$report") - bad - left_out))
  failed=$((failed + bad))
  skipped=$((skipped + left_out))
  say "$what: $(attribute tests "$report") tests, $bad failed, $left_out skipped, $((SECONDS - start)) s"
  if [ "$bad" -gt 0 ]; then grep -vE '^ +Start +[0-9]+: |^ *[0-9]+/[0-9]+ Test +#.* Passed ' "$folder/tests.log" | tail -n 200 >&2; fi
}

# build_and_run WHAT FOLDER PRESET CTEST_OPTION...
build_and_run() {
  local what=$1 folder=$2 preset=$3
  shift 3
  if build "$folder" -C "$root/conf/presets/$preset.cmake"; then run_tests "$what" "$folder" "$@"; else failed=$((failed + 1)); fi
}

check_style() {
  local files
  # Other versions of clang-format break lines elsewhere.
  if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    mapfile -t files < <(find "$root"/*/ -path "$root/build*" -prune -o -regex '.*\.\(c\|h\|cpp\|cu\|cuh\)' -print)
    check "clang-format" clang-format --dry-run -Werror "${files[@]}"
  else
    skip "the layout of the sources, for lack of clang-format 14"
  fi
  if command -v shellcheck >/dev/null; then
    mapfile -t files < <(find "$root"/*/ -path "$root/build*" -prune -o -name '*.sh' -print)
    check "shellcheck" shellcheck -x -P "$root" "$root/.ci/run" "${files[@]}"
  else
    skip "the scripts' style, for lack of shellcheck"
  fi
}

test_with_gpu() {
  if ! has_gpu || [ -z "$nvcc" ]; then
    skip "the suites on a GPU: there is no GPU, or no nvcc"
    return
  fi
  quietly "cmake" cmake -D GPUAES_TEST_DEVICE=cuda "$root/build/tests"
  run_tests "On the GPU" tests -LE "$elsewhere" -j 4
}

has_libfuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer -x c++ - -o "$root/build/has_libfuzzer"
}

# A minute, beside the corpus.
fuzz() {
  if need clang:clang++ && need "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev" && has_libfuzzer 2>>"$log"; then
    build_and_run "Fuzzing" fuzz fuzz
  else
    skip "fuzzing, for lack of a clang with libFuzzer"
  fi
}

# The labels of tests that look at the sources or run programs of the system: neither a sanitizer nor a device changes what they find.
elsewhere='^(layering|shell)$'
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# A process that exits with a live engine leaves its threads on purpose, and children are forked from processes with threads.
export TSAN_OPTIONS=report_thread_leaks=0:die_after_fork=0
fixed_addresses=()

need "${build_tools[@]}" libgtest-dev libboost-dev systemtap-sdt-dev python3-cryptography openssh-client
find_nvcc
check_style
if [ -n "$nvcc" ]; then
  build_and_run "With kernels, on the stand-in" tests cuda
else
  build_and_run "Without kernels, on the stand-in" tests host
fi
test_with_gpu
build_and_run "AddressSanitizer, UndefinedBehaviorSanitizer" asan asan -LE "$elsewhere"
# Where the kernel spreads mappings wider than ThreadSanitizer expects, it needs them in their usual places.
if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); fi
build_and_run "ThreadSanitizer" tsan tsan -LE "$elsewhere"
fixed_addresses=()
fuzz
say "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
