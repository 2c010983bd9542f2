"""What the figures depend on: the machine, its software, its moods, the source and the settings."""
import os
import pathlib
import platform
import subprocess
import time

GPU = ("driver_version", "memory.total", "clocks.sm", "clocks.max.sm", "clocks.mem", "clocks.max.mem", "power.draw", "power.limit",
       "temperature.gpu", "pcie.link.gen.current", "pcie.link.width.current", "persistence_mode", "compute_mode", "mig.mode.current")
ROOT = pathlib.Path(__file__).resolve().parent.parent


def said(*command):
    """What a command prints; nothing if it can't be run or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def gpu():
    """The first GPU's properties; nothing where there is none. One that nvidia-smi doesn't know makes it refuse all: so each is asked alone."""
    def ask(key):
        return "".join(said("nvidia-smi", f"--query-gpu={key}", "--format=csv,noheader").splitlines()[:1])

    name = ask("name")
    return {"name": name, **{key: ask(key) for key in GPU}} if name else {}


def line_after(path, key):
    try:
        for line in pathlib.Path(path).read_text().splitlines():
            if line.startswith(key):
                return line[len(key):].strip(" \t:=\"")
    except OSError:
        pass
    return ""


def describe(build, quick):
    card = gpu()
    changes = said("git", "status", "--porcelain")
    cuda = line_after(build / "CMakeCache.txt", "CMAKE_CUDA_COMPILER:FILEPATH")
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "quick": quick,
        "commit": said("git", "rev-parse", "HEAD") or "not known",
        "commit_is_all": not changes,
        "changed_files": changes.splitlines(),
        "gpu": card,
        "gpu_name": card.get("name", ""),
        "gpus": len(said("nvidia-smi", "-L").splitlines()),
        "cuda": said(cuda, "--version").splitlines()[-1] if cuda and said(cuda, "--version") else "",
        "architectures": line_after(build / "CMakeCache.txt", "GPUAES_ARCHITECTURES:STRING"),
        "openssl": said("openssl", "version"),
        "processor": line_after("/proc/cpuinfo", "model name"),
        "cores": os.cpu_count(),
        "memory": line_after("/proc/meminfo", "MemTotal"),
        "kernel": platform.release(),
        "system": line_after("/etc/os-release", "PRETTY_NAME"),
        "compiler": said("c++", "--version").splitlines()[:1],
        "load": os.getloadavg(),
        "settings": {name: value for name, value in sorted(os.environ.items()) if name.startswith(("GPUAES_", "OPENSSL_", "CUDA_"))},
    }
