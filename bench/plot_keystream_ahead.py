#!/usr/bin/env python3
"""Draws Google Benchmark's JSON of keystream_ahead: GB/s by size of the update, gpuaes beside the default provider.

Usage: plot_keystream_ahead.py RESULT.json PICTURE.svg; needs matplotlib.
"""
import json
import re
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

COLOURS = {"1": "tab:blue", "4": "tab:green", "16": "tab:red"}


def main(result, picture):
    with open(result) as file:
        report = json.load(file)
    lines = {}
    for run in report["benchmarks"]:
        if run.get("aggregate_name", "median") != "median" or run.get("error_occurred"):
            continue
        cipher, threads, size, provider = re.sub(r"/real_time.*", "", run.get("run_name", run["name"])).split("/")
        lines.setdefault(cipher, {}).setdefault((threads, provider), []).append((int(size), run["bytes_per_second"] / 1e9))
    figure, axes = plt.subplots(1, len(lines), figsize=(6 * len(lines), 4.5), sharey=True, squeeze=False)
    for axis, (cipher, of_cipher) in zip(axes[0], sorted(lines.items())):
        for (threads, provider), points in sorted(of_cipher.items(), key=lambda item: (int(item[0][0]), item[0][1])):
            sizes, rates = zip(*sorted(points))
            style = "-o" if provider == "gpuaes" else "--"
            label = f"{provider}, {threads} thread{'s' if threads != '1' else ''}"
            axis.plot(sizes, rates, style, color=COLOURS.get(threads), markersize=3, label=label)
        axis.set(title=f"{cipher}, in place", xlabel="bytes an update", xscale="log", yscale="log")
        axis.set_xscale("log", base=2)
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel("GB/s")
    axes[0][-1].legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
