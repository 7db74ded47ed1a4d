#!/usr/bin/env python3
"""histories.py PROGRAM HISTORIES - counts how often trend reports a change in histories of 5 files a push: in those in which
nothing changed, and in those in which one event got 10 % slower. Jobs differ by 0, 3, 5 and 10 %, events of a job by 2 %, and files
of a job by 1 % (standard deviations). Fails if more than 2 % of the unchanged histories seem to have changed."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

FILES_A_PUSH = 5
TIMES = [12500, 11900, 10600, 4100, 3300, 2600, 1900, 1500, 1000, 800, 700, 500]  # of events, in ns
DEVIATIONS = (0, 0.03, 0.05, 0.10)


def factor(draw, deviation):
    return math.exp(draw.gauss(0, deviation))


def history(draw, n_pushes, job_deviation, slower_from=None):
    """Returns the times of each event, file after file; event 2 is slower from a certain push on."""
    rows = [[] for _ in TIMES]
    for push in range(n_pushes):
        level = factor(draw, job_deviation)
        of_job = [factor(draw, 0.02) for _ in TIMES]
        for _ in range(FILES_A_PUSH):
            of_file = factor(draw, 0.01)
            for i, time in enumerate(TIMES):
                change = 1.1 if i == 2 and slower_from is not None and push >= slower_from else 1
                rows[i].append(round(1000 * time * level * of_job[i] * of_file * factor(draw, 0.01) * change))
    return rows


def baseline(rows, n_pushes):
    files = [(push, k) for push in range(n_pushes) for k in range(FILES_A_PUSH)]
    lines = ["etinspect-baseline,4", "time_scale,ns"]
    lines += [f"file,{push}-{k}.etdp,,,commit={push:07d}" for push, k in files]
    lines.append(f"block,Execute,,{';'.join('1' for _ in files)},{';'.join('0' for _ in files)}")
    totals = [sum(of_file) for of_file in zip(*rows)]
    for kind, name, times in [("execute", "Method::execute", totals), *(("kernel", f"op{i}.out", row) for i, row in enumerate(rows))]:
        values = ";".join(map(str, times))
        lines.append(f"{kind},{name},,,,,,,,,,1" + f",{values}" * 8)
    return "\n".join([*lines, f"end,{len(lines)}"]) + "\n"


def changes(program, text, folder):
    """Returns the names and places of the changes that are reported."""
    path = os.path.join(folder, "history.csv")
    with open(path, "w") as file:
        file.write(text)
    run = subprocess.run([program, "trend", path, "--format", "json"], capture_output=True, text=True, check=True)
    return [(row["event_name"], row["number"]) for row in json.loads(run.stdout)["tables"]["changes"]]


def main():
    program, n_histories = sys.argv[1], int(sys.argv[2])
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        print("pushes  jobs  unchanged: reported  +10 %: found at its push, other events", flush=True)
        for n_pushes in (20, 40):
            for deviation in DEVIATIONS:
                draw = random.Random(f"{n_pushes} {deviation}")
                false = found = others = 0
                for _ in range(n_histories):
                    false += bool(changes(program, baseline(history(draw, n_pushes, deviation), n_pushes), folder))
                    rows = history(draw, n_pushes, deviation, n_pushes // 2)
                    reported = changes(program, baseline(rows, n_pushes), folder)
                    found += ("op2.out", n_pushes // 2) in reported
                    others += any(name not in ("op2.out", "Method::execute") for name, _ in reported)
                worst = max(worst, false)
                shares = [100 * n / n_histories for n in (false, found, others)]
                print(f"{n_pushes:6d} {100 * deviation:4.0f} % {shares[0]:17.1f} % {shares[1]:26.1f} % {shares[2]:6.1f} %", flush=True)
    return worst > max(1, 0.02 * n_histories)


sys.exit(main())
