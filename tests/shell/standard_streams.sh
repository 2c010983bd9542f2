#!/usr/bin/env bash
# What the commands print and can't be written is an error, and a file is never taken for a stream that the caller has closed.
# Further arguments: the commands gpuaes and bfmatch.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
gpuaes=$2
bfmatch=$3
export OPENSSL_CONF=/dev/null OPENSSL_MODULES=$modules

enc=("$gpuaes" enc -aes-128-ctr -K 000102030405060708090a0b0c0d0e0f -iv 000102030405060708090a0b0c0d0e0f --no-sync --force)
cd "$work"
make_input 100000 plain
printf '' >empty
openssl enc -aes-128-ctr -K 000102030405060708090a0b0c0d0e0f -iv 000102030405060708090a0b0c0d0e0f -in plain -out expected

# loses COMMAND...: what it prints goes nowhere, and it says so.
loses() {
  local status=0
  "$@" >/dev/full 2>said || status=$?
  [ $status = 2 ] || fail "$* >/dev/full: ended with $status: $(cat said)"
  grep -q "can't be written" said || fail "$* >/dev/full: says $(cat said)"
}
loses "${enc[@]}" -in plain -out out --json
loses "${enc[@]}" -in plain -out out --crc16
loses "${enc[@]}" -in plain -out out --json --device "$([ "$device" = cuda ] && echo 0 || echo host)"
loses "${enc[@]}" -in plain -P
loses "$gpuaes" enc --help
loses "$gpuaes" info --help
loses "$gpuaes" info
loses "$gpuaes" info --json
loses "$gpuaes" --help
loses "$gpuaes" --version
loses "$bfmatch" --help
loses "$bfmatch" --version
loses "$bfmatch" -c x plain
# What goes to standard error can be lost too, which only the exit status can tell.
for options in "--stats -out out" "--json" "--crc16"; do
  status=0
  # shellcheck disable=SC2086
  "${enc[@]}" -in plain $options >/dev/null 2>/dev/full || status=$?
  [ $status = 2 ] || fail "$options 2>/dev/full: ended with $status"
done

# Closed streams: what is printed doesn't get into a file.
"${enc[@]}" -in plain -out out --stats 2>&- || fail "without standard error: ended with $?"
cmp out expected || fail "without standard error"
rm out
"${enc[@]}" -in plain -out out <&- >&- 2>&- || fail "without any: ended with $?"
cmp out expected || fail "without any"
status=0
"${enc[@]}" -in plain -out out --json <&- >&- 2>said || status=$?
[ $status = 2 ] || fail "--json without standard output: ended with $status"
cmp out expected || fail "--json without standard output changed the file"
grep -q "can't be written" said || fail "--json without standard output: says $(cat said)"

# closed TEXT COMMAND...: ends with 2 and says the text.
closed() {
  local status=0
  "${@:2}" 2>said || status=$?
  [ $status = 2 ] || fail "${*:2} with a closed stream: ended with $status: $(cat said)"
  grep -qF "$1" said || fail "${*:2} with a closed stream: says $(cat said)"
}
closed "(standard output): Bad file descriptor" "${enc[@]}" -in plain >&-
closed "(standard output): Bad file descriptor" "${enc[@]}" -in empty >&-
closed "(standard output): Bad file descriptor" "${enc[@]}" -in plain 1<empty
closed "(standard input): Bad file descriptor" "${enc[@]}" -out other <&-
closed "standard input: Bad file descriptor" "$gpuaes" enc -aes-128-ctr -pass stdin -in plain -out other <&-
closed "can't be written: Bad file descriptor" "$gpuaes" --version >&-
closed "can't be written: Bad file descriptor" "$bfmatch" a plain <&- >&-
closed "Bad file descriptor" "$bfmatch" a <&-
[ ! -e other ] || fail "there is an output without an input"
"$bfmatch" a plain <&- 2>&- | cmp - <("$bfmatch" a plain) || fail "bfmatch without standard input"
