#!/usr/bin/env bash
# replay.sh TARGET CORPUS SECONDS: the corpus once, then new inputs made from it for the rest of the time. The corpus stays as it is; an
# input that ends the target is left in the working folder, and libFuzzer names it.
set -euo pipefail
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
"$1" -max_total_time="$3" -max_len=1024 -timeout=60 -print_final_stats=1 "$found" "$2"
