"""How often `etinspect gate` alarms without reason between processes, and how often it finds a planted slowdown.

    python3 bench/gate/processes.py BUILD [GATES]

Takes the ETDumps that bench/gate_rule.py recorded, each by a process of its own, one after the other. A gate gets 1, 3, 5 or 8
of them a side, in turns: nothing differs but the processes. Then one event, of at least 3 % of the whole, takes 10 % or
30 % longer in all dumps of the new side.
"""

import csv
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST_SHARE = 0.03


def median(row):
    return statistics.median(map(int, row[-1].split(";")))


def read_baseline(etinspect, dump):
    text = subprocess.run([etinspect, "baseline", "save", "-", dump, "--block", "Execute"], capture_output=True, text=True, check=True)
    return list(csv.reader(text.stdout.splitlines()))


def heavy_events(rows):
    whole = next(median(row) for row in rows if row[0] == "execute")
    return [i for i, row in enumerate(rows) if row[0] in ("kernel", "delegated") and median(row) >= LEAST_SHARE * whole]


def write_baseline(path, rows, slow, factor):
    rows = [list(row) for row in rows]
    if slow is not None:
        rows[slow][-1] = ";".join(str(round(int(ticks) * factor)) for ticks in rows[slow][-1].split(";"))
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return str(path)


def failed_events(etinspect, folder, base, new, slow=None, factor=1.0):
    command = [etinspect, "gate", "--format", "json"]
    for side, dumps, planted in (("--base", base, None), ("--new", new, slow)):
        for i, rows in enumerate(dumps):
            command += [side, write_baseline(folder / f"{side[2:]}{i}.csv", rows, planted, factor)]
    checks = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["tables"]["checks"]
    return [check["name"] for check in checks if check["verdict"] == "failed"]


def main():
    build, n_gates = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    etinspect, rng = str(build / "etinspect"), random.Random(1)
    print(f"{'model':<13}{'dumps a side':>13}{'false alarm':>13}{'10 % found':>12}{'30 % found':>12}   ({n_gates} gates each)")
    with tempfile.TemporaryDirectory() as folder:
        for model in ("block", "transformer", "convolution"):
            paths = sorted((build / "bench" / "gate").glob(f"{model}-*.etdp"), key=lambda path: int(path.stem.split("-")[1]))
            dumps = [read_baseline(etinspect, path) for path in paths]
            heavy = heavy_events(dumps[0])
            for n in (1, 3, 5, 8):
                counts = [0, 0, 0]
                for _ in range(n_gates):
                    chosen = [dumps[i] for i in sorted(rng.sample(range(len(dumps)), 2 * n))]
                    sides = (chosen[0::2], chosen[1::2])
                    counts[0] += bool(failed_events(etinspect, Path(folder), *sides))
                    slow = rng.choice(heavy)
                    for k, factor in ((1, 1.1), (2, 1.3)):
                        counts[k] += dumps[0][slow][1] in failed_events(etinspect, Path(folder), *sides, slow, factor)
                shares = "".join(f"{count / n_gates:>{width}.1%}" for count, width in zip(counts, (13, 12, 12), strict=True))
                print(f"{model:<13}{n:>13}{shares}", flush=True)


if __name__ == "__main__":
    main()
