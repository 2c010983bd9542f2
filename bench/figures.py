"""Reduces what the benchmarks wrote to figures: a name, the median of the repetitions, their spread, a unit, a rival's name.

A figure is {"median", "low", "high", "n", "unit"} and, where something of the same run is set against it, "rival". From low to high are
the middle half of eight repetitions and more, all of fewer. Where the program said which way its calls went, "way" is the most frequent. Where
it timed both in turns, "more" is what a call takes more than the rival's, in ns.
"""
import collections
import json
import pathlib
import re
import statistics

# Units of which less is better; of the others, more is.
LESS_IS_BETTER = ("s", "s/GB", "J/GB")
HERE = pathlib.Path(__file__).resolve().parent


def load(folder):
    """The figures of a folder of results, by name."""
    return json.loads((pathlib.Path(folder) / "figures.json").read_text())


def as_text(figures):
    """A line for each figure, so that two runs can be compared by eye and by git."""
    def rounded(figure):
        rules = {float: lambda value: float(f"{value:.6g}"), dict: rounded}
        return {key: rules.get(type(value), lambda same: same)(value) for key, value in figure.items()}

    return "{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(rounded(figure))}" for name, figure in sorted(figures.items())) + "\n}\n"


def reduce(values, unit):
    values = sorted(values)
    low, high = values[0], values[-1]
    if len(values) >= 8:
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": statistics.median(values), "low": low, "high": high, "n": len(values), "unit": unit}


def spread(figure):
    """How far from the median the repetitions lie, as a part of it; of one alone nothing is known, and it is taken for a tenth."""
    if figure["n"] == 1:
        return 0.1
    return (figure["high"] - figure["low"]) / 2 / figure["median"] if figure["median"] else 0


def beside(figures, name):
    """How many times as good as its rival a figure is, or nothing."""
    figure = figures.get(name)
    rival = figures.get(figure.get("rival")) if figure else None
    if not rival or not figure["median"] or not rival["median"]:
        return None
    ratio = figure["median"] / rival["median"]
    return 1 / ratio if figure["unit"] in LESS_IS_BETTER else ratio


def of_google(report, prefix):
    """The figures in a report of Google Benchmark."""
    samples, ways, more = {}, {}, {}
    for run in report["benchmarks"]:
        if run.get("run_type") != "iteration" or run.get("error_occurred"):
            continue
        name = prefix + "/" + re.sub(r"(/iterations:\d+|/(real|manual)_time)", "", run["run_name"])
        if run.get("label"):
            ways.setdefault(name, collections.Counter())[run["label"]] += 1
        if "bytes_per_second" in run:
            samples.setdefault((name, "GB/s"), []).append(run["bytes_per_second"] / 1e9)
        if "default_bytes_per_second" in run:
            samples.setdefault((re.sub(r"/gpuaes$", "/default", name), "GB/s"), []).append(run["default_bytes_per_second"] / 1e9)
            more.setdefault(name, []).append(run["more_ns"])
        if "items_per_second" in run:
            samples.setdefault((name, "G/s"), []).append(run["items_per_second"] / 1e9)
        if "cpu_seconds_per_gb" in run:
            samples.setdefault((name + "/cpu", "s/GB"), []).append(run["cpu_seconds_per_gb"])
        if "gpu_joules_per_gb" in run:
            samples.setdefault((name + "/energy", "J/GB"), []).append(run["gpu_joules_per_gb"])
    figures = {name: reduce(values, unit) for (name, unit), values in samples.items()}
    for name in ways.keys() & figures.keys():
        figures[name]["way"] = ways[name].most_common(1)[0][0]
    for name, values in more.items():
        figures[name]["more"] = reduce(values, "ns")
    if "bring-up, seconds" in report["context"]:
        figures[prefix + "/bring-up"] = reduce([float(report["context"]["bring-up, seconds"])], "s")
    return figures


def of_samples(report, prefix):
    """The figures in a report of commands.py, which tells all repetitions."""
    return {f"{prefix}/{name}": reduce(sample["values"], sample["unit"]) for name, sample in report["samples"].items()}


def with_rivals(figures):
    rules = json.loads((HERE / "benches.json").read_text())["rivals"]["rules"]
    for name, figure in figures.items():
        for pattern, replacement in rules:
            rival = re.sub(pattern, replacement, name)
            if rival != name and rival in figures:
                figure["rival"] = rival
                break
    return figures
