#!/usr/bin/env python3
"""Draws figures: small SVG files, gpuaes beside the default provider.

Usage: plots.py PREFIX FOLDER REPORT..., which draws what a program wrote with --benchmark_out. PREFIX is its `figures` in benches.json.
"""
import json
import pathlib
import re
import sys

import matplotlib

import figures as all_figures
from tables import size

matplotlib.use("svg")
import matplotlib.pyplot as plt

# Text as text and not as outlines, and the same bytes for the same figures.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "gpuaes", "font.size": 9, "path.simplify": True})

# File, caption, pattern of the names: `line` becomes a line of its own, `x` its bytes.
DRAWINGS = [
    ("memory.svg", "AES-256-CTR by size of the update and kind of memory",
     r"aes/aes-256-ctr/(?P<line>ordinary|pinned|pinned-to-device|ordinary-to-device|device)/(?P<x>\d+)/(?P<by>gpuaes|default)"),
    ("threads.svg", "AES-256-CTR, streams of updates in ordinary memory, by threads",
     r"threads/aes-256-ctr/ordinary/(?P<line>\d+)/(?P<x>\d+)/(?P<by>gpuaes|default)"),
    ("small.svg", "AES-256-CTR, small calls before the device is of use",
     r"crossover/aes-256-ctr/(?P<line>ordinary-in-place)/(?P<x>\d{2,5})/(?P<by>gpuaes|default)"),
    ("crc16.svg", "CRC-16 by kind of memory, beside a read-only scan", r"crc16/(?P<line>cache|pinned|device)/(?P<x>\d+)/(?P<by>gpuaes|scan)"),
]

# The same with a panel for each cipher, and a mark for the way that calls went: `panel` and `x`.
CROSSOVERS = [
    (f"crossover-{kind}.svg", f"One thread, {kind} memory, by size of the update, and the way that gpuaes took",
     rf"crossover/(?P<panel>[^/]*)/{memory}/(?P<x>\d+)/(?P<by>gpuaes|default)") for kind, memory in (("ordinary", "ordinary-in-place"), ("pinned", "pinned"))
]
# Of the ways in cuda/engine/reason.h those that a GPU which works gives, by who does the work: the processor, both, the device.
WAYS = {"too_small": ("0.55", "o"), "cpu_faster": ("C0", "o"), "shared": ("C9", "D"), "device_busy": ("C1", "v"), "ring_empty": ("C6", "v"),
        "ring": ("C4", "D"), "device_faster": ("C2", "^")}
OTHER_WAY = ("C3", "X")
CURVES = {"default": {"color": "0.4", "linestyle": "--"}, "gpuaes": {"color": "0.15", "linestyle": "-"}}


def save(chart, path):
    """Writes a chart, the same bytes for the same figures."""
    chart.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(chart)
    # A tenth of a point is finer than anybody sees.
    text = re.sub(r"\d+\.\d{2,}", lambda match: f"{float(match[0]):.1f}", path.read_text())
    path.write_text(re.sub(r"<!--.*?-->", "", re.sub(r"\n\s*", "\n", text)))


def draw(figures, pattern, caption, path):
    """Returns whether there was anything to draw."""
    lines = {}
    for name, figure in figures.items():
        match = re.fullmatch(pattern, name)
        if match:
            lines.setdefault((match["line"], match["by"]), []).append((int(match["x"]), figure["median"]))
    if not any(len(points) > 1 for points in lines.values()):
        return False
    chart, axis = plt.subplots(figsize=(6, 3.6))
    colours = {line: f"C{i}" for i, line in enumerate(sorted({line for line, _ in lines}))}
    for (line, by), points in sorted(lines.items()):
        sizes, rates = zip(*sorted(points))
        label = f"{line}{' threads' if line.isdigit() else ''}, {by}"
        axis.plot(sizes, rates, "-" if by == "gpuaes" else "--", marker=".", color=colours[line], label=label)
    axis.set(title=caption, xlabel="bytes a call", ylabel="GB/s", yscale="log")
    axis.set_xscale("log", base=2)
    axis.minorticks_off()
    axis.grid(alpha=0.3)
    axis.legend(fontsize="x-small", framealpha=0.5)
    chart.tight_layout()
    save(chart, path)
    return True


def draw_panel(axis, points):
    """Both curves of one cipher; `points` has (bytes, figure) of each provider."""
    for by, line in CURVES.items():
        curve = sorted((x, figure["median"]) for x, figure in points.get(by, []))
        axis.plot([x for x, _ in curve], [rate for _, rate in curve], linewidth=1.1, **line)
    for x, figure in points.get("gpuaes", []):
        colour, marker = WAYS.get(figure.get("way"), OTHER_WAY)
        axis.plot(x, figure["median"], marker, color=colour, markersize=4.5, zorder=3)
    axis.set_yscale("log", subs=[])
    axis.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axis.set_xscale("log", base=2)
    axis.set_xticks([1 << power for power in (4, 10, 15, 20, 25, 30)])
    axis.xaxis.set_major_formatter(lambda x, _: size(int(x)))
    axis.minorticks_off()
    axis.grid(alpha=0.3)


def draw_crossover(figures, pattern, caption, path):
    """Returns whether there was anything to draw."""
    panels = {}
    for name, figure in figures.items():
        match = re.fullmatch(pattern, name)
        if match:
            panels.setdefault(match["panel"], {}).setdefault(match["by"], []).append((int(match["x"]), figure))
    if not panels:
        return False
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    height = 2.6 * rows + 0.8
    chart, axes = plt.subplots(rows, columns, figsize=(max(4.2 * columns, 6), height), sharex=True, sharey=True, squeeze=False)
    for axis, (panel, points) in zip(axes.flat, sorted(panels.items())):
        draw_panel(axis, points)
        axis.set_title(panel, fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("bytes a call")
    for axis in axes[:, 0]:
        axis.set_ylabel("GB/s")
    chart.suptitle(caption, fontsize=10)
    taken = {figure.get("way", "not said") for points in panels.values() for _, figure in points.get("gpuaes", [])}
    lines = [plt.Line2D([], [], label=by, **line) for by, line in CURVES.items()]
    for way in [*(way for way in WAYS if way in taken), *sorted(taken - WAYS.keys())]:
        colour, marker = WAYS.get(way, OTHER_WAY)
        lines.append(plt.Line2D([], [], color=colour, marker=marker, linestyle="", label=way))
    chart.legend(handles=lines, loc="lower center", ncol=len(lines), fontsize="small", frameon=False, handletextpad=0.3, columnspacing=1.4)
    chart.tight_layout(rect=(0, 0.3 / height, 1, 1))
    save(chart, path)
    return True


def draw_all(figures, folder):
    """Draws what there are figures for; returns the files' names and captions."""
    drawn = [(name, caption) for name, caption, pattern in DRAWINGS if draw(figures, pattern, caption, folder / name)]
    return drawn + [(name, caption) for name, caption, pattern in CROSSOVERS if draw_crossover(figures, pattern, caption, folder / name)]


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__.strip())
    prefix, folder, *reports = arguments
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for report in reports:
        found.update(all_figures.of_google(json.loads(pathlib.Path(report).read_text()), prefix))
    for name, _ in draw_all(all_figures.with_rivals(found), folder):
        print(folder / name)


if __name__ == "__main__":
    main(sys.argv[1:])
