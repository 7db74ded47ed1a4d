"""Records ETDumps of many processes of each model, one dump per process, on a quiet or a busy machine.

    python3 bench/gate/record.py RUNNER DIRECTORY [--processes 110] [--runs 60] [--load light busy] [--seed 1]

Reads DIRECTORY/MODEL.pte and writes DIRECTORY/LOAD/MODEL-NUMBER.etdp, the models in turns. "light" starts nothing else;
"busy" runs two loops that switch on and off at random, after 0.05 to 2 s. As root, processes of "light" take precedence
over those of others.
"""

import argparse
import multiprocessing
import os
import random
import subprocess
import time
from pathlib import Path

N_LOOPS = 2
SHORTEST, LONGEST = 0.05, 2.0


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


def record(options, load):
    directory = options.directory / load
    directory.mkdir(exist_ok=True)
    for process in range(options.processes):
        for program in sorted(options.directory.glob("*.pte")):
            dump = directory / f"{program.stem}-{process:03}.etdp"
            command = [options.runner, program, dump, str(options.runs)]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL, preexec_fn=go_first if load == "light" else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner", type=Path)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--processes", type=int, default=110)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--load", nargs="+", choices=["light", "busy"], default=["light", "busy"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for load in options.load:
        n_loops = N_LOOPS if load == "busy" else 0
        loops = [multiprocessing.Process(target=keep_busy, args=(options.seed + i,), daemon=True) for i in range(n_loops)]
        for loop in loops:
            loop.start()
        record(options, load)
        for loop in loops:
            loop.terminate()


if __name__ == "__main__":
    main()
