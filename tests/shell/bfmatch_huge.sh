#!/usr/bin/env bash
# bfmatch on more than memory would hold: 3 GB without a newline through a pipe, and matches beyond 2 and 4 GiB.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
bfmatch=$2

# With a limit on memory that the stream is far beyond; at every place of it there is a match.
found=$(head -c 3000000000 /dev/zero | (ulimit -v 1000000 && "$bfmatch" --device cpu --threads 2 -c '\x00\x00\x00\x00'))
[ "$found" = 2999999997 ] || fail "of 3 GB of zeros: $found"

truncate -s 5g "$work/sparse"
places=(2147483646 4294967294 5368709115)
for at in "${places[@]}"; do
  printf needl | dd of="$work/sparse" bs=1 seek="$at" conv=notrunc status=none
done
found=$("$bfmatch" --device cpu needl "$work/sparse" | cut -d: -f1 | xargs)
[ "$found" = "${places[*]}" ] || fail "in a file of 5 GiB: $found"
found=$("$bfmatch" --device cpu --range 4294967290:1k needl "$work/sparse")
[ "$found" = 4294967294:needl ] || fail "in a part of it: $found"
