#!/usr/bin/env python3
"""Copies a file by several threads, each its part: what writing a file of that size costs whoever writes it.

Usage: parallel_copy.py FROM TO THREADS
"""
import concurrent.futures
import os
import sys

PIECE = 4 << 20


def main(source, target, threads):
    reader = os.open(source, os.O_RDONLY)
    writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    size = os.fstat(reader).st_size

    def copy(first):
        buffer = bytearray(PIECE)
        for at in range(first * PIECE, size, threads * PIECE):
            count = os.preadv(reader, [buffer], at)
            os.pwrite(writer, memoryview(buffer)[:count], at)

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(copy, range(threads)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
