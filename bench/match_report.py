#!/usr/bin/env python3
"""Prints Google Benchmark's JSON of match as a table: a row for each question, launch and wait included, and the kernels alone."""
import json
import sys


def main(path):
    with open(path) as file:
        report = json.load(file)
    print(f"device: {report['context'].get('device', '')}")
    rows = {}
    for run in report["benchmarks"]:
        if run.get("aggregate_name", "median") != "median" or run.get("error_occurred"):
            continue
        name = run.get("run_name", run["name"]).removesuffix("/real_time")
        way = "kernel" if name.endswith("/kernel") else "whole"
        rows.setdefault(name.removesuffix("/kernel"), {})[way] = run["bytes_per_second"] / 1e9
    print("\n| matching | GB/s, launch and wait included | GB/s, kernels |")
    print("|---|---:|---:|")
    for question, by in rows.items():
        print(f"| {question} | " + " | ".join(f"{by[way]:.0f}" if way in by else "" for way in ("whole", "kernel")) + " |")


if __name__ == "__main__":
    main(sys.argv[1])
