#!/usr/bin/env bash
# gpuaes enc and files: nothing is half written, replaced unasked or changed in place, and whatever goes wrong is said.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
gpuaes=$2

options=(-aes-256-ctr -K 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f -iv fffffffffffffffffffffffffffffff0)
cd "$work"
make_input 3000001 plain
openssl enc "${options[@]}" -in plain -out expected

said=$(mktemp)
trap 'rm -rf "$work" "$said"' EXIT
ulimit -c 0  # some of the signals below dump core

contents() { find . -type f -printf '%p %s %m %T@\n' | sort; }

# refuses TEXT OPTION...: ends with 2, says the text, and leaves the files as they were.
refuses() {
  local status=0 before
  before=$(contents)
  "$gpuaes" enc "${options[@]}" "${@:2}" 2>"$said" || status=$?
  [ $status = 2 ] || fail "${*:2}: ended with $status"
  grep -qF -- "$1" "$said" || fail "${*:2}: no \"$1\" in: $(cat "$said")"
  [ "$before" = "$(contents)" ] || fail "${*:2}: left something behind: $(ls -A)"
}

# The input itself, by any name.
ln plain hard
ln -s plain soft
for name in plain ./plain hard soft; do refuses "is the input itself" -in plain -out $name --force; done
status=0
"$gpuaes" enc "${options[@]}" -in plain 1<>plain 2>"$said" || status=$?
[ $status = 2 ] || fail "standard output that is the input: ended with $status"
rm hard soft

# What is there stays, unless --force.
echo precious >target
chmod 604 target
refuses "--force replaces it" -in plain -out target
[ "$(cat target)" = precious ] || fail "an existing target was changed"
ln -s target link
"$gpuaes" enc "${options[@]}" -in plain -out link --force
cmp target expected || fail "--force"
[ -L link ] || fail "--force replaced a link"
[ "$(stat -c %a target)" = 604 ] || fail "--force: the permissions are $(stat -c %a target)"
rm link target

# A link that leads nowhere is refused before anything is read.
ln -s nowhere link
for forced in "" --force; do
  # shellcheck disable=SC2086  # no argument at all, where there is none
  refuses "link: is a link to a file that isn't there" -in plain -out link $forced
done
rm link
refuses "-out: the name of the file is empty" -in plain -out ''

# Permissions are the input's, as far as the umask lets them.
chmod 640 plain
"$gpuaes" enc "${options[@]}" --no-sync -in plain -out target --verify
cmp target expected || fail "--verify"
[ "$(stat -c %a target)" = 640 ] || fail "the permissions are $(stat -c %a target)"
rm target
for mask in 077:600 022:640 002:640; do
  (umask "${mask%:*}" && "$gpuaes" enc "${options[@]}" --no-sync -in plain -out target)
  [ "$(stat -c %a target)" = "${mask#*:}" ] || fail "umask ${mask%:*}: the permissions are $(stat -c %a target)"
  rm target
done
# A file that is replaced keeps its own.
touch target
chmod 644 target
(umask 077 && "$gpuaes" enc "${options[@]}" --no-sync -in plain -out target --force)
[ "$(stat -c %a target)" = 644 ] || fail "umask 077, --force: the permissions are $(stat -c %a target)"
rm target

# Several inputs, of which each gets a salt. What can't be read stops none of the others.
mkdir folder other
cp plain other/second
status=0
salted=(-aes-256-ctr -pbkdf2 -pass pass:secret)
"$gpuaes" enc "${salted[@]}" --out-dir folder plain nothing other other/second 2>"$said" || status=$?
[ $status = 2 ] || fail "--out-dir: ended with $status"
grep -q 'nothing: No such file' "$said" || fail "no word of a missing file: $(cat "$said")"
grep -q 'other: is a folder' "$said" || fail "no word of a folder: $(cat "$said")"
[ "$(ls -A folder)" = "$(printf 'plain\nsecond')" ] || fail "--out-dir: $(ls -A folder)"
for name in plain second; do openssl enc -d "${salted[@]}" -in folder/$name | cmp - plain || fail "--out-dir, $name"; done
cmp -s folder/plain folder/second && fail "--out-dir: files share a salt"
refuses "have the name plain" --out-dir folder plain ./plain
refuses "no such folder" --out-dir missing plain
refuses "need --out-dir" -in plain other/second -out target
refuses "is a folder" -in plain -out folder
refuses "missing/folder/target: there is no folder missing/folder" -in plain -out missing/folder/target
refuses "Input/output error" -in /proc/self/mem -out target
refuses "go with CTR" -aes-256-ecb --offset 16 -in plain -out target
refuses "behind its end" --offset 3000002 -in plain -out target
refuses "no such option" --frobnicate
refuses "needs an argument" -in
refuses "no such device" --device seven -in plain -out target
refuses "can be read again" -in plain -out /dev/null --verify
refuses "No space left on device" -in plain -out /dev/full

# Killed in the middle, the target stays as it was; a signal that can be heard leaves nothing else either.
for signal in KILL INT TERM HUP QUIT PIPE ALRM VTALRM PROF USR1 USR2 XCPU XFSZ STKFLT IO PWR; do
  echo precious >target
  mkfifo feed
  # Shells let what runs in the background ignore SIGINT and SIGQUIT.
  python3 -c 'import os, signal, sys
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGXFSZ:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$gpuaes" enc "${options[@]}" -in feed -out target --force &
  running=$!
  exec 4>feed
  head -c 1000000 plain >&4
  # It is in the middle once something has been written beside the target.
  until [ -s "$(find . -maxdepth 1 -name '.gpuaes-enc-*' | head -n 1)" ]; do sleep 0.02; done
  kill -$signal $running
  status=0
  wait $running 2>/dev/null || status=$?
  [ $status = $((128 + $(kill -l $signal))) ] || fail "ended with $status after SIG$signal"
  exec 4>&-
  [ "$(cat target)" = precious ] || fail "SIG$signal: the target was changed"
  [ $signal = KILL ] || [ -z "$(find . -name '.gpuaes-enc-*')" ] || fail "SIG$signal left $(ls -A)"
  rm -f feed target .gpuaes-enc-*
done

# while_reading COMMAND...: gpuaes has the input open and waits for somebody to read its output, which happens after the command.
while_reading() {
  mkfifo drain
  "$gpuaes" enc "${options[@]}" -in changing -out drain 2>"$said" &
  running=$!
  until find /proc/$running/fd -lname "$work/changing" 2>/dev/null | grep -q .; do sleep 0.02; done
  "$@"
  cat drain >/dev/null
  status=0
  wait $running || status=$?
  rm drain
  [ $status = 2 ] || fail "$*: ended with $status"
}
cp plain changing
while_reading truncate -s 1000000 changing
grep -q 'changing: became shorter' "$said" || fail "a file that became shorter: $(cat "$said")"
cp plain changing
while_reading dd if=/dev/zero of=changing bs=1 count=1 conv=notrunc status=none
grep -q 'changing: was changed' "$said" || fail "a file that was changed: $(cat "$said")"
rm changing

# A disk that is full, where one can be made.
mkdir small
if mount -t tmpfs -o size=1m tmpfs small 2>/dev/null; then
  trap 'umount "$work/small"; rm -rf "$work" "$said"' EXIT
  for threads in 1 4; do refuses "No space left on device" --threads $threads -in plain -out small/target; done
  [ -z "$(ls -A small)" ] || fail "a full disk keeps $(ls -A small)"
fi
# The same by a limit, which is a signal otherwise.
(ulimit -f 1000 && refuses "File too large" --threads 4 -in plain -out target)
(ulimit -f 1000 && "$gpuaes" enc "${options[@]}" --threads 1 -in plain -out target; exit $?) 2>"$said" && fail "a limit on files is ignored"
[ -z "$(find . -name '.gpuaes-enc-*')" ] || fail "a limit on files left $(ls -A)"

# Standard input and output that are files are used from where they stand.
{
  head -c 5 plain
  "$gpuaes" enc "${options[@]}" -in plain
  echo after
} >target
cmp <(head -c 5 plain; cat expected; echo after) target || fail "into the middle of a file"
for name in /dev/stdout /dev/fd/1; do
  for forced in "" --force; do
    # shellcheck disable=SC2086
    {
      head -c 5 plain
      "$gpuaes" enc "${options[@]}" -in plain -out $name $forced
    } >through
    cmp <(head -c 5 plain; cat expected) through || fail "-out $name $forced"
  done
done
rm through
"$gpuaes" enc "${options[@]}" -in plain >>target
cmp <(head -c 5 plain; cat expected; echo after; cat expected) target || fail "appending to a file"
{
  dd bs=5 count=1 of=/dev/null status=none
  "$gpuaes" enc "${options[@]}"
} <plain >target
tail -c +6 plain | openssl enc "${options[@]}" | cmp - target || fail "from the middle of a file"

# What is told as JSON, and the checksums in it.
rm target
"$gpuaes" enc -aes-128-ecb -K 00 -in plain -out target --json --crc16 --verify 2>/dev/null >told
python3 - plain target <<'END' || fail "--json: $(cat told)"
import json, sys
def shifted(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x8408 if byte & 1 else 0)
    return byte
table = [shifted(byte) for byte in range(256)]
def crc16(path):
    crc = 0xffff
    for byte in open(path, "rb").read():
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return f"{crc:04x}"
told = json.load(open("told"))
assert told["bytes_in"] == 3000001 and told["bytes_out"] == 3000016 and told["verified"], told
assert told["input"] == "plain" and told["output"] == "target" and told["seconds"] > 0, told
assert told["crc16_plaintext"] == crc16("plain") and told["crc16_ciphertext"] == crc16("target"), told
END
