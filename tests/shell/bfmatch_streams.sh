#!/usr/bin/env bash
# bfmatch on streams that pause: what has come is searched and printed, and nobody waits longer than needed.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
if [ "$device" = cuda ]; then on_device=0; else on_device=host; fi

python3 - "$2" $on_device <<'END'
import os, subprocess, sys, time

def start(*options):
    return subprocess.Popen([sys.argv[1], *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

for device in "cpu", "auto", sys.argv[2]:
    # Each match comes out while the stream goes on, also one that was written in halves.
    search = start("--device", device, "needle")
    search.stdin.write(b"a needle and a nee")
    assert search.stdout.readline() == b"2:needle\n", device
    search.stdin.write(b"dle")
    assert search.stdout.readline() == b"15:needle\n", device
    search.stdin.close()
    assert search.stdout.read() == b"" and search.wait(20) == 0, device

    search = start("--device", device, "-c", "--crc16", "567")
    for piece in b"123", b"45", b"6789":
        search.stdin.write(piece)
        time.sleep(0.25)
    search.stdin.close()
    assert search.stdout.read() == b"1\ncrc16:6f91\n" and search.wait(20) == 0, device

    # These end with the first match and not with the stream.
    for option in "-q", "-l":
        search = start("--device", device, option, "needle")
        search.stdin.write(b"a needle")
        assert search.wait(20) == 0, (device, option)

    # Between sequences, and in the middle of one.
    search = start("--device", device, "--dna", "ACGT")
    search.stdin.write(b">one\nTTAC\nGT")
    assert search.stdout.readline() == b"7:ACGT:+\n", device
    search.stdin.close()
    assert search.wait(20) == 0, device
END
