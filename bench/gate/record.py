"""Records ETDumps of many processes of each model, one dump per process, and saves them as baselines for windows.py.

    python3 bench/gate/record.py ETINSPECT RUNNER DIRECTORY [--rounds 120] [--runs 40] [--load light busy] [--seed 1]

Reads DIRECTORY/MODEL.pte and writes DIRECTORY/LOAD/MODEL-SIDE.csv: the sides a and b are the same, the others have a slower
kernel. A round runs each side of each model once, in random order. "light" starts nothing else; "busy" runs two loops that switch
on and off at random, after 0.05 to 2 s. As root, processes of "light" take precedence over those of others.
"""

import argparse
import multiprocessing
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

N_LOOPS = 2
SHORTEST, LONGEST = 0.05, 2.0
# Per model: the operators that are slower on a side of their own, and by how many percent.
SLOWER = {
    "transformer": {"addmm": ("aten::addmm.out", 25), "softmax": ("aten::_softmax.out", 25)},
    "unet": {"softmax": ("aten::_softmax.out", 25)},
    "convolution": {"cumsum": ("aten::cumsum.out", 25)},
}


def keep_busy(seed):
    """Never returns."""
    rng = random.Random(seed)
    while True:
        until = time.monotonic() + rng.uniform(SHORTEST, LONGEST)
        while time.monotonic() < until:
            pass
        time.sleep(rng.uniform(SHORTEST, LONGEST))


def go_first():
    if os.geteuid() == 0:
        os.nice(-10)


def sides_of(programs):
    """(program, name of the side, further arguments of the runner) of all processes of a round."""
    for program in programs:
        yield from ((program, side, []) for side in ("a", "b"))
        for side, (operator, percent) in SLOWER[program.stem].items():
            yield program, side, [operator, str(percent)]


def record(options, load, dumps):
    rng = random.Random(options.seed)
    sides = list(sides_of(sorted(options.directory.glob("*.pte"))))
    for number in range(options.rounds):
        rng.shuffle(sides)
        for program, side, slower in sides:
            dump = dumps / f"{program.stem}-{side}-{number:03}.etdp"
            command = [options.runner, program, dump, str(options.runs), *slower]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL, preexec_fn=go_first if load == "light" else None)
    (options.directory / load).mkdir(exist_ok=True)
    for program, side, _ in sides:
        files = sorted(dumps.glob(f"{program.stem}-{side}-*.etdp"))
        baseline = options.directory / load / f"{program.stem}-{side}.csv"
        subprocess.run([options.etinspect, "baseline", "save", baseline, *files], check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("etinspect", type=Path)
    parser.add_argument("runner", type=Path)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--load", nargs="+", choices=["light", "busy"], default=["light", "busy"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for load in options.load:
        n_loops = N_LOOPS if load == "busy" else 0
        loops = [multiprocessing.Process(target=keep_busy, args=(options.seed + i,), daemon=True) for i in range(n_loops)]
        for loop in loops:
            loop.start()
        with tempfile.TemporaryDirectory() as dumps:
            record(options, load, Path(dumps))
        for loop in loops:
            loop.terminate()


if __name__ == "__main__":
    main()
