"""crashes.py BUILD DISKS - the system fails at each moment of an append: tests/faults/crash.c makes the disks. At most
DISKS are examined for each kind of file, with a report of few tables; with 0 all of them, with a report of all tables. On
each disk the database is intact and holds the old dump and possibly the new one, which must be present once the command has
ended."""

import os
import shutil
import subprocess
import sys

import database

KINDS = ["delete", "wal", "persist", "missing"]


def record(test, log):
    environment = dict(os.environ, LD_PRELOAD=os.path.join(test.build, "record.so"), RECORD_FOLDER=test.folder, RECORD_LOG=log,
                       ASAN_OPTIONS="verify_asan_link_order=0")  # for a build with sanitizers
    subprocess.run(test.command("new"), env=environment, check=True)


def make_disks(test, scratch, *options):
    """Makes all states that the system may leave, in folders."""
    shutil.rmtree(scratch + "/disks", ignore_errors=True)
    os.mkdir(scratch + "/disks")
    subprocess.run([test.build + "/crash", *options, "-d", scratch + "/disks", scratch + "/log"], check=True,
                   stdout=subprocess.DEVNULL)
    return scratch + "/disks"


def check_disks(test, kind, disks, n_most):
    names = sorted(os.listdir(disks))
    n_new = 0
    chosen = names
    if n_most and len(names) > n_most:
        chosen = sorted(test.random.sample(names, n_most) + [name for name in names if name.endswith("-done")])
    for name in chosen:
        path = os.path.join(disks, name, "runs.db")
        found = test.check(f"disk {name} ({kind})", path) if os.path.exists(path) else []
        old = [] if kind == "missing" else ["first"]
        may_be = [old + ["new"]] if name.endswith("-done") else [old, old + ["new"]]
        n_new += "new" in found
        if found not in may_be:
            test.complain(f"disk {name} ({kind}): found {found}")
    print(f"    {kind}: {len(chosen)} of {len(names)} disks, {n_new} with the new dump")


def check_without_syncs(test, kind, disks):
    """A program that does not sync must be detected: this tests the test itself."""
    complain, wrong = test.complain, []
    test.complain = wrong.append
    for name in os.listdir(disks):
        path = os.path.join(disks, name, "runs.db")
        if not wrong and (not os.path.exists(path) or test.check(name, path)[:1] != ["first"]):
            wrong.append(name)
    test.complain = complain
    if not wrong:
        test.complain(f"without syncs ({kind}): nothing is wrong")


def run_crashes(test, n_most):
    scratch = test.folder + "-disks"
    for kind in KINDS:
        os.mkdir(scratch)
        try:
            test.prepare(kind)
            record(test, scratch + "/log")
            check_disks(test, kind, make_disks(test, scratch), n_most)
            if kind == "delete":
                check_without_syncs(test, kind, make_disks(test, scratch, "-w", "all"))
        finally:
            shutil.rmtree(scratch)


database.run(run_crashes, view=["runs"] if sys.argv[2] != "0" else [])
