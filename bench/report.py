#!/usr/bin/env python3
"""Writes report.md, and its drawings, from a folder of results.

Usage: report.py FOLDER, or report.py --readme FOLDER, which prints the table for the README.
"""
import json
import pathlib
import re
import sys

import figures as all_figures
import tables
import targets

WHEN_NOT = """Don't use a GPU for this where calls are small and no stream of CTR, where a process does less than some 2 GiB in all,
where the program waits for other things than the cipher, or where all cores are free to encrypt what lies in ordinary memory."""

def grid_of(pattern, heading):
    return lambda figures: tables.grid(figures, pattern, heading)


# Title, what the table says, and the table; without a table the section is left out.
SECTIONS = [
    ("Targets", "Its rival is the default provider, for data on the device on ordinary memory; of CRC-16, reading alone; else what the row says.", targets.table),
    ("Where gpuaes loses", "Slower than its rival in the same run, by more than the spread of both.", tables.losses),
    ("Kernels alone, and what the card allows", "On device memory that no cache holds. The memory's bound is half the rate of a copy.",
     tables.kernels),
    ("AES, small calls", "One EVP update in ordinary memory, in place, cached.", tables.small),
    ("AES by memory and size", "GB/s of one EVP update, in brackets times the default provider's; that of device memory on ordinary memory. "
     "Cold is past all caches; device memory is cold unless it says warm.",
     grid_of(r"aes/(?P<row>[^/]*/(?!ordinary-in-place/\d{2,5}/)[^/]*)/(?P<column>\d+)/gpuaes", "cipher/memory")),
    ("The same with no helper threads", "", grid_of(r"aes-alone/(?P<row>[^/]*/[^/]*)/(?P<column>\d+)/gpuaes", "cipher/memory")),
    ("Threads", "GB/s of all threads together, each with a stream of updates of its own, in brackets times as many threads with the default "
     "provider. Small updates of ordinary memory get keystream ahead.",
     grid_of(r"threads/(?P<row>[^/]*/[^/]*/\d+)/(?P<column>\d+)/gpuaes", "cipher/memory/threads")),
    ("What a gigabyte costs", "CPU seconds are of all threads of the process. Energy is the GPU's alone, idle or not; the processor's can't be "
     "read in a virtual machine.", tables.cost),
    ("Start-up", "", tables.starts),
    ("Whole commands", "In turns. `tool` is `gpuaes enc`, `load` a device that is started and not needed, `null` a digest that does nothing; "
     "`example` is conf/examples.", tables.commands),
    ("openssl speed", "GB/s, in brackets times the default provider's; `speed` starts the device on the way, `speed-warm` has it up.",
     grid_of(r"commands/(?P<row>speed[^/]*/[^/]*)/(?P<column>\d+)/gpuaes/rate", "cipher")),
    ("openssl speed, CPU seconds per GB", "In brackets how many times less than the default provider's.",
     grid_of(r"commands/(?P<row>speed[^/]*/[^/]*)/(?P<column>\d+)/gpuaes/cpu", "cipher")),
    ("CRC-16", "GB/s. A scan reads the message and adds it up; null is OpenSSL's part of a digest.", tables.crc16),
    ("Matching", "On a device: searching what is in its memory, in pinned memory, or encrypted.", tables.match),
]


def head(about):
    gpu = about["gpu"]
    lines = [f"# {gpu.get('name', 'No GPU')}, {about['date'][:10]}", ""]
    if not gpu:
        lines += ["There is no GPU on this machine: this is what the processor does.", ""]
    if about["quick"]:
        lines += ["A quick run: fewer cases, fewer repetitions.", ""]
    for name, bench in about["benches"].items():
        if bench.get("problem"):
            lines += [f"**{name} {bench['problem']}**", ""]
    commit = about["commit"][:12] + ("" if about["commit_is_all"] else " and changes")
    card = "{name}, driver {driver_version}, {clocks.sm} of {clocks.max.sm}, {power.draw} at rest"
    card = re.sub(r"{(.*?)}", lambda key: gpu.get(key[1]) or "?", card) if gpu else ""
    settings = " ".join(f"{name}={value}" for name, value in about["settings"].items())
    facts = [f"commit {commit}", card, f"{about['cores']} cores of {about['processor']}", f"{about['system']}, kernel {about['kernel']}",
             about["openssl"], about["cuda"], f"energy: {about.get('energy') or 'not asked'}", settings]
    lines += ["; ".join(fact for fact in facts if fact) + ". All of it in [environment.json](environment.json), the figures with their spread in "
              "[figures.json](figures.json).", "", "Medians. 1 GB is 10^9 bytes. Only what stands in one run compares.", "", WHEN_NOT, ""]
    return lines


def drawings(folder, figures):
    """Draws, where Python can."""
    try:
        import plots
    except ImportError:
        return []
    lines = []
    for name, caption in plots.draw_all(figures, folder):
        lines += [f"![{caption}]({name})", ""]
    return lines


def write(folder):
    folder = pathlib.Path(folder)
    figures = all_figures.load(folder)
    about = json.loads((folder / "environment.json").read_text())
    lines = head(about)
    for title, text, table in SECTIONS:
        rows = table(figures)
        if rows:
            lines += [f"## {title}", "", *([text, ""] if text else []), *rows, ""]
    pictures = drawings(folder, figures)
    if pictures:
        lines += ["## Drawings", "", *pictures]
    for script in sorted(folder.glob("*.md")):
        if script.name != "report.md" and script.read_text().strip():
            lines += [f"## {script.stem}", "", re.sub(r"^#", "###", script.read_text(), flags=re.MULTILINE).strip(), ""]
    left_out = {name: bench["left_out"] for name, bench in about["benches"].items() if "left_out" in bench}
    if left_out:
        lines += ["Left out: " + "; ".join(f"{name}, {why}" for name, why in left_out.items()) + ".", ""]
    (folder / "report.md").write_text("\n".join(lines))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--readme":
        print("\n".join(targets.readme(all_figures.load(arguments[1]))))
    elif len(arguments) == 1 and not arguments[0].startswith("-"):
        write(arguments[0])
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
