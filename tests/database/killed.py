"""killed.py BUILD KILLS [SEED] - commands that append are killed at random moments. The database is intact and holds only
complete dumps: those of all commands that had ended, and possibly that of the last."""

import os
import signal
import time

import database

KINDS = ["delete", "wal", "missing", "index", "persist"]
N_OF_FILE = 20  # kills before a new file is started


def measure(test):
    """Returns how long one command takes."""
    started = time.monotonic()
    for label in range(5):
        test.append(label).check_returncode()
    return (time.monotonic() - started) / 5


def kill_one(test, number, kind, seconds, known):
    """Returns the labels that are present afterwards, whether the command was killed, and whether it left a journal."""
    where = f"kill {number} ({kind})"
    if kind == "missing":
        test.remove_files()
        known = []
    command = test.start(number)
    time.sleep(test.random.random() * seconds)
    command.send_signal(signal.SIGKILL)
    command.communicate()
    may_be = [known + [str(number)]] if command.returncode == 0 else [known, known + [str(number)]]
    left_journal = any(name.endswith(("-journal", "-wal")) for name in os.listdir(test.folder))
    found = test.check(where) if os.path.exists(test.path) else []
    if found not in may_be:
        test.complain(f"{where}: found {found}, expected {may_be}")
    return found, command.returncode != 0, command.returncode != 0 and left_journal


def run_kills(test, n_kills):
    seconds = 1.1 * measure(test)
    n_killed = n_there = n_journals = 0
    number = 0
    while n_killed < n_kills:
        kind = KINDS[number // N_OF_FILE % len(KINDS)]
        if number % N_OF_FILE == 0:
            test.prepare(kind)
            known = test.check("before") if kind != "missing" else []
        before = len(known) if kind != "missing" else 0
        known, was_killed, left_journal = kill_one(test, number, kind, seconds, known)
        n_killed += was_killed
        n_journals += left_journal
        n_there += was_killed and len(known) > before
        number += 1
    print(f"    {number} commands, {n_killed} killed: {n_journals} of these left a journal, "
          f"{n_there} were done with appending")


database.run(run_kills, in_memory=False)  # syncing leaves time for a kill
