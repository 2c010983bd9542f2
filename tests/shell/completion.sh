#!/usr/bin/env bash
# What bash offers behind the beginning of a command.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
# shellcheck source=conf/completion/gpuaes
source "$(dirname "$0")/../../conf/completion/gpuaes"
# Bash has it only while it completes.
compopt() { :; }
cd "$work"
mkdir folder
touch words

# offers EXPECTED WORD...: what the last of the words becomes; the one before it is the one that bash would name.
offers() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
  _gpuaes gpuaes "${!#}" "${*: -2:1}"
  [ "${COMPREPLY[*]}" = "$expected" ] || fail "$COMP_LINE: \"${COMPREPLY[*]}\""
}

offers "enc" gpuaes e
offers "-in" gpuaes enc -in
offers "-kfile -k -key-file" gpuaes enc -k
offers "-out -out-dir" gpuaes enc -ou
offers "--key-file" gpuaes enc --key
offers "words" gpuaes enc -in w
offers "words" gpuaes enc --key-file w
offers "folder" gpuaes enc -out-dir ""
offers "file: fd:" gpuaes enc -pass f
offers "file:words" gpuaes enc -pass file:w
offers "auto" gpuaes enc -device a
offers "folder" gpuaes info --provider-path ""
offers "--provider-path" gpuaes info --p
# Where the colon parts words.
COMP_LINE="gpuaes enc -pass file:w" COMP_POINT=23
_gpuaes_enc w :
[ "${COMPREPLY[*]}" = words ] || fail "file : w: \"${COMPREPLY[*]}\""
