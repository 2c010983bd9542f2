"""The tables of a report, out of its figures."""
import re

from figures import beside, spread
from targets import noise, number, size_in, slower_by, with_unit

# Lookups in shared memory that a block of 16 bytes takes at least, its own load and store counted as eight: CTR has rounds 1 and 2
# for 256 counters at once.
LOOKUPS = {"128-ctr": 141, "192-ctr": 173, "256-ctr": 205, "128-ecb": 168, "192-ecb": 200, "256-ecb": 232}


def size(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:g} {unit}"
        count /= 1024


def cell(figures, name):
    """A figure, its spread where that is more than a tenth, and in brackets how many times as good as its rival it is."""
    figure = figures.get(name)
    if figure is None:
        return ""
    text = number(figure["median"])
    if spread(figure) > 0.1 and figure["n"] > 1:
        text += f" ± {spread(figure):.0%}"
    ratio = beside(figures, name)
    return text + (f" ({ratio:.2f})" if ratio else "")


def grid(figures, pattern, heading):
    """Rows and columns of the figures that match a pattern with groups `row` and `column`, whose values are sizes."""
    rows, columns = {}, set()
    for name in figures:
        match = re.fullmatch(pattern, name)
        if match:
            rows.setdefault(match["row"], {})[int(match["column"])] = name
            columns.add(int(match["column"]))
    columns = sorted(columns)
    if not rows:
        return []
    lines = [f"| {heading} | " + " | ".join(map(size, columns)) + " |", "|---|" + "---:|" * len(columns)]
    for row, names in sorted(rows.items(), key=lambda item: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", item[0])]):
        lines.append(f"| {row} | " + " | ".join(cell(figures, names.get(column)) for column in columns) + " |")
    return lines


def small(figures):
    names = [name for name in figures if re.fullmatch(r"crossover/[^/]*/ordinary-in-place/(\d{2,5})/gpuaes", name) and "rival" in figures[name]]
    if not names:
        return []
    lines = ["| cipher | bytes a call | gpuaes GB/s | default GB/s | ratio | ns a call more | spread, ns |", "|---|---:|---:|---:|---:|---:|---:|"]
    for name in sorted(names, key=lambda each: (each.split("/")[1], size_in(each))):
        figure, rival = figures[name], figures[figures[name]["rival"]]
        lines.append(f"| {name.split('/')[1]} | {size_in(name)} | {number(figure['median'])} | {number(rival['median'])} | "
                     f"{beside(figures, name):.2f} | {slower_by(figures, name)[1]:.0f} | {noise(figures, name):.0f} |")
    return lines


def kernels(figures):
    lookups, copying = figures.get("bounds/shared-lookups"), figures.get("bounds/device-copy")
    names = [name for name in figures if name.startswith("kernels/")]
    if not names or not lookups:
        return []
    lines = ["| kernel | bytes | GB/s | bound: lookups | part of it | bound: memory | part of it |", "|---|---:|---:|---:|---:|---:|---:|"]
    for name in sorted(names):
        _, label, count = name.split("/")
        rate, bound = figures[name]["median"], lookups["median"] / LOOKUPS[re.search(r"\d+-[a-z]+", label)[0]] * 16
        memory = copying["median"] / 2
        lines.append(f"| {label} | {size(int(count))} | {number(rate)} | {number(bound)} | {rate / bound:.2f} | {number(memory)} | "
                     f"{rate / memory:.2f} |")
    lines += ["", "| bound | measured |", "|---|---:|"]
    lines += [f"| {name.removeprefix('bounds/')} | {with_unit(figures[name]['median'], figures[name]['unit'])} |"
              for name in sorted(figures) if name.startswith("bounds/")]
    return lines


def cost(figures):
    names = sorted(name for name in figures if re.fullmatch(r"cost/.*/(gpuaes|default)", name))
    if not names:
        return []
    lines = ["| cipher/memory/threads/bytes | by | GB/s | CPU seconds per GB | GPU joules per GB |", "|---|---|---:|---:|---:|"]
    for name in names:
        what, by = name.removeprefix("cost/").rsplit("/", 1)
        extra = [figures.get(f"{name}/{kind}") for kind in ("cpu", "energy")]
        lines.append(f"| {what} | {by} | {number(figures[name]['median'])} | " +
                     " | ".join(number(figure["median"]) if figure else "" for figure in extra) + " |")
    return lines


def commands(figures):
    """A row for each contestant: wall clock, user and all CPU time, CPU seconds per GB, all beside the rival's wall clock."""
    rows = sorted({name.rsplit("/", 1)[0] for name in figures if re.fullmatch(r"commands/.*/wall", name)}, key=lambda each: (
        each.split("/")[1], [int(part) for part in re.findall(r"/(\d+)", each)], each))
    if not rows:
        return []
    lines = ["| command | by | wall clock, s | spread | user s | CPU s | CPU s per GB | times as fast as its rival |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        what, by = row.removeprefix("commands/").rsplit("/", 1)
        counts = re.findall(r"/(\d+)$", what)
        label = re.sub(r"/(\d+)$", lambda match: " of " + size(int(match[1])), what)
        wall, user, cpu = (figures.get(f"{row}/{kind}") for kind in ("wall", "user", "cpu"))
        per_gb = number(cpu["median"] / int(counts[0]) * 1e9) if cpu and counts and int(counts[0]) >= 1 << 26 else ""
        apart = f"{spread(wall):.0%}" if wall["n"] > 1 else ""
        ratio = beside(figures, f"{row}/wall")
        lines.append(f"| {label} | {by} | {number(wall['median'])} | {apart} | {number(user['median']) if user else ''} | "
                     f"{number(cpu['median']) if cpu else ''} | {per_gb} | {f'{ratio:.2f}' if ratio else ''} |")
    return lines


def starts(figures):
    lines = [f"| {name.split('/')[0]} | {number(figures[name]['median'])} s |" for name in sorted(figures) if name.endswith("/bring-up")]
    return ["| program | from loading the module to a tested device |", "|---|---:|", *lines] if lines else []


def crc16(figures):
    engines = ["gpuaes", "scan", "null", "avx512", "pclmul", "portable", "table", "boost"]
    places = sorted({tuple(name.split("/")[1:3]) for name in figures if re.fullmatch(r"crc16/[^/]*/\d+/.*", name)}, key=lambda p: (p[0], int(p[1])))
    if not places:
        return []
    lines = ["| CRC-16 of | " + " | ".join(engines) + " |", "|---|" + "---:|" * len(engines)]
    for where, count in places:
        cells = [figures.get(f"crc16/{where}/{count}/{engine}") for engine in engines]
        lines.append(f"| {where}, {size(int(count))} | " + " | ".join(number(figure["median"]) if figure else "" for figure in cells) + " |")
    return lines


def match(figures):
    names = [name for name in figures if name.startswith("match/")]
    return ["| search | GB/s | spread |", "|---|---:|---:|", *(
        f"| {name.removeprefix('match/')} | {number(figures[name]['median'])} | {spread(figures[name]):.0%} |" for name in names)] if names else []


def losses(figures):
    """Where gpuaes is slower than its rival by more than the spread of both."""
    found = []
    for name, figure in figures.items():
        ratio = beside(figures, name)
        if ratio is None or not re.search(r"/(gpuaes|tool)(/wall|/rate)?$|^cost/.*/cpu$", name) or name.startswith("crc16/"):
            continue
        if ratio < 1 - spread(figure) - spread(figures[figure["rival"]]) and ratio < 0.97:
            found.append((ratio, name))
    lines = ["| where | gpuaes | its rival | ratio |", "|---|---:|---:|---:|"]
    for ratio, name in sorted(found):
        figure, rival = figures[name], figures[figures[name]["rival"]]
        lines.append(f"| {name} | {with_unit(figure['median'], figure['unit'])} | {with_unit(rival['median'], rival['unit'])} | {ratio:.2f} |")
    return lines if found else ["Nowhere in this run."]
