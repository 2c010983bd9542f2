#!/usr/bin/env bash
# bench/compare.py tells what got slower from moods and noise, bench/figures.py reduces what Google Benchmark writes, and bench/report.py
# sets figures against targets and rivals.
# shellcheck source=tests/shell/setup.sh
source "$(dirname "$0")/setup.sh"
bench=$(realpath "$(dirname "$0")/../../bench")
runs=$(realpath "$(dirname "$0")/../data/bench")

# compare OLD NEW: its output in $work/said, its status in `status`.
compare() {
  status=0
  python3 "$bench/compare.py" "$@" >"$work/said" 2>&1 || status=$?
}

# In `same` the machine is slower as a whole, one figure within its spread, a rival faster, and a kernel too.
compare "$runs/old" "$runs/same"
[ $status = 0 ] || fail "nothing got slower, and compare.py said: $(cat "$work/said")"
grep -qx '0 of 5 figures got slower' "$work/said" || fail "compare.py said: $(cat "$work/said")"
compare "$runs/old" "$runs/worse"
[ $status = 1 ] || fail "compare.py gave $status for slower figures"
slower=$(sed -n 's/: .*of its speed$//p' "$work/said" | tr '\n' ' ')
[ "$slower" = "aes/aes-256-ctr/ordinary/1048576/gpuaes commands/start/gpuaes/wall kernels/aes-256-ctr/1073741824 " ] ||
  fail "compare.py found: $slower"
compare "$runs/old" "$runs/worse" --least 12
[ "$(grep -c 'of its speed$' "$work/said")" = 2 ] || fail "with --least 12 it said: $(cat "$work/said")"
compare "$runs/old" "$work"
[ $status = 2 ] || fail "a folder without figures gave $status"

cat >"$work/reduce.py" <<'END'
import json
import figures
import targets
times = {"a/gpuaes/real_time": [2e9, 4e9, 3e9], "a/default/real_time": [1e9, 1e9, 1e9]}
runs = [{"run_type": "iteration", "run_name": name, "bytes_per_second": value} for name, values in times.items() for value in values]
for run, way in zip(runs, ["shared", "device_faster", "shared"]):
    run["label"] = way
runs.append({"run_type": "iteration", "run_name": "b/16/gpuaes/manual_time", "bytes_per_second": 1e9, "default_bytes_per_second": 2e9, "more_ns": 7.0})
runs.append({"run_type": "aggregate", "run_name": "a/gpuaes/real_time", "bytes_per_second": 9e9})
found = figures.with_rivals(figures.of_google({"context": {}, "benchmarks": runs}, "crossover"))
ours = {"median": 3, "low": 2, "high": 4, "n": 3, "unit": "GB/s", "way": "shared", "rival": "crossover/a/default"}
assert found["crossover/a/gpuaes"] == ours and "way" not in found["crossover/a/default"], found
assert found["crossover/b/16/gpuaes"]["rival"] == "crossover/b/16/default" and found["crossover/b/16/default"]["median"] == 2, found
assert targets.slower_by(found, "crossover/b/16/gpuaes") == (7 / 8, 7) and targets.noise(found, "crossover/b/16/gpuaes") == 0
assert json.loads(figures.as_text(found)) == found
assert figures.beside(found, "crossover/a/gpuaes") == 3
assert figures.reduce([8, 7, 6, 5, 4, 3, 2, 1, 0], "s") == {"median": 4, "low": 2, "high": 6, "n": 9, "unit": "s"}
END
PYTHONPATH=$bench PYTHONDONTWRITEBYTECODE=1 python3 "$work/reduce.py" || fail "figures.py"

cp -r "$runs/worse" "$work/run"
cat >"$work/run/environment.json" <<'END'
{"date": "2026-01-02T03:04:05+0000", "quick": false, "commit": "0123456789abcdef", "commit_is_all": true, "gpu": {}, "cores": 4,
 "processor": "a processor", "system": "a system", "kernel": "a kernel", "openssl": "OpenSSL", "cuda": "", "settings": {},
 "benches": {"crc16": {"problem": "failed with status 1: wrong output"}, "match": {"left_out": "there is no GPU"}}}
END
PYTHONDONTWRITEBYTECODE=1 python3 "$bench/report.py" "$work/run"
said=$work/run/report.md
grep -qF '**crc16 failed with status 1: wrong output**' "$said" || fail "the report hides that something failed"
grep -qF '| AES-128-CTR, data on the device, 1 GiB, kernel | at least 900 GB/s | 890 GB/s | 0.99 |' "$said" || fail "a target's row"
[ "$(grep -c 'not measured' "$said")" = $(($(grep -c '"work"' "$bench/targets.json") - 2)) ] || fail "targets that weren't measured"
grep -qF '| commands/start/gpuaes/wall | 0.00715 s | 0.005 s | 0.70 |' "$said" || fail "a case that gpuaes loses"
PYTHONDONTWRITEBYTECODE=1 python3 "$bench/report.py" --readme "$work/run" >"$work/readme"
grep -qE '^\| .*module.* \| 0.00715 s \| 0.005 s \| 0.699 \|$' "$work/readme" || fail "the README's table: $(cat "$work/readme")"
