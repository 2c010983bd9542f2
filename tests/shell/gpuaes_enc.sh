#!/usr/bin/env bash
# gpuaes enc reads what `openssl enc` wrote and the other way round: every cipher with every way to a key, and sizes around blocks.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
gpuaes=$2
if [ "$device" = cuda ]; then on_device=0; else on_device=host; fi

key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=fffffffffffffffffffffffffffffff0
cd "$work"

# ours OPTION...: gpuaes enc; theirs OPTION...: openssl enc. What they warn of is kept in `said` and `openssl_said`.
ours() { "$gpuaes" enc "$cipher" "$@" 2>said || fail "gpuaes enc $cipher $*: $(cat said)"; }
theirs() { openssl enc "$cipher" "$@" 2>openssl_said || fail "openssl enc $cipher $*: $(cat openssl_said)"; }

# both_ways OPTION...: each reads what the other wrote.
both_ways() {
  rm -f ours theirs
  ours "$@" -in plain -out ours 3<secret <secret
  theirs "$@" -in plain -out theirs 3<secret <secret
  theirs -d "$@" -in ours -out back 3<secret <secret
  cmp plain back || fail "openssl enc reads something else: $cipher $*"
  rm back
  ours -d "$@" -in theirs -out back 3<secret <secret
  cmp plain back || fail "gpuaes enc reads something else: $cipher $*"
  rm back
}

# same OPTION...: and what they write is the same.
same() {
  both_ways "$@"
  cmp ours theirs || fail "they write differently: $cipher $*"
}

printf 'a secret with spaces \r\nsecond line\n' >secret
export PASSPHRASE='a secret with spaces '
make_input 1001 plain
for bits in 128 192 256; do
  for mode in ctr ecb; do
    cipher=-aes-$bits-$mode
    for derivation in "" "-pbkdf2" "-iter 3" "-md md5" "-iter 2 -md sha512"; do
      # shellcheck disable=SC2086  # words are options
      {
        both_ways -k secret $derivation
        same -k secret $derivation -nosalt
        same -k secret $derivation -S 0102030405060708
      }
    done
    for source in "-pass env:PASSPHRASE" "-pass file:secret" "-pass fd:3" "-pass stdin" "-kfile secret"; do
      # shellcheck disable=SC2086
      both_ways $source -iter 1
    done
    both_ways -pass "pass:$PASSPHRASE" -iter 1 -salt
    # A key beside a passphrase takes the IV, and the header, from that.
    both_ways -k secret -iter 1 -K "${key:0:$((bits / 4))}"
    raw=(-K "${key:0:$((bits / 4))}")
    [ $mode = ecb ] || raw+=(-iv "$iv")
    same "${raw[@]}"
    # A key that stands on no command line.
    printf '%s\n' "${raw[1]}" >key.hex
    python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.argv[1]))' "${raw[1]}" >key
    for file in key key.hex; do ours --key-file $file "${raw[@]:2}" -in plain | cmp - theirs || fail "$cipher --key-file $file"; done
  done
done

# The data may follow a passphrase.
cipher=-aes-256-ctr
sed -n 1p secret | cat - plain | ours -pass stdin -iter 1 -out following
theirs -d -pass file:secret -iter 1 -in following | cmp - plain || fail "data behind a passphrase"

# What is too short is filled up, and what is too long cut off, with a warning on both sides.
same -K 0123 -iv 45
grep -q 'fewer than' said || fail "no warning of a short key"
same -K ${key}00 -iv ${iv}00
same -k secret -S 01020
same -k secret -S 0102030405060708090a
# Empty passphrases, which are not the same as none.
same -k '' -nosalt
same -pass pass: -nosalt
EMPTY='' same -pass env:EMPTY -nosalt
echo >newline
same -pass file:newline -nosalt
printf '%0200d\n' 7 >long
same -kfile long -nosalt
same -pass file:long -nosalt

# Sizes around blocks, by the processor and by the device.
for bytes in 0 1 15 16 17 31 32 33 524287 524288 524289; do
  make_input $bytes plain
  for cipher in -aes-256-ctr -aes-128-ecb; do
    if [ $cipher = -aes-256-ctr ]; then raw=(-K "$key" -iv "$iv"); else raw=(-K "${key:0:32}"); fi
    theirs "${raw[@]}" -in plain -out theirs
    for where in cpu $on_device; do
      rm -f ours back
      ours "${raw[@]}" --device "$where" -in plain -out ours
      cmp ours theirs || fail "$cipher, $bytes bytes, $where"
      ours -d "${raw[@]}" --device "$where" -in theirs -out back
      cmp plain back || fail "$cipher -d, $bytes bytes, $where"
    done
  done
done

# Without padding.
cipher=-aes-128-ecb
make_input 64 plain
same -K "${key:0:32}" -nopad

# What -p and -P print.
for options in "-P -nosalt" "-P -S 0102030405060708" "-P -nosalt -iter 3"; do
  for cipher in -aes-192-ctr -aes-256-ecb; do
    # shellcheck disable=SC2086
    {
      ours -k secret $options -in plain >printed
      theirs -k secret $options -in plain >openssl_printed
    }
    cmp printed openssl_printed || fail "$cipher $options prints $(cat printed)"
  done
done

# What OpenSSL's command refuses: both end with an error, and ours says why and leaves nothing.
# refuses TEXT OPTION...
refuses() {
  local status=0
  rm -f refused
  openssl enc "${@:2}" -out openssl_refused 2>openssl_said && fail "openssl enc ${*:2} isn't refused"
  "$gpuaes" enc "${@:2}" -out refused 2>said || status=$?
  [ $status = 2 ] || fail "${*:2}: ended with $status"
  [ ! -e refused ] || fail "${*:2}: there is an output"
  grep -qF -- "$1" said || fail "no \"$1\" in: $(cat said)"
}
make_input 1001 plain
printf '' >empty
refuses "bad magic number" -d -aes-128-ctr -k secret -in plain
refuses "too short" -d -aes-128-ctr -k secret -in empty
refuses "wrong final block length" -d -aes-128-ecb -K $key -in plain
refuses "wrong final block length" -d -aes-128-ecb -K $key -in empty
refuses "-nopad needs" -aes-128-ecb -K $key -nopad -in plain
refuses "needs -iv" -aes-128-ctr -K "${key:0:32}" -in plain
refuses "hexadecimal digits" -aes-128-ctr -K xyz -iv $iv -in plain
! grep -q "zeros are added" said || fail "zeros are added to what is no number: $(cat said)"
refuses "no such digest" -aes-128-ctr -k secret -md no_such -in plain
refuses "no such variable" -aes-128-ctr -pass env:NO_SUCH -in plain
refuses "descriptor 99: Bad file descriptor" -aes-128-ctr -pass fd:99 -in plain
refuses "standard input: it is empty" -aes-128-ctr -pass stdin -in plain </dev/null
refuses "empty: it is empty" -aes-128-ctr -nosalt -pass file:empty -in plain
refuses "empty: it is empty" -aes-128-ctr -kfile empty -in plain
refuses "nothing: No such file" -aes-128-ctr -pass file:nothing -in plain
refuses ".: Is a directory" -aes-128-ctr -pass file:. -in plain
refuses "says no source" -aes-128-ctr -pass secret -in plain
refuses "No such file" -aes-128-ctr -k secret -in nothing
openssl enc -aes-128-ecb -iter 1 -k right -in plain -out secret
refuses "bad decrypt" -d -aes-128-ecb -iter 1 -k wrong -in secret

# What the terminal is asked for, by each of the two; while encrypting, twice.
python3 - "$gpuaes" "$(command -v openssl)" <<'END' || fail "the terminal"
import os, pty, sys

def ask(command, answers):
    """What the command says on a terminal of its own, and how it ends."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    said = b""
    try:
        while piece := os.read(terminal, 1000):
            said += piece
            if said.endswith(b":") and answers:
                os.write(terminal, answers.pop(0) + b"\n")
    except OSError:  # the terminal is closed
        pass
    # Whether an answer is shown depends on when it comes.
    return said.decode().replace("right", "").split(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

gpuaes, openssl = sys.argv[1:]
options = ["-aes-256-ctr", "-iter", "1"]
prompts = []
for encrypts, decrypts in ((gpuaes, openssl), (openssl, gpuaes)):
    for file in ("typed", "back"):
        if os.path.exists(file):
            os.remove(file)
    said, status = ask([encrypts, "enc", *options, "-in", "plain", "-out", "typed"], [b"right", b"right"])
    prompts.append(said)
    assert status == 0, said
    said, status = ask([decrypts, "enc", "-d", *options, "-in", "typed", "-out", "back"], [b"right"])
    prompts.append(said)
    assert status == 0, said
    assert open("plain", "rb").read() == open("back", "rb").read(), decrypts
assert prompts[:2] == prompts[2:], prompts
said, status = ask([gpuaes, "enc", *options, "-in", "plain", "-out", "other"], [b"right", b"wrong"])
assert status == 2 and not os.path.exists("other"), said
END
