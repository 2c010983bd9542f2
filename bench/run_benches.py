#!/usr/bin/env python3
"""Runs what benches.json lists and writes a folder of results. bench/run.sh builds first and then calls this.

Usage: run_benches.py --build FOLDER [--quick] [--only NAME]... [--into FOLDER]

A folder that is there already gets these benches, or gets them anew, if it is of the same commit and GPU.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import environment
import figures
import report

HERE = pathlib.Path(__file__).resolve().parent
# Of a program that hangs.
LIMIT_SECONDS = 400


def folder_for(gpu):
    """A new folder, named after the GPU and the day."""
    name = f"{gpu.get('name', 'no-gpu').replace(' ', '-')}-{time.strftime('%Y-%m-%d')}"
    taken = [path for path in (HERE / "results").glob(name + "*") if path.is_dir()]
    return HERE / "results" / (f"{name}-{len(taken) + 1}" if taken else name)


def command_of(bench, arguments, build, raw, has_gpu):
    if "program" in bench:
        return [build / bench["program"], *arguments, f"--benchmark_out={raw}/{bench['name']}.json", "--benchmark_display_aggregates_only=true"]
    script = HERE.parent / bench["script"]
    if bench.get("prints") == "markdown":
        return ["bash", script, *(argument.replace("{build}", str(build)) for argument in arguments)]
    more = ["--gpu"] if has_gpu else []
    return [sys.executable, script, "--build", build, "--out", f"{raw}/{bench['name']}.json", *arguments, *more]


def run(command, settings, limit, output, log):
    """Returns what went wrong, or nothing. A script that takes too long is stopped together with what it started."""
    with open(output, "w") as out, open(log, "w") as err:
        process = subprocess.Popen(list(map(str, command)), env={**os.environ, **settings}, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   start_new_session=True)
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            return f"was stopped after {limit} s"
    if status == 0:
        return ""
    end = [line for line in log.read_text(errors="replace").splitlines() if line.strip() and not line.startswith("***WARNING***")][-3:]
    return f"failed with status {status}: {' / '.join(end)}"


def settings_of(bench, build):
    """What a bench gets in its environment; a program that wasn't built isn't named."""
    settings = {name: value.replace("{build}", str(build)) for name, value in bench.get("environment", {}).items()}
    return {name: value for name, value in settings.items() if not value.startswith("/") or pathlib.Path(value).exists()}


def check_device(result, has_gpu):
    """What is wrong with the device that a program reported, or nothing: the stand-in measures nothing, and a GPU that is there must work."""
    try:
        context = json.loads(result.read_text())["context"]
    except (OSError, json.JSONDecodeError, KeyError):
        return ""
    device = context.get("device", "")
    if "stand-in" in device:
        result.unlink()
        return f"measured the stand-in, {device}: set no GPUAES_DEVICE"
    if has_gpu and "gpuaes" in context and "bring-up, seconds" not in context:
        return f"got no device: {device}"
    return ""


def why_not(bench, options, has_gpu, build):
    """Why a bench is left out, or nothing."""
    if options.only and bench["name"] not in options.only:
        return "not asked for"
    if options.quick and "quick" not in bench:
        return "not in a quick run"
    if bench.get("needs_gpu") and not has_gpu:
        return "there is no GPU"
    if not (build / bench["program"] if "program" in bench else HERE.parent / bench["script"]).exists():
        return "not built here"
    return ""


def reduce_all(benches, raw, folder, about):
    """Writes environment.json and figures.json."""
    found = {}
    for bench in benches:
        try:
            written = json.loads((raw / f"{bench['name']}.json").read_text())
        except (OSError, json.JSONDecodeError):
            continue
        prefix = bench.get("figures", bench["name"])
        found.update(figures.of_samples(written, prefix) if "samples" in written else figures.of_google(written, prefix))
        about["energy"] = written.get("context", {}).get("energy", about["energy"])
    (folder / "environment.json").write_text(json.dumps(about, indent=1) + "\n")
    (folder / "figures.json").write_text(figures.as_text(figures.with_rivals(found)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    if os.environ.get("GPUAES_DEVICE") == "host":
        parser.error("GPUAES_DEVICE=host is the stand-in for tests: how fast it is says nothing")
    build = options.build.resolve()
    benches = json.loads((HERE / "benches.json").read_text())["benches"]
    unknown = set(options.only or []) - {bench["name"] for bench in benches}
    if unknown:
        parser.error(f"there is no bench {', '.join(sorted(unknown))}; there are {', '.join(bench['name'] for bench in benches)}")
    about = environment.describe(build, options.quick)
    about["benches"], about["energy"] = {}, ""
    has_gpu = bool(about["gpu"]) and (build / "bench" / "bounds").exists()
    folder = options.into or folder_for(about["gpu"])
    if (folder / "environment.json").exists():
        before = json.loads((folder / "environment.json").read_text())
        if any(before[key] != about[key] for key in ("commit", "quick", "gpu_name")):
            parser.error(f"{folder} is of commit {before['commit']}, another GPU, or a quick run where this is none")
        about["benches"], about["energy"] = before["benches"], before["energy"]
    raw = folder / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    if not has_gpu:
        print("There is no GPU here, or no kernels were built: only what the processor does is measured.")

    for bench in benches:
        name, start = bench["name"], time.monotonic()
        problem = why_not(bench, options, has_gpu, build)
        if problem:
            about["benches"].setdefault(name, {"left_out": problem})
            continue
        arguments = bench["quick" if options.quick else "full"]
        output = (folder / f"{name}.md") if bench.get("prints") == "markdown" else raw / f"{name}.out"
        (raw / f"{name}.json").unlink(missing_ok=True)
        problem = run(command_of(bench, arguments, build, raw, has_gpu), settings_of(bench, build),
                      bench.get("limit_seconds", LIMIT_SECONDS), output, raw / f"{name}.log")
        problem = problem or check_device(raw / f"{name}.json", has_gpu)
        about["benches"][name] = {"seconds": round(time.monotonic() - start, 1), "settings": bench.get("environment", {}), "problem": problem}
        print(f"{name:12} {time.monotonic() - start:6.1f} s  {problem}", flush=True)
    reduce_all(benches, raw, folder, about)
    report.write(folder)
    problems = {name: bench["problem"] for name, bench in about["benches"].items() if bench.get("problem")}
    for name, problem in problems.items():
        print(f"{name} {problem}", file=sys.stderr)
    print(folder / "report.md")
    return 1 if any("was stopped" not in problem for problem in problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
