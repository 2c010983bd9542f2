#!/usr/bin/env python3
"""Prints Google Benchmark's JSON of crc16 as a table: a row for each memory and size, GB/s by engine; nanoseconds for gpuaes's own."""
import json
import sys

ENGINES = ("gpuaes", "scan", "null", "avx512", "pclmul", "portable", "table", "boost")


def main(path):
    with open(path) as file:
        report = json.load(file)
    for key in ("device", "openssl", "gpuaes", "processor's unit", "date"):
        print(f"{key}: {report['context'].get(key, '')}")
    rows = {}
    for run in report["benchmarks"]:
        if run.get("aggregate_name", "median") != "median" or run.get("error_occurred"):
            continue
        where, size, engine = run.get("run_name", run["name"]).removesuffix("/real_time").split("/")
        scale = {"ns": 1, "us": 1e3, "ms": 1e6}[run["time_unit"]]
        rows.setdefault((where, int(size)), {})[engine] = (run["bytes_per_second"] / 1e9, run["real_time"] * scale)
    print("\n| CRC-16 of | " + " | ".join(f"{engine} GB/s" for engine in ENGINES) + " | gpuaes ns |")
    print("|---|" + "---:|" * (len(ENGINES) + 1))
    for (where, size), by in sorted(rows.items()):
        cells = [f"{by[engine][0]:.2f}" if engine in by else "" for engine in ENGINES]
        print(f"| {where}, {size} bytes | " + " | ".join(cells) + f" | {by['gpuaes'][1]:.0f} |" if "gpuaes" in by else "")


if __name__ == "__main__":
    main(sys.argv[1])
