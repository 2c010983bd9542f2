"""Draws figures: small SVG files, gpuaes beside the default provider."""
import re

import matplotlib

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
     r"aes/aes-256-ctr/(?P<line>ordinary-in-place)/(?P<x>\d{2,5})/(?P<by>gpuaes|default)"),
    ("crc16.svg", "CRC-16 by kind of memory, beside a read-only scan", r"crc16/(?P<line>cache|pinned|device)/(?P<x>\d+)/(?P<by>gpuaes|scan)"),
]


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
    chart.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(chart)
    # A tenth of a point is finer than anybody sees.
    text = re.sub(r"\d+\.\d{2,}", lambda match: f"{float(match[0]):.1f}", path.read_text())
    path.write_text(re.sub(r"<!--.*?-->", "", re.sub(r"\n\s*", "\n", text)))
    return True


def draw_all(figures, folder):
    """Draws what there are figures for; returns the files' names and captions."""
    return [(name, caption) for name, caption, pattern in DRAWINGS if draw(figures, pattern, caption, folder / name)]
