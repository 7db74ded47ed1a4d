"""killed.py BUILD KILLS [SEED] - commands that append are killed at random moments. The database is sound and holds whole
dumps only: all of those whose commands had ended, and perhaps that of the last."""

import os
import signal
import time

import database

KINDS = ["delete", "wal", "missing", "index", "persist"]
N_OF_FILE = 20  # kills before a new file is begun


def measure(test):
    """How long one command takes."""
    started = time.monotonic()
    for label in range(5):
        test.append(label).check_returncode()
    return (time.monotonic() - started) / 5


def kill_one(test, number, kind, seconds, known):
    """Returns the labels that are there then, and whether the command was killed."""
    where = f"kill {number} ({kind})"
    if kind == "missing":
        test.remove_files()
        known = []
    command = test.start(number)
    time.sleep(test.random.random() * seconds)
    command.send_signal(signal.SIGKILL)
    command.communicate()
    may_be = [known + [str(number)]] if command.returncode == 0 else [known, known + [str(number)]]
    found = test.check(where) if os.path.exists(test.path) else []
    if found not in may_be:
        test.complain(f"{where}: found {found}, expected {may_be}")
    return found, command.returncode != 0


def run_kills(test, n_kills):
    seconds = 1.1 * measure(test)
    n_killed = n_there = 0
    number = 0
    while n_killed < n_kills:
        kind = KINDS[number // N_OF_FILE % len(KINDS)]
        if number % N_OF_FILE == 0:
            test.prepare(kind)
            known = test.check("before") if kind != "missing" else []
        before = len(known) if kind != "missing" else 0
        known, was_killed = kill_one(test, number, kind, seconds, known)
        n_killed += was_killed
        n_there += was_killed and len(known) > before
        number += 1
    print(f"    {number} commands, {n_killed} killed: {n_there} of these were done with appending")


database.run(run_kills)
