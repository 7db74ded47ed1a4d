"""Counts passed, failed and skipped checks; the last line of a script prints the counts, and run.sh adds up these lines."""

import pathlib
import subprocess
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Checks:
    def __init__(self, suite):
        self.suite, self.passed, self.failed, self.skipped = suite, 0, 0, 0

    def run(self, name, check, *args, **keywords):
        """Calls a check, which fails by raising. Returns its result; None if it failed."""
        try:
            result = check(*args, **keywords)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.failed += 1
            print(f"FAILED {self.suite}: {name}: {place.name}:{place.lineno}: {type(error).__name__}: {str(error)[:2000]}", flush=True)
            return None
        self.passed += 1
        return result

    def skip(self, name, why):
        self.skipped += 1
        print(f"skipped: {self.suite}: {name}: {why}")

    def finish(self):
        """Returns the exit status."""
        print(f"{self.suite}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)
        return 1 if self.failed else 0


def expect(found, wanted, what):
    """Raises unless both are equal; for two counters or dicts the message lists only the differences."""
    if found == wanted:
        return
    if isinstance(found, dict) and isinstance(wanted, dict):
        keys = [key for key in {**found, **wanted} if found.get(key) != wanted.get(key)]
        text = ", ".join(f"{key}: {found.get(key)}, not {wanted.get(key)}" for key in keys[:5])
        raise AssertionError(f"{what}: {len(keys)} differ: {text}")
    raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def etinspect(build, *words):
    """Returns the output of the program."""
    return subprocess.run([f"{build}/etinspect", *map(str, words)], check=True, capture_output=True, text=True).stdout
