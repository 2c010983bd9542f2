#!/usr/bin/env bash
# replay.sh TARGET CORPUS SECONDS: the corpus once, then new inputs made from it for the rest of the time. Nothing is added to the corpus;
# an input that ends the target is left in the working folder, and libFuzzer names it.
set -euo pipefail
target=$1 corpus=$2 seconds=$3
exec "$target" -max_total_time="$seconds" -max_len=1024 -timeout=60 -seed=1 -print_final_stats=1 "$(mktemp -d)" "$corpus"
