#!/usr/bin/env bash
# The bfmatch command: what it prints and how it ends, beside grep and Python.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"

bfmatch=$2
bfmatch() { "$bfmatch" "$@"; }

# What on the command line chooses the device that is tested.
if [ "$device" = cuda ]; then on_device=0; else on_device=host; fi

# check WHAT EXPECTED GOT
check() { [ "$2" = "$3" ] || fail "$1: expected \"$2\", got \"$3\""; }

# ends WITH WHAT COMMAND...: its exit code; what it says goes to $work/said.
ends() {
  local expected=$1 what=$2 status=0
  shift 2
  "$@" >"$work/said" 2>&1 </dev/null || status=$?
  [ "$status" = "$expected" ] || fail "$what: ended with $status, not $expected: $(cat "$work/said")"
}

# says TEXT: whether the last of these commands said it.
says() { grep -qF -- "$1" "$work/said" || fail "no \"$1\" in: $(cat "$work/said")"; }

check "overlapping matches" 7 "$(printf aaaaaaaaaa | bfmatch -c aaaa)"
check "a list" $'0:aa\n1:aa' "$(printf aaa | bfmatch aa)"
check "names" "a:0:x" "$(cd "$work" && printf x >a && bfmatch -H x a)"
check "zero bytes and newlines" 3:62 "$(printf 'a\0\nb' | bfmatch --hex '62')"
check "escapes" 1 "$(printf 'a\0\nb' | bfmatch '\x00\x0a' | cut -d: -f1)"
check "any byte" $'0:61??63\n3:61??63' "$(printf abcaxc | bfmatch --hex '61??63')"
check "either case" 2 "$(printf 'NeedlenEEDLE' | bfmatch -ic needle)"
check "counts of each" $'1:one\n0:b\n1:a' "$(printf 'one\ta\nb\na' >"$work/list" && printf xa | bfmatch --per-pattern -f "$work/list")"
check "patterns up to zero bytes" 1 "$(printf 'a\nb\0' >"$work/list" && printf 'a\nb' | bfmatch -c0 -f "$work/list")"
printf 'one\tAAC\r\nGTTT\r\n' >"$work/list"
check "primers from Windows" $'1:one\n0:GTTT' "$(printf AAC | bfmatch --dna --per-pattern -f "$work/list")"
printf 'one\t61\r\n62\r\n' >"$work/list"
check "digits from Windows" $'1:one\n0:62' "$(printf a | bfmatch --hex --per-pattern -f "$work/list")"
printf 'a\r\nb\r\n' >"$work/list"
check "a carriage return is a byte" 2 "$(printf 'a\r\nxb\r\nb\n' | bfmatch -c -f "$work/list" 2>"$work/said")"
[ "$(grep -c 'each line ends with a carriage return' "$work/said")" = 1 ] || fail "no word about carriage returns: $(cat "$work/said")"
printf 'a\r\nb\n' >"$work/list"
check "not all lines end so" 1 "$(printf 'a\r' | bfmatch -c -f "$work/list" 2>&1)"
check "both strands" $'1:AAC:+\n6:AAC:-' "$(printf '\nA\nAC\nGTT' | bfmatch --dna AAC)"
check "a part" $'2:a\n3:a' "$(printf aaaaa | bfmatch --range 2:2 a)"
check "tabs" $'(standard input)\t1\tb\\tc' "$(printf 'ab\tc' | bfmatch --tsv $'b\tc')"
check "a CRC" $'1\ncrc16:6f91' "$(printf 123456789 | bfmatch -c --crc16 5)"
check "a CRC and no match" $'(standard input)\tcrc16\t6f91' "$(printf 123456789 | { bfmatch --tsv --crc16 x || true; })"
check "a pattern that begins with a dash" 1 "$(printf 'a-x' | bfmatch -c -e -x)"
# Which the library that takes the command line apart would read as lists.
mkdir "$work/lists" "$work/lists/[x]"
printf '[a,b] [] {}' | tee "$work/lists/[y,z]" >"$work/lists/[x]/f"
(
  cd "$work/lists"
  for pattern in '[a,b]' '[]' '{}'; do
    check "$pattern" 1 "$(bfmatch -c "$pattern" '[y,z]')"
    check "$pattern, in standard input" 1 "$(bfmatch -c "$pattern" <'[y,z]')"
    check "$pattern, behind --" 1 "$(bfmatch -c -- "$pattern" '[y,z]')"
    check "$pattern, with -e" "1:$pattern" "$(bfmatch --per-pattern -e "$pattern" '[y,z]')"
  done
  check "[ab]" 0 "$(bfmatch -c '[ab]' '[y,z]' || true)"
  check "a folder named [x]" '[x]/f:1' "$(bfmatch -rc '[a,b]' '[x]')"
  check "patterns in [y,z]" 1 "$(bfmatch -c -f '[y,z]' '[y,z]')"
  ends 2 "a list of places" bfmatch --range '[0:1]' a '[y,z]'
  says '--range [0:1]: "[0"'
)
check "patterns in standard input" 1 "$(printf b | bfmatch -c -f - <(printf abc))"
printf 'x\xff' | bfmatch --json --context 1 x | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
assert lines == [{"type": "match", "file": "(standard input)", "offset": 0, "pattern": "x", "context": "78ff", "context_before": 0}], lines'

printf hello >"$work/good"
ends 0 "found" bfmatch hello "$work/good"
ends 1 "not found" bfmatch bye "$work/good"
ends 2 "no pattern" bfmatch
ends 2 "an empty pattern" bfmatch "" "$work/good"
says "at least one byte"
ends 2 "a folder of patterns" bfmatch -f "$work" "$work/good"
says "Is a directory"
ends 2 "a file of patterns that isn't there" bfmatch -f "$work/missing" "$work/good"
[ "$(cat "$work/said")" = "bfmatch: -f $work/missing: No such file or directory" ] || fail "a missing file: $(cat "$work/said")"
for most in -1 x '' 18446744073709551616; do
  ends 2 "-m '$most'" bfmatch -m "$most" hello "$work/good"
  says "\"$most\": it takes a number from 0 to 18446744073709551615"
done
ends 2 "no range" bfmatch --range '' hello "$work/good"
says '--range "" has no colon'
ends 2 "no context" bfmatch --context '' hello "$work/good"
says "from 0 to 4096"
ends 2 "no threads" bfmatch --threads 0 hello "$work/good"
says "from 1 to 1024"
ends 2 "a bad way to map" bfmatch --mmap sometimes hello "$work/good"
says "auto, always and never"
ends 2 "an empty line among patterns" bfmatch -f <(printf 'a\n\nb\n') "$work/good"
says "pattern 2"
ends 2 "an unknown option" bfmatch --nonsense x "$work/good"
ends 2 "a file that isn't there" bfmatch hello "$work/good" "$work/missing"
says "missing: No such file or directory"
says "good:0:hello"
ends 0 "quiet, in spite of it" bfmatch -q hello "$work/missing" "$work/good"
ends 2 "a folder" bfmatch hello "$work"
says "-r searches it"
ends 2 "a bad range" bfmatch --range 1 hello "$work/good"
ends 2 "a bad device" bfmatch --device gpu hello "$work/good"
says "auto, cpu and the number of a GPU"
ends 2 "an unknown cipher" bfmatch --decrypt aes-128-cbc --key 00 hello "$work/good"
says "aes-256-ctr"
ends 2 "two answers" bfmatch -c -l hello "$work/good"
says "Only one of these"
ends 0 "help" bfmatch --help
ends 0 "the version" bfmatch --version

mkdir -p "$work/tree/below"
printf aXa >"$work/tree/1"
printf b >"$work/tree/below/2"
printf aa >"$work/tree/below/3"
ln -s . "$work/tree/below/loop"
check "folders" $'1:2\nbelow/2:0\nbelow/3:2' "$(cd "$work/tree" && bfmatch -rc a 1 below)"
check "the current folder" $'./1\n./below/3' "$(cd "$work/tree" && bfmatch -rl a)"
check "files without" ./below/2 "$(cd "$work/tree" && { bfmatch -rL a || true; })"

# Against grep and Python, where matches don't overlap.
python3 - >"$work/text" <<'END'
import random, sys
random.seed(7)
words = [bytes(random.choices(b"abcdefghij\n\0\xff", k=random.randrange(1, 9))) for _ in range(300)]
sys.stdout.buffer.write(b"".join(random.choices(words, k=400000)))
END
for where in cpu $on_device; do
  for pattern in a abc ghij; do
    check "$pattern, $where, beside grep" "$(grep -obUaF -- "$pattern" "$work/text" | md5sum)" \
      "$(bfmatch --device "$where" --no-overlap "$pattern" "$work/text" | md5sum)"
  done
  for pattern in 'a' 'bc' 'b\x0ac' '\x00\xff'; do
    check "$pattern, $where, beside Python" \
      "$(python3 -c 'import sys; print(open(sys.argv[1], "rb").read().count(sys.argv[2].encode().decode("unicode_escape").encode("latin1")))' "$work/text" "$pattern")" \
      "$(bfmatch --device "$where" -c --no-overlap "$pattern" "$work/text" || true)"
  done
  printf 'abc\nbc\nc\nghij\nabcdef\n' >"$work/list"
  check "several, $where, beside grep" "$(grep -obUaF -f "$work/list" "$work/text" | md5sum)" \
    "$(bfmatch --device "$where" --no-overlap -f "$work/list" "$work/text" | md5sum)"
done
check "a pipe" "$(bfmatch -f "$work/list" "$work/text" | md5sum)" "$(bfmatch -f "$work/list" < <(cat "$work/text") | md5sum)"

# Whoever reads the output may go away.
status=0
(
  set +o pipefail
  bfmatch a "$work/text" 2>"$work/said" | head -n 1 >/dev/null
  exit "${PIPESTATUS[0]}"
) || status=$?
[ "$status" = 141 ] || fail "a closed pipe: ended with $status: $(cat "$work/said")"

# Ctrl-C ends a search that waits for input. A shell without job control lets its background jobs ignore it.
mkfifo "$work/fifo"
python3 - "$bfmatch" "$work/fifo" <<'END'
import signal, subprocess, sys, time

search = subprocess.Popen([sys.argv[1], "x", sys.argv[2]], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
with open(sys.argv[2], "w"):
    time.sleep(0.3)
    search.send_signal(signal.SIGINT)
    assert search.wait(10) == -signal.SIGINT, search.returncode
END
