"""Whole commands: their wall clock and processor seconds, in turns, so that all meet the same moods of the machine."""
import os
import subprocess
import sys
import time


class Wrong(Exception):
    """A command that failed, or gave other bytes than it should."""


def environment(**settings):
    """This process's environment, with settings, and without this machine's openssl.cnf."""
    return {**os.environ, "OPENSSL_CONF": "/dev/null", **settings}


def run(command, **settings):
    """Runs a command; returns what it printed. Raises Wrong if it fails."""
    done = subprocess.run(command, env=environment(**settings), stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))} failed: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout.decode(errors="replace")


def time_once(command, **settings):
    """Returns (wall, user, user + system) seconds of a command."""
    start = time.perf_counter()
    child = subprocess.Popen(command, env=environment(**settings), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))} failed: {said.decode(errors='replace')[-500:]}")
    return wall, used.ru_utime, used.ru_utime + used.ru_stime


def time_in_turns(samples, name, contestants, repetitions):
    """Adds to samples[name/contestant/(wall, user, cpu)] of each contestant, which is {contestant: (command, settings)}."""
    for _ in range(repetitions):
        for contestant, (command, settings) in contestants.items():
            for what, seconds in zip(("wall", "user", "cpu"), time_once(command, **settings)):
                sample = samples.setdefault(f"{name}/{contestant}/{what}", {"unit": "s", "values": []})
                sample["values"].append(seconds)
    print(f"{name}: " + ", ".join(f"{contestant} {min(samples[f'{name}/{contestant}/wall']['values']):.4f} s" for contestant in contestants),
          file=sys.stderr)
