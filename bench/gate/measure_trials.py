"""Whole measurements of `etinspect measure`: a build against itself, and against one with a slower kernel.

    python3 bench/gate/measure_trials.py ETINSPECT RUNNER DIRECTORY [--model transformer] [--trials 100] [--runs 60]
        [--slow aten::_softmax.out=20 aten::addmm.out=20]

Reads DIRECTORY/MODEL.pte. Each trial is a measurement with the default options and its own seed. Prints how many trials
found a change, passed, or could not tell, and the average number of pairs of processes.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path


def measure(options, slow, seed):
    program = f"'{options.runner}' '{options.directory / options.model}.pte' {{}} {options.runs}"
    command = [options.etinspect, "measure", "--base", program, "--new", f"{program} {slow}".strip()]
    command += ["--seed", str(seed), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 6):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.returncode, json.loads(done.stdout)


def names_of(report):
    """Returns the totals, levels and events that are slower, and those whose whole intervals say that they are faster than the limit."""
    checks = report["tables"]["checks"]
    slower = {row["name"] for row in checks if row["verdict"] == "failed"}
    return slower, {row["name"] for row in checks if row["high"] is not None and row["high"] < -row["limit"]}


def run_trials(options, slow):
    counts, names, n_pairs, started = Counter(), Counter(), 0, time.monotonic()
    for seed in range(1, options.trials + 1):
        status, report = measure(options, slow, seed)
        slower, faster = names_of(report)
        n_pairs += report["tables"]["measurement"][0]["pairs"]
        counts["slower"] += status == 1
        counts["faster"] += bool(faster)
        counts["fine"] += status == 0 and not faster
        counts["cannot tell"] += status == 6
        names.update(slower)
    text = ", ".join(f"{counts[key]} {key}" for key in ("slower", "faster", "fine", "cannot tell"))
    seconds = (time.monotonic() - started) / options.trials
    print(f"{slow or 'the same build':<24} {options.trials} measurements: {text}; {n_pairs / options.trials:.1f} pairs, {seconds:.1f} s each")
    for name, n in names.most_common(6):
        print(f"    {n:>4} x {name}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("etinspect", "runner", "directory"):
        parser.add_argument(name, type=lambda path: Path(path).resolve())
    parser.add_argument("--model", default="transformer")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--slow", nargs="*", default=["aten::_softmax.out=20", "aten::addmm.out=20"])
    options = parser.parse_args()
    run_trials(options, "")
    for slow in options.slow:
        run_trials(options, slow.replace("=", " "))


if __name__ == "__main__":
    main()
