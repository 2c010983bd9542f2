"""Sets figures against targets.json."""
import json
import re

import figures as all_figures

with open(all_figures.HERE / "targets.json") as file:
    TABLE = json.load(file)


def number(value):
    """Three digits, or all before the point."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_unit(value, unit):
    return f"{number(value)} {unit}" if unit in ("GB/s", "s", "G/s", "s/GB", "J/GB") else number(value)


def size_in(name):
    """The bytes of a call, from the name of its figure."""
    return int(re.findall(r"/(\d+)(?=/)", name)[-1])


def slower_by(figures, name):
    """How much longer a call takes than its rival's: in parts of that, and in ns."""
    figure, rival = figures[name], figures[figures[name]["rival"]]
    ours, theirs = (size_in(name) / each["median"] for each in (figure, rival))
    more = figure["more"]["median"] if "more" in figure else ours - theirs
    return more / theirs, more


def measure(figures, target):
    """What was measured for a target: (value, unit, name of the figure); None if it wasn't."""
    if "least_of" in target:
        names = [name for name in figures if re.search(target["least_of"], name)]
        if not names:
            return None
        name = min(names, key=lambda each: figures[each]["median"])
        return figures[name]["median"], figures[name]["unit"], name
    if "beside" in target:
        ratio = all_figures.beside(figures, target["beside"])
        return None if ratio is None else (ratio, "times", target["beside"])
    figure, over = figures.get(target["figure"]), figures.get(target.get("over"))
    if figure is None or ("over" in target and over is None):
        return None
    if over is not None:
        return figure["median"] / over["median"], "times", target["figure"]
    return figure["median"], figure["unit"], target["figure"]


def noise(figures, name):
    """What the repetitions of a call and of its rival's spread, in ns; where both were timed in turns, the differences."""
    if "more" in figures[name]:
        return (figures[name]["more"]["high"] - figures[name]["more"]["low"]) / 2
    return sum(all_figures.spread(each) * size_in(name) / each["median"] for each in (figures[name], figures[figures[name]["rival"]]))


def judge_all(figures, target):
    """A row for a target of many figures. What is slower by less than the spread can't be told from noise, and is said apart."""
    names = [name for name in figures if re.search(target["all"], name) and "rival" in figures[name]]
    if not names:
        return "", "not measured", "", "", ""
    over = {name: slower_by(figures, name) for name in names}
    slower = [name for name, (part, ns) in over.items() if part > target["percent"] / 100 and ns > target["ns"]]
    bad = [name for name in slower if over[name][1] > noise(figures, name)]
    said = f"{len(names) - len(slower)} of {len(names)}"
    if len(slower) > len(bad):
        said += f", {len(slower) - len(bad)} slower by less than the spread"
    if bad:
        worst = max(bad, key=lambda name: over[name][0])
        said += f", {len(bad)} by more; worst {over[worst][1]:+.0f} ns, {over[worst][0]:+.1%}: {worst.split('/', 1)[1].removesuffix('/gpuaes')}"
    return f"all {len(names)}", said, f"{(len(names) - len(slower)) / len(names):.2f}", "", "**no**" if bad else "yes"


def judge(figures, target):
    """(target, measured, measured in parts of the target, times its rival, whether it was reached), all as text."""
    if "all" in target:
        return judge_all(figures, target)
    wanted = target.get("least", target.get("most"))
    measured = measure(figures, target)
    sign = "at least" if "least" in target else "at most"
    if measured is None:
        return f"{sign} {number(wanted)}", "not measured", "", "", ""
    value, unit, name = measured
    reached = value >= wanted if "least" in target else value <= wanted
    beside = all_figures.beside(figures, name)
    return (f"{sign} {with_unit(wanted, unit)}", with_unit(value, unit), f"{value / wanted:.2f}", number(beside),
            "yes" if reached else "**no**")


def table(figures):
    lines = ["| work | target | measured | of the target | times its rival | reached |", "|---|---:|---:|---:|---:|---|"]
    lines += [f"| {target['work']} | " + " | ".join(judge(figures, target)) + " |" for target in TABLE["targets"]]
    return lines


def readme(figures):
    """The README's table: AES-256, encrypting."""
    lines = ["| the data is | gpuaes | default provider | times |", "|---|---:|---:|---:|"]
    for label, name in TABLE["readme"]:
        figure = figures.get(name)
        rival = figures.get(figure.get("rival")) if figure else None
        if rival:
            cells = [f"{number(each['median'])} {each['unit']}" for each in (figure, rival)]
            lines.append(f"| {label} | {cells[0]} | {cells[1]} | {number(all_figures.beside(figures, name))} |")
    return lines
