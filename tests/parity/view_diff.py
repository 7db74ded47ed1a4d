"""Compares `etinspect diff` with the real Inspector's times and a second implementation of its method.

    python tests/parity/view_diff.py --build BUILD [--cases 40] [--seed 1]

Random ETDumps of both sides are read by the Inspector; locations, levels, changes, verdicts, the answer and its facts are
computed here from its EventBlocks, with the functions of statistics_parity.py, which follow the papers. Pairs of real dumps
have one file per side: nothing is judged, and the ratios must be right.
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
from statistics_parity import changes_of, holm, levels_of, location

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "testdata"
ALPHA, LEAST_EFFECT, MIN_SHARE, MOST_DETECTABLE, CONFIDENCE = 0.01, 0.05, 0.01, 0.25, 0.95
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
        self.total = np.array([location(whole) for whole, _ in files])
        self.names = [name for name, _ in files[0][1]]
        self.times = np.array([[location(raw) for _, raw in kernels] for _, kernels in files]).T
        typical = [sum(len(kernels[e][1]) * np.median(kernels[e][1]) for _, kernels in files) for e in range(len(self.names))]
        framework = [whole - sum(raw for _, raw in kernels) for whole, kernels in files]
        self.shares = np.array(typical) / (sum(typical) + sum(len(own) * np.median(own) for own in framework))
        self.step = float(np.gcd.reduce(np.concatenate([raw for _, kernels in files for _, raw in kernels]).astype(np.int64)))


# ---------------------------------------------------------------- the method


def gmean(values):
    return math.exp(np.mean(np.log(values)))


def p_of_rest(row, rest, n_base, difference):
    """A few events must also have changed relative to the rest of the total."""
    if not np.all(rest > 0):
        return 1.0
    found = changes_of(np.zeros(1), (row / rest)[None, :], n_base, False, 1.0, 0.0, CONFIDENCE, 1e9)
    d, _, _, p = found[2 + len(row) :][:4]
    return p if d * difference > 0 and abs(d) >= math.log1p(LEAST_EFFECT) else 1.0


class Expected:
    """Computes all results of a comparison of two sides."""

    def __init__(self, base, new):
        self.base, self.new, self.n_base = base, new, len(base.total)
        self.values = np.hstack([base.times, new.times])
        self.totals = np.concatenate([base.total, new.total])
        step = math.gcd(int(base.step), int(new.step))
        self.step = float(step) if step > 1 else 0.0
        shares = np.maximum(base.shares, new.shares)
        self.family = [e for e in range(len(self.values)) if np.all(self.values[e] > 0) and shares[e] >= MIN_SHARE]
        self.is_judged = min(self.n_base, len(new.total)) >= FEWEST
        self.rows = [self.describe(e) for e in range(len(self.values))]
        self.total = {"base": gmean(base.total) / MS, "new": gmean(new.total) / MS}
        self.total["change"] = self.total["new"] / self.total["base"] - 1
        self.level = self.find_level()
        for row in self.rows:
            row["ratio"] = (row["change"] + 1) / self.level
        if self.is_judged:
            self.judge_events()
            self.judge_total()

    def describe(self, e):
        base, new = gmean(self.base.times[e]) / MS, gmean(self.new.times[e]) / MS
        row = {"event_name": self.new.names[e], "base": base, "new": new, "change": new / base - 1}
        row["verdict"] = "untested" if e not in self.family else "undecided"
        return row

    def family_logs(self):
        return np.log(self.values[self.family] + self.step / 2)

    def find_level(self):
        steps, values = np.full(len(self.family), self.step), self.values[self.family]
        levels, _ = levels_of(self.family_logs(), steps, values, self.n_base)
        return math.exp(np.mean(levels[self.n_base :]) - np.mean(levels[: self.n_base]))

    def judge_events(self):
        n_files, m = len(self.totals), len(self.family)
        if m == 0:
            return
        steps = np.full(m, self.step)
        found = changes_of(steps, self.values[self.family], self.n_base, True, ALPHA / 2, LEAST_EFFECT, CONFIDENCE, 1e9)
        changes = np.array(found[2 + n_files :]).reshape(-1, 9)
        p = np.array([2 * stats.t.sf(abs(c[0]) / c[1], c[2]) for c in changes])
        if m < 5:
            rests = [self.totals - self.values[e] for e in self.family]
            p = np.array([max(p[i], p_of_rest(self.values[e], rests[i], self.n_base, changes[i][0])) for i, e in enumerate(self.family)])
        for e, change, raw, adjusted in zip(self.family, changes, p, holm(p), strict=True):
            self.rows[e].update(self.judged(change, raw, adjusted, self.step / np.median(self.values[e])))

    def judge_total(self):
        found = changes_of(np.zeros(1), self.totals[None, :], self.n_base, False, ALPHA / 2, LEAST_EFFECT, CONFIDENCE, 1e9)
        change = found[2 + len(self.totals) :]
        p = 2 * stats.t.sf(abs(change[0]) / change[1], change[2])
        self.total.update(self.judged(change, p, p, 0.0))

    def judged(self, change, p, adjusted, step):
        d, counts = change[0], adjusted < ALPHA / 2 and abs(change[0]) >= math.log1p(LEAST_EFFECT) and abs(change[0]) > math.log1p(step)
        return {
            "ratio": math.exp(d), "low": change[4], "high": change[5], "p_unadjusted": p, "p": adjusted, "detectable": change[6],
            "verdict": "~" if not counts else "slower" if d > 0 else "faster",
        }  # fmt: skip

    def outcome(self):
        if not self.is_judged:
            return "cannot tell"
        if "slower" in [self.total["verdict"], *(row["verdict"] for row in self.rows)]:
            return "slower"
        found = sorted(self.rows[e]["detectable"] for e in self.family)
        of_event = found[len(found) // 2] if found else 0
        return "not slower" if max(self.total["detectable"], of_event) <= MOST_DETECTABLE else "cannot tell"


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
    limits = ("p", ALPHA / 2), ("ratio", 1 + LEAST_EFFECT), ("ratio", 1 / (1 + LEAST_EFFECT))
    return any(math.isclose(row.get(name, -1), limit, rel_tol=1e-7) for name, limit in limits)


def check_row(result, what, found, expected):
    for column, value in expected.items():
        if not (column == "verdict" and near_limit(expected)):
            result.check(f"{what} {column}", found[column], float(value) if isinstance(value, np.floating) else value)
    if "p" not in expected:
        result.check(f"{what} p", found["p"], None)


def check_report(result, what, report, expected):
    tables = report["tables"]
    kernels = {row["event_name"]: row for row in tables["events"] if row["kind"] == "kernel"}
    names = [row["event_name"] for row in expected.rows]
    if len(set(names)) == len(names):  # a model may run an operator often
        result.check(f"{what} events", sorted(kernels), sorted(names))
        for row in expected.rows:
            check_row(result, f"{what} {row['event_name']}", kernels[row["event_name"]], row)
    else:
        found = sorted((row["base"], row["new"], row["ratio"]) for row in tables["events"] if row["kind"] == "kernel")
        for a, b in zip(found, sorted((row["base"], row["new"], row["ratio"]) for row in expected.rows), strict=True):
            for x, y in zip(a, b, strict=True):
                result.check(f"{what} rows", x, y)
    total = next(row for row in tables["total"] if row["total"] == "Method::execute")
    check_row(result, f"{what} total", total, expected.total)
    summary = tables["summary"][0]
    result.check(f"{what} outcome", summary["outcome"], expected.outcome())
    if len(expected.family) >= 5:
        result.check(f"{what} level", summary["level"], expected.level)
    n_judged = len(expected.family) if expected.is_judged else 0
    result.check(f"{what} judged", summary["n_judged"], n_judged)
    check_order(result, what, tables["events"])


def check_order(result, what, events):
    """Slower or faster rows come first, sorted by the largest change relative to the level."""
    judged = [row["verdict"] in ("slower", "faster") for row in events]
    result.check(f"{what} order", judged, sorted(judged, reverse=True))
    sizes = [row["base"] * abs(row["ratio"] - 1) for row, is_first in zip(events, judged, strict=True) if is_first]
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
