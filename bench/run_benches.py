#!/usr/bin/env python3
"""Runs what benches.json lists and writes a folder of results. bench/run.sh builds first and then calls this.

Usage: run_benches.py --build FOLDER [--quick] [--only NAME]... [--into FOLDER]
"""
import argparse
import json
import os
import pathlib
import shutil
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
    end = [line for line in log.read_text(errors="replace").splitlines() if line.strip()][-3:]
    return f"failed with status {status}: {' / '.join(end)}"


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    build = options.build.resolve()
    benches = json.loads((HERE / "benches.json").read_text())["benches"]
    unknown = set(options.only or []) - {bench["name"] for bench in benches}
    if unknown:
        parser.error(f"there is no bench {', '.join(sorted(unknown))}; there are {', '.join(bench['name'] for bench in benches)}")
    about = environment.describe(build, options.quick)
    has_gpu = bool(about["gpu"]) and (build / "bench" / "bounds").exists()
    folder = options.into or folder_for(about["gpu"])
    raw = folder / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    if not has_gpu:
        print("There is no GPU here, or no kernels were built: only what the processor does is measured.")

    about["benches"], found = {}, {}
    for bench in benches:
        name, start = bench["name"], time.monotonic()
        problem = why_not(bench, options, has_gpu, build)
        if problem:
            about["benches"][name] = {"left_out": problem}
            continue
        arguments = bench["quick" if options.quick else "full"]
        output = (folder / f"{name}.md") if bench.get("prints") == "markdown" else raw / f"{name}.out"
        problem = run(command_of(bench, arguments, build, raw, has_gpu), bench.get("environment", {}),
                      bench.get("limit_seconds", LIMIT_SECONDS), output, raw / f"{name}.log")
        about["benches"][name] = {"seconds": round(time.monotonic() - start, 1), "settings": bench.get("environment", {}), "problem": problem}
        print(f"{name:12} {time.monotonic() - start:6.1f} s  {problem}", flush=True)
        try:
            written = json.loads((raw / f"{name}.json").read_text())
        except (OSError, json.JSONDecodeError):
            continue
        prefix = bench.get("figures", name)
        found.update(figures.of_samples(written, prefix) if "samples" in written else figures.of_google(written, prefix))
        about.setdefault("energy", written.get("context", {}).get("energy", ""))
    (folder / "environment.json").write_text(json.dumps(about, indent=1) + "\n")
    lines = (f" {json.dumps(name)}: {json.dumps({k: round(v, 6) if isinstance(v, float) else v for k, v in figure.items()})}"
             for name, figure in sorted(figures.with_rivals(found).items()))
    (folder / "figures.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    report.write(folder)
    problems = {name: bench["problem"] for name, bench in about["benches"].items() if bench.get("problem")}
    for name, problem in problems.items():
        print(f"{name} {problem}", file=sys.stderr)
    print(folder / "report.md")
    return 1 if any("was stopped" not in problem for problem in problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
