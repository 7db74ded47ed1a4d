"""faults.py BUILD STEP [SEED] - each call of the system, and every STEPth allocation, of an append fails once, with
tests/faults/inject.c. The command must report the truth: after exit status 0 the dump is present, otherwise it is not."""

import errno
import os
import subprocess

import database

KINDS = ["delete", "wal"]
CALLS = {
    "pwrite": ["EIO", "ENOSPC"], "fdatasync": ["EIO"], "fsync": ["EIO"], "ftruncate": ["EIO"], "unlink": ["EIO", "EACCES"],
    "open": ["EACCES", "EMFILE"], "pread": ["EIO"], "read": ["EIO"], "fstat": ["EIO"], "stat": ["EACCES"], "access": ["EACCES"],
    "close": ["EIO"], "mmap": ["ENOMEM"], "malloc": ["ENOMEM"],
}


def inject(test, call, at, error):
    """Returns the outcome, and whether such a call existed."""
    environment = dict(os.environ, LD_PRELOAD=os.path.join(test.build, "inject.so"), INJECT_CALL=call, INJECT_AT=str(at),
                       INJECT_EFFECT="fail", INJECT_ERRNO=str(getattr(errno, error)), INJECT_REPORT="2",
                       ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
    outcome = subprocess.run(test.command("new"), env=environment, capture_output=True, text=True)
    lines = outcome.stderr.splitlines()
    was_hit = any(line.startswith("hit ") for line in lines)
    return outcome.returncode, [line for line in lines if line.startswith("etinspect: ")], was_hit


def judge(test, where, status, message):
    found = test.check(where)
    if status == 0 and found == ["first", "new"] and not message:
        return
    if status == 4 and found == ["first", "new"] and "the rows are appended, but" in message[0]:
        return
    if status in (3, 4, 5) and found == ["first"] and len(message) == 1:
        return
    test.complain(f"{where}: exit status {status}, found {found}: {message}")


def walk(test, kind, call, error, step):
    statuses = []
    at = 1
    while True:
        test.remove_files()
        for name, content in test.before.items():
            with open(os.path.join(test.folder, name), "wb") as file:
                file.write(content)
        status, message, was_hit = inject(test, call, at, error)
        if not was_hit:
            break
        judge(test, f"{call} {at} {error} ({kind})", status, message)
        statuses.append(status)
        at += step
    return statuses


def run_faults(test, step):
    counts = {}
    with open(test.program, "rb") as program:
        if b"__asan_init" in program.read():
            del CALLS["malloc"]  # a sanitizer allocates itself
    for kind in KINDS:
        test.prepare(kind)
        test.before = {name: open(os.path.join(test.folder, name), "rb").read() for name in os.listdir(test.folder)}
        for call, errors in CALLS.items():
            for error in errors:
                for status in walk(test, kind, call, error, step if call == "malloc" else 1):
                    counts[status] = counts.get(status, 0) + 1
    print("    " + ", ".join(f"{n} exit {status}" for status, n in sorted(counts.items())))


database.run(run_faults, view=["runs"])
