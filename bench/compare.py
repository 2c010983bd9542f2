#!/usr/bin/env python3
"""Lists what got slower from one run of bench/run.sh to another by more than the spread; exits 1 if anything did.

Usage: compare.py OLD NEW [--least PERCENT]

OLD and NEW are folders of results. A figure counts as slower if it is worse by itself and, where it has a rival in its own run, also beside
that one: a machine in another mood, or another OpenSSL, is no change of ours. Worse is what is beyond the spread of both runs' repetitions,
and beyond PERCENT (5). Rivals' own figures aren't looked at.
"""
import argparse
import json
import pathlib
import sys

from figures import LESS_IS_BETTER, beside, load, spread

RIVALS = ("/default", "/scan", "/null", "/table", "/boost", "/copy", "/reading")


def is_ours(name):
    return not any(rival in name for rival in RIVALS) and not name.startswith("bounds/")


def losses(old, new, least):
    """(name, change) of what got slower; the change is the new speed in parts of the old."""
    def spreads(names):
        return sum(spread(run[each]) for run in (old, new) for each in names)

    for name in sorted(old.keys() & new.keys()):
        if not is_ours(name) or not old[name]["median"] or not new[name]["median"]:
            continue
        change = new[name]["median"] / old[name]["median"]
        if new[name]["unit"] in LESS_IS_BETTER:
            change = 1 / change
        worse = change < 1 - max(least, spreads([name]))
        rival = new[name].get("rival")
        if rival and rival == old[name].get("rival"):
            worse = worse and beside(new, name) / beside(old, name) < 1 - max(least, spreads([name, rival]))
        if worse:
            yield name, change


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=5)
    options = parser.parse_args()
    try:
        old, new = load(options.old), load(options.new)
    except (OSError, json.JSONDecodeError) as error:
        parser.error(f"no figures: {error}")
    common = [name for name in old.keys() & new.keys() if is_ours(name)]
    if not common:
        parser.error("the two runs have no figure in common")
    slower = list(losses(old, new, options.least / 100))
    for name, change in slower:
        print(f"{name}: {old[name]['median']:.4g} -> {new[name]['median']:.4g} {new[name]['unit']}, {change:.2f} of its speed")
    gone = sorted(name for name in old.keys() - new.keys() if is_ours(name))
    if gone:
        print(f"{len(gone)} figures are in the first run only, such as {gone[0]}")
    print(f"{len(slower)} of {len(common)} figures got slower")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
