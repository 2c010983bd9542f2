#!/usr/bin/env bash
# bfmatch on what `openssl enc` wrote.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
bfmatch=$2
if [ "$device" = cuda ]; then on_device=0; else on_device=host; fi

key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=fffffffffffffffffffffffffffffff0
printf '%s\n' "$key" >"$work/key.hex"
python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.argv[1]))' "$key" >"$work/key"

make_input 3000001 "$work/plain"
# Where a period of the input begins, and where one follows another.
patterns=(-e '\x00\x01\x02' -e '\xfa\x00')
expected=$("$bfmatch" "${patterns[@]}" "$work/plain" | md5sum)
for bits in 128 192 256; do
  for mode in ecb ctr; do
    options=(-K "${key:0:$((bits / 4))}")
    decrypt=(--decrypt "aes-$bits-$mode" --key "${key:0:$((bits / 4))}")
    if [ "$mode" = ctr ]; then
      options+=(-iv "$iv")
      decrypt+=(--iv "$iv")
    fi
    openssl enc "-aes-$bits-$mode" "${options[@]}" -in "$work/plain" -out "$work/secret"
    for where in cpu $on_device; do
      got=$("$bfmatch" --device "$where" "${decrypt[@]}" "${patterns[@]}" "$work/secret" | md5sum)
      [ "$expected" = "$got" ] || fail "aes-$bits-$mode, $where"
    done
  done
done

openssl enc -aes-256-ctr -K $key -iv $iv -in "$work/plain" -out "$work/secret"
for file in key key.hex; do
  [ "$("$bfmatch" -c --decrypt aes-256-ctr --key-file "$work/$file" --iv $iv '\x07\x08' "$work/secret")" = 11953 ] || fail "--key-file $file"
done

# refuses TEXT OPTION...: that these options aren't accepted, and that the message has the text.
refuses() {
  local status=0
  "$bfmatch" --decrypt "$cipher" "${@:2}" x "$work/secret" 2>"$work/said" || status=$?
  [ $status = 2 ] || fail "${*:2}: ended with $status"
  grep -qF -- "$1" "$work/said" || fail "no \"$1\" in: $(cat "$work/said")"
}
cipher=''
refuses "Allowed are aes-128-ctr"
cipher=aes-256-ctr
refuses "needs --iv" --key "$key"
refuses "64 hexadecimal digits" --key 00 --iv $iv
refuses "either --key-file FILE or --key HEX" --iv $iv
refuses "64 hexadecimal digits" --key '' --iv $iv
refuses "32 hexadecimal digits" --key "$key" --iv ''
refuses "--key-file $work/plain: the file holds neither the key's 32 bytes nor their 64 hexadecimal digits" --key-file "$work/plain" --iv $iv
refuses "--key-file $work/missing: No such file or directory" --key-file "$work/missing" --iv $iv
if grep -q -e --help "$work/said"; then fail "options don't help there: $(cat "$work/said")"; fi
refuses "--device cpu" --key "$key" --iv $iv --context 3
