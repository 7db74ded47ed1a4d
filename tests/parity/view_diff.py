"""Compares `etinspect diff` with the real Inspector's times and a second implementation of its method.

    python tests/parity/view_diff.py --build BUILD [--cases 40] [--seed 1]

Random ETDumps of both sides are read by the Inspector; medians, changes, verdicts and the answer are computed from its
EventBlocks by the rules of verdict_rules.py. Pairs of real dumps have one file per side: nothing is judged, and the changes must
be right.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from executorch.devtools import Inspector
from executorch.devtools.etdump import schema_flatcc as schema
from scipy import stats

from random_dump import Dump
from verdict_rules import Limits, find_family, judge_events, judge_total, logs, middle, shift

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "testdata"
LIMITS = Limits()
FEWEST = 5
MS = 1e6  # ticks
NEAR = 1e-9

PAIRS = [
    ("mlp", "mlp-many-runs"),
    ("mlp-many-runs", "mlp"),
    ("transformer", "transformer"),
    ("changes/base", "changes/renamed"),
    ("changes/renamed", "changes/base"),
]


def dump_of(case):
    if case.startswith("changes/"):
        return ROOT / "tests" / "cli" / "data" / f"{case}.etdp"
    return DATA / case / "run.etdp"


# ---------------------------------------------------------------- dumps


def profile_event(name, instruction_id, start, end):
    return schema.Event(schema.ProfileEvent(name, 0 if instruction_id >= 0 else -1, instruction_id, -1, None, None, start, end), None, None)


def make_run(durations, overhead, start):
    """Method::execute around consecutive kernels."""
    events, at = [], start + 7
    for i, duration in enumerate(durations):
        events.append(profile_event(f"native_call_op{i}.out", i, at, at + duration))
        at += duration
    return schema.RunData("Execute", -1, None, [profile_event("Method::execute", -1, start, at + overhead), *events])


class Model:
    """The common properties of processes of one program, and their differences."""

    def __init__(self, rng):
        self.n = rng.choice([3, 5, 6, 12, 30])
        self.usual = [rng.lognormvariate(11, 1.2) for _ in range(self.n)]
        self.usual[0] *= rng.choice([1, 0.001])  # may be too small
        self.step = rng.choice([1, 1, 1000])
        self.scatter, self.level = rng.choice([0.002, 0.01, 0.1]), rng.choice([0.0, 0.02, 0.3])
        self.factor = rng.choice([1, 1, 1.3, 0.7])  # of the new side
        self.slow = {rng.randrange(self.n): rng.choice([1.1, 1.5, 0.6])} if rng.random() < 0.6 else {}

    def dump(self, rng, is_new):
        level = math.exp(rng.gauss(0, self.level)) * (self.factor if is_new else 1)
        own = [u * level * math.exp(rng.gauss(0, self.scatter)) * (self.slow.get(e, 1) if is_new else 1) for e, u in enumerate(self.usual)]
        runs, start = [], rng.randrange(10**9)
        for _ in range(rng.choice([1, 3, 25])):
            durations = [max(self.step, int(x * math.exp(abs(rng.gauss(0, 0.02)))) // self.step * self.step) for x in own]
            runs.append(make_run(durations, int(0.05 * sum(durations)), start))
            start += 3 * sum(durations)
        return Dump(runs).to_bytes()


# ---------------------------------------------------------------- one file, by the Inspector


def warm_up(values):
    n = len(values)
    if n < 4:
        return 0
    later = values[n // 2 :]
    median = np.median(later)
    mad = np.median(np.abs(later - median))
    limit = median + max(3.5 * mad / stats.norm.ppf(0.75), 0.05 * abs(median))
    scores = np.cumsum(np.where(values[: n // 2] > limit, 1, -1))
    return 0 if scores.max() <= 0 else int(np.argmax(scores)) + 1


def read_file(path):
    """Returns (ticks of Method::execute, [(name, ticks) of kernels in order]) of the first block of runs, without
    warm-up."""
    inspector = Inspector(etdump_path=str(path))
    block = next(b for b in inspector.event_blocks if any(e.name == "Method::execute" for e in b.events))
    ticks = [(e.name, np.rint(np.array(e.perf_data.raw) * MS)) for e in block.events]
    whole = next(raw for name, raw in ticks if name == "Method::execute")
    skip = warm_up(whole)
    return whole[skip:], [(name, raw[skip:]) for name, raw in ticks if name.startswith("native_call_")]


class Side:
    def __init__(self, files):
        self.total = np.array([np.median(whole) for whole, _ in files])
        self.names = [name for name, _ in files[0][1]]
        self.times = np.array([[np.median(raw) for _, raw in kernels] for _, kernels in files]).T
        self.step = float(np.gcd.reduce(np.concatenate([raw for _, kernels in files for _, raw in kernels]).astype(np.int64)))


# ---------------------------------------------------------------- the method


class Expected:
    """Computes all results of a comparison of two sides."""

    def __init__(self, base, new):
        self.base, self.new = base, new
        step = math.gcd(int(base.step), int(new.step))
        self.steps = np.full(len(base.names), float(step) if step > 1 else 0.0)
        self.family = np.flatnonzero(find_family(base.times, new.times, base.total, new.total))
        self.n = min(len(base.total), len(new.total))
        self.is_judged = self.n >= FEWEST
        self.rows = [self.describe(base.times[e], new.times[e], self.steps[e]) | {"event_name": new.names[e]} for e in range(len(base.names))]
        self.total = self.describe(base.total, new.total, 0.0)
        self.verdicts = []
        if self.n >= 2:
            self.judge_total()
            self.judge_events()

    @staticmethod
    def describe(base, new, step):
        """The change of a row that is not judged."""
        x, y = logs(base + step / 2), logs(new + step / 2)
        change = shift(x, y, LIMITS.beta)[0]
        usual = middle(x, y, change) / MS
        return {"change": math.expm1(change), "base": usual, "new": usual * math.exp(change)}

    def judge_total(self):
        total = judge_total(self.base.total, self.new.total, LIMITS.alpha / 2, LIMITS)
        verdict = "slower" if total.verdict == "failed" else "faster" if total.is_faster else "~"
        if self.is_judged:
            self.total |= {"low": math.expm1(total.low), "high": math.expm1(total.high), "verdict": verdict}
        self.verdicts.append(total.verdict)

    def judge_events(self):
        chosen = self.family
        if len(chosen) == 0:
            return
        kinds = [self.new.names[e] for e in chosen]
        events = judge_events(self.base.times[chosen], self.new.times[chosen], self.steps[chosen], kinds, LIMITS.alpha / 2, LIMITS, False)
        self.verdicts.append(events.verdict)
        for i, e in enumerate(chosen):
            verdict = "slower" if events.slower[i] else "faster" if events.faster[i] else "undecided" if events.is_two else "~"
            self.rows[e] |= {"change": math.expm1(events.change[i])}
            self.rows[e] |= {"base": events.base[i] / MS, "new": events.base[i] / MS * math.exp(events.change[i])}
            if self.is_judged:
                self.rows[e] |= {"low": math.expm1(events.low[i]), "high": math.expm1(events.high[i]), "verdict": verdict}

    def outcome(self):
        if not self.is_judged or "undecided" in self.verdicts and "failed" not in self.verdicts:
            return "cannot tell"
        return "slower" if "failed" in self.verdicts else "not slower"


# ---------------------------------------------------------------- comparing


class Result:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, found, expected, near=NEAR):
        same = found == expected
        if isinstance(expected, float) and isinstance(found, (int, float)):
            same = math.isclose(found, expected, rel_tol=near, abs_tol=1e-10)
        self.passed += same
        self.failed += not same
        if not same:
            print(f"FAILED {what}: found {found}, expected {expected}")


def near_limit(row):
    """Rounding may change the verdict."""
    limits = [math.expm1(LIMITS.limit), math.expm1(LIMITS.top), math.expm1(-LIMITS.limit)]
    return any(math.isclose(row.get(name, -1), limit, rel_tol=1e-7) for name in ("low", "high", "change") for limit in limits)


def check_row(result, what, found, expected):
    for column, value in expected.items():
        if not (column == "verdict" and near_limit(expected)):
            result.check(f"{what} {column}", found[column], float(value) if isinstance(value, np.floating) else value)


def check_report(result, what, report, expected):
    tables = report["tables"]
    kernels = {row["event_name"]: row for row in tables["events"] if row["kind"] == "kernel"}
    names = [row["event_name"] for row in expected.rows]
    if len(set(names)) == len(names):  # a model may run an operator often
        result.check(f"{what} events", sorted(kernels), sorted(names))
        for row in expected.rows:
            check_row(result, f"{what} {row['event_name']}", kernels[row["event_name"]], row)
    else:
        found = sorted((row["base"], row["new"], row["change"]) for row in tables["events"] if row["kind"] == "kernel")
        for a, b in zip(found, sorted((row["base"], row["new"], row["change"]) for row in expected.rows), strict=True):
            for x, y in zip(a, b, strict=True):
                result.check(f"{what} rows", x, y)
    total = next(row for row in tables["total"] if row["total"] == "Method::execute")
    check_row(result, f"{what} total", total, expected.total)
    summary = tables["summary"][0]
    result.check(f"{what} outcome", summary["outcome"], expected.outcome())
    n_judged = len(expected.family) if expected.is_judged else 0
    result.check(f"{what} judged", summary["n_judged"], n_judged)
    check_order(result, what, tables["events"])


def check_order(result, what, events):
    """Slower or faster rows come first, sorted by the largest difference of times."""
    judged = [row["verdict"] in ("slower", "faster") for row in events]
    result.check(f"{what} order", judged, sorted(judged, reverse=True))
    sizes = [row["base"] * abs(row["change"]) for row, is_first in zip(events, judged, strict=True) if is_first]
    result.check(f"{what} order of sizes", sizes, sorted(sizes, reverse=True))


def compare(program, base, new):
    command = [program, "diff", "--format", "json"]
    command += [word for path in base for word in ("--base", path)] + [word for path in new for word in ("--new", path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check_files(result, what, program, base, new):
    expected = Expected(Side([read_file(path) for path in base]), Side([read_file(path) for path in new]))
    check_report(result, what, compare(program, base, new), expected)
    return expected.outcome()


def check_random(result, program, number, seed, directory):
    rng = random.Random(f"{seed} {number}")
    model = Model(rng)
    n_base, n_new = rng.choice([(5, 5), (5, 5), (8, 8), (5, 9), (3, 3)])
    paths = [[directory / f"{number}-{side}{i}.etdp" for i in range(n)] for side, n in (("base", n_base), ("new", n_new))]
    for side in (0, 1):
        for path in paths[side]:
            path.write_bytes(model.dump(rng, side == 1))
    return check_files(result, f"case {number}", program, *paths)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = Path(arguments.build).resolve() / "etinspect"
    result = Result()
    for base, new in PAIRS:
        check_files(result, f"{base} {new}", program, [dump_of(base)], [dump_of(new)])
    outcomes = {}
    with tempfile.TemporaryDirectory() as directory:
        for number in range(arguments.cases):
            outcome = check_random(result, program, number, arguments.seed, Path(directory))
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    result.check("every outcome was met", len(outcomes), 3)
    print(f"view_diff: {result.passed} passed, {result.failed} failed, 0 skipped")
    sys.exit(1 if result.failed else 0)


if __name__ == "__main__":
    main()
