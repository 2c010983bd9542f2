#!/usr/bin/env python3
"""Prints Google Benchmark's JSON as a table of gpuaes beside the default provider: GB/s, ratio, nanoseconds apart."""
import json
import re
import sys


def main(path):
    with open(path) as file:
        report = json.load(file)
    for key in ("device", "openssl", "gpuaes", "date"):
        print(f"{key}: {report['context'].get(key, '')}")
    rates, times = {}, {}
    for run in report["benchmarks"]:
        if run.get("aggregate_name", "median") != "median" or run.get("error_occurred"):
            continue
        case, provider = re.sub(r"/real_time.*", "", run.get("run_name", run["name"])).rsplit("/", 1)
        rates.setdefault(case, {})[provider] = run["bytes_per_second"] / 1e9
        scale = {"ns": 1, "us": 1e3, "ms": 1e6}[run["time_unit"]]
        # Where an iteration is more than a call, the program counts calls a second.
        times.setdefault(case, {})[provider] = 1e9 / run["updates"] if "updates" in run else run["real_time"] * scale
    print(f"\n| {'cipher/memory/bytes':48} | gpuaes GB/s | default GB/s | ratio | ns a call more |")
    print(f"|{'-' * 50}|---:|---:|---:|---:|")
    for case, by in sorted(rates.items(), key=lambda item: (item[0].rsplit("/", 1)[0], int(item[0].rsplit("/", 1)[1]))):
        if len(by) == 2:
            more = times[case]["gpuaes"] - times[case]["default"]
            print(f"| {case:48} | {by['gpuaes']:11.2f} | {by['default']:12.2f} | {by['gpuaes'] / by['default']:5.2f} | {more:14.0f} |")


if __name__ == "__main__":
    main(sys.argv[1])
