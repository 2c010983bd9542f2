#!/usr/bin/env python3
"""Whole commands, as a user would type them, with gpuaes and without: `openssl enc`, `dgst` and `speed`, `gpuaes enc`, the examples.

Usage: commands.py --build FOLDER --out FILE [--full] [--gpu]. Files are made in TMPDIR, else in /dev/shm. Every output is compared with
the default provider's once, outside of what is timed; a difference is an error.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from timing import Wrong, environment, run, time_in_turns

KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
IV = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
PIECE = 16 * MIB
HERE = pathlib.Path(__file__).resolve().parent
COPY_THREADS = 8


class Bench:
    def __init__(self, build, full, gpu, work):
        self.build, self.full, self.gpu, self.work = build, full, gpu, work
        self.samples = {}
        self.modules = build / "provider"
        self.tool = build / "provider" / "tool" / "gpuaes"
        free = shutil.disk_usage(work).free
        for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable"):
                free = min(free, int(line.split()[1]) * KIB)
        self.largest = free // 2

    def provider(self, name="gpuaes", folder=None):
        return ["-provider-path", folder or self.modules, "-provider", name, "-provider", "default", "-propquery", f"?provider={name}"]

    def enc(self, source, *more):
        return ["openssl", "enc", "-aes-256-ctr", "-K", KEY, "-iv", IV, *(["-in", source] if source else []), *more]

    def file(self, size):
        """A file of that size without repetitions that anybody could use, made once."""
        path = self.work / f"plain-{size}"
        if path.exists():
            return path
        block = os.urandom(PIECE)
        with open(path, "wb") as file, concurrent.futures.ThreadPoolExecutor(8) as pool:
            def fill(at):
                turn = at // PIECE * 4099 % PIECE
                os.pwrite(file.fileno(), (block[turn:] + block[:turn])[: size - at], at)

            list(pool.map(fill, range(0, size, PIECE)))
        return path

    def forget(self, *sizes):
        for size in sizes:
            self.file(size).unlink()

    def check_encrypted(self, command, plain):
        """That the default provider decrypts what a command writes to its standard output."""
        first = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE)
        second = subprocess.Popen(self.enc(None, "-d"), env=environment(), stdin=first.stdout, stdout=subprocess.PIPE)
        compared = subprocess.run(["cmp", "-", plain], stdin=second.stdout, capture_output=True)
        for process in (first, second):
            process.stdout.close()
            if process.wait() != 0 or compared.returncode != 0:
                raise Wrong(f"{' '.join(map(str, command))}: the default provider can't decrypt it {compared.stdout.decode()}")

    def has_tool(self):
        """Whether this build's `gpuaes enc` encrypts."""
        if not self.tool.exists():
            return False
        plain = self.file(KIB)
        try:
            self.check_encrypted(self.tool_enc(plain, "-"), plain)
        except Wrong:
            return False
        return True

    def tool_enc(self, source, target):
        return [self.tool, "enc", "-aes-256-ctr", "-K", KEY, "-iv", IV, "-in", source, "-out", target]


def measure_enc(bench):
    tool = bench.has_tool()
    sizes = {MIB: 21, 64 * MIB: 11, GIB: 5, (16 if bench.full else 4) * GIB: 5} if bench.gpu else {MIB: 21, 64 * MIB: 5, GIB: 3}
    for size, repetitions in sizes.items():
        if size > bench.largest or (not bench.full and size == GIB):
            continue
        plain = bench.file(size)
        contestants = {"default": (bench.enc(plain, "-out", "/dev/null"), {}),
                       "gpuaes": (bench.enc(plain, "-out", "/dev/null", *bench.provider()), {})}
        if tool:
            contestants["tool"] = (bench.tool_enc(plain, "/dev/null"), {})
        checked = [bench.enc(plain, *bench.provider())] + ([bench.tool_enc(plain, "-")] if tool else [])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(bench.check_encrypted, checked, [plain] * len(checked)))
        time_in_turns(bench.samples, f"enc/{size}", contestants, repetitions if bench.full else max(repetitions // 2, 2))
        bench.forget(size)


def measure_copy(bench):
    """`gpuaes enc` to a new file, beside a copy of the same bytes by several threads: new pages are the limit there."""
    size = (4 if bench.full else 1) * GIB
    if 3 * size > bench.largest or not bench.has_tool():
        return
    plain, target = bench.file(size), bench.work / "target"
    contestants = {"copy": ([sys.executable, HERE / "parallel_copy.py", plain, target, str(COPY_THREADS)], {}),
                   "tool": (bench.tool_enc(plain, target) + ["--no-sync"], {})}
    for _ in range(3):
        for contestant, what in contestants.items():
            target.unlink(missing_ok=True)
            time_in_turns(bench.samples, f"copy/{size}", {contestant: what}, 1)
    bench.check_encrypted(["cat", target], plain)
    target.unlink()
    bench.forget(size)


def measure_dgst(bench):
    size = (2 if bench.full else 1) * GIB
    rivals = bench.build / "bench"
    plain = bench.file(size)

    def digest(name, provider):
        return ["openssl", "dgst", *provider, f"-{name}", plain]

    contestants = {"null": (digest("CRC16-NULL", bench.provider("rival_digests", rivals)), {}),
                   "gpuaes": (digest("CRC16", bench.provider()), {}),
                   # What openssl dgst reads at a time.
                   "reading": (["dd", f"if={plain}", "of=/dev/null", "bs=8k", "status=none"], {})}
    values = [run(digest(name, provider)).split()[-1] for name, provider in
              (("CRC16", bench.provider()), ("CRC16-TABLE", bench.provider("rival_digests", rivals)))]
    if values[0] != values[1]:
        raise Wrong(f"openssl dgst -CRC16 gave {values[0]} instead of {values[1]}")
    time_in_turns(bench.samples, f"dgst/{size}", contestants, 5 if bench.full else 3)
    bench.forget(size)


def measure_speed(bench):
    """`openssl speed` as it comes, which includes the time until the device is there, and with the device up."""
    def measure(name, size, contestant, seconds, **settings):
        provider = bench.provider() if contestant == "gpuaes" else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The cipher is fetched at -evp, by what was said before it.
        said = run(["openssl", "speed", *provider, "-elapsed", "-mr", "-evp", "aes-256-ctr", "-bytes", str(size), "-seconds", str(seconds)],
                   **settings)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        rate = float(re.search(r"^\+F:.*:([0-9.]+)$", said, re.MULTILINE)[1]) / 1e9
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        for what, unit, value in (("rate", "GB/s", rate), ("cpu", "s/GB", cpu / (rate * seconds))):
            sample = bench.samples.setdefault(f"{name}/aes-256-ctr/{size}/{contestant}/{what}", {"unit": unit, "values": []})
            sample["values"].append(value)

    if bench.gpu:
        measure("speed", 8 * KIB, "default", 3)
        measure("speed", 8 * KIB, "gpuaes", 10 if bench.full else 4)
    for size in (16, 8 * KIB, 64 * KIB) if bench.full else (KIB,):
        for _ in range(2):
            measure("speed-warm", size, "default", 1)
            measure("speed-warm", size, "gpuaes", 2 if bench.gpu else 1, GPUAES_STARTUP="load")


def measure_start(bench):
    """What a command pays that does next to nothing: for the module; for a device that was started and not needed."""
    plain = bench.file(KIB)
    little = bench.enc(plain, "-out", "/dev/null")
    contestants = {"default": (little, {}), "gpuaes": (little + bench.provider(), {})}
    time_in_turns(bench.samples, "start", contestants, 41 if bench.full else 15)
    if bench.gpu:
        time_in_turns(bench.samples, "start", {"load": (little + bench.provider(), {"GPUAES_STARTUP": "load"})}, 5)


def measure_examples(bench):
    """conf/examples/: each compares its own results, and prints the seconds of the usual way and of gpuaes."""
    examples = HERE.parent / "conf" / "examples"
    # Debian's own Python, whose libcrypto is the system's.
    python = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable
    mebibytes = (8 * KIB if bench.full else 2 * KIB) if bench.gpu else 256
    if mebibytes * MIB > bench.largest:
        return
    commands = {"weights": [python, examples / "encrypted_weights.py", str(mebibytes), bench.modules]}
    device = bench.build / "bench" / "device_memory"
    if device.exists():
        commands["device"] = [device, "1024", bench.modules]
    for name, command in commands.items():
        for _ in range(2 if bench.full else 1):
            said = run(command, TMPDIR=str(bench.work))
            for contestant, label in (("default", "the usual way"), ("gpuaes", "gpuaes")):
                match = re.search(rf"^{label} +([0-9.]+) s\b", said, re.MULTILINE)
                size = mebibytes * MIB if name == "weights" else GIB
                if match:
                    sample = bench.samples.setdefault(f"example/{name}/{size}/{contestant}/wall", {"unit": "s", "values": []})
                    sample["values"].append(float(match[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--gpu", action="store_true")
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory(prefix="gpuaes-bench.", dir=os.environ.get("TMPDIR", "/dev/shm")) as work:
        bench = Bench(options.build.resolve(), options.full, options.gpu, pathlib.Path(work))
        for measure in (measure_start, measure_enc, measure_copy, measure_dgst, measure_speed, measure_examples):
            try:
                measure(bench)
            except Wrong as error:
                wrong.append(str(error))
                print(f"commands.py: {error}", file=sys.stderr)
    options.out.write_text(json.dumps({"samples": bench.samples, "wrong": wrong}, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
