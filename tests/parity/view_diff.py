"""Compares `etinspect diff` with the real Inspector's times and SciPy's statistics.

    python tests/parity/view_diff.py --build BUILD

Everything but the ends of the bootstrap interval is computed here a second time from the Inspector's EventBlocks, with no
regard for time: which runs are warm-up, medians, the pace of runs, Mann-Whitney's p, Holm's adjustment, Hodges and
Lehmann's shift, verdicts, impact, order and geometric mean. The interval is compared with one of numpy's own resamples
and may be off by as much as chance makes two such intervals differ.
"""

import argparse
import itertools
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "testdata"
ALPHA, LEAST_EFFECT = 0.01, 0.05
FEWEST_FOR_PACE = 10

# base, new, record of both or None
PAIRS = [
    ("mlp", "mlp", "mlp"),
    ("mlp", "mlp-many-runs", "mlp"),
    ("mlp-many-runs", "mlp", None),
    ("transformer", "transformer", "transformer"),
    ("changes/base", "changes/renamed", None),
    ("changes/renamed", "changes/base", None),
]


def dump_of(case):
    if case.startswith("changes/"):
        return ROOT / "tests" / "cli" / "data" / f"{case}.etdp"
    return DATA / case / "run.etdp"


# ---------------------------------------------------------------- one side, by the Inspector


def read_side(case):
    """(raw times of Method::execute, [(name, raw times) of kernels in order]) of the first block of runs."""
    from executorch.devtools import Inspector

    inspector = Inspector(etdump_path=str(dump_of(case)))
    block = next(b for b in inspector.event_blocks if any(e.name == "Method::execute" for e in b.events))
    whole = next(e for e in block.events if e.name == "Method::execute").perf_data.raw
    kernels = [(e.name, np.array(e.perf_data.raw)) for e in block.events if e.name.startswith("native_call_")]
    skip = warm_up(np.array(whole))
    return np.array(whole)[skip:], [(name, raw[skip:]) for name, raw in kernels]


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


# ---------------------------------------------------------------- statistics


def holm(p):
    order = np.argsort(p, kind="stable")
    adjusted, most = np.empty(len(p)), 0.0
    for rank, i in enumerate(order):
        most = max(most, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = most
    return adjusted


def paces(rows):
    """The pace of each run of both sides; None where too few events tell."""
    usual = [(np.median(a) + np.median(b)) / 2 for a, b in rows]
    known = [i for i, u in enumerate(usual) if u > 0]
    if len(rows) < FEWEST_FOR_PACE or len(known) < FEWEST_FOR_PACE:
        return None
    result = []
    for side in (0, 1):
        relative = np.array([rows[i][side] / usual[i] for i in known])
        pace = np.median(relative, axis=0)
        result.append(np.where(pace > 0, pace, 1.0))
    return result


def scatter(x):
    """Relative, of one side."""
    median = np.median(x)
    return np.median(np.abs(x - median)) / median if median > 0 else 0.0


def paced(a, b, pace):
    """The samples as they are compared, and whether they were divided by the pace."""
    if pace is None:
        return a, b, False
    best, least = 1.0, 0.9 * (scatter(a / pace[0]) + scatter(b / pace[1]))
    for power in (0.0, 0.5, 1.5):
        relative = scatter(a / pace[0] ** power) + scatter(b / pace[1] ** power)
        if relative < least:
            best, least = power, relative
    return a / pace[0] ** best, b / pace[1] ** best, best > 0


def is_exact(a, b):
    """What SciPy does with method="auto"."""
    return min(len(a), len(b)) <= 8 and len(np.unique(np.concatenate([a, b]))) == len(a) + len(b)


def approximate_p(n_base, n_new, ties=0.0):
    """The normal approximation for sides that do not overlap."""
    n = n_base + n_new
    deviation = math.sqrt(n_base * n_new / 12 * (n + 1 - ties / (n * (n - 1))))
    return min(1.0, 2 * stats.norm.sf((n_base * n_new / 2 - 0.5) / deviation)) if deviation > 0 else 1.0


def least_p(a, b):
    if is_exact(a, b):
        return stats.mannwhitneyu(np.arange(len(a)), np.arange(len(b)) + len(a)).pvalue
    _, counts = np.unique(np.concatenate([a, b]), return_counts=True)
    return approximate_p(len(a), len(b), float(np.sum(counts.astype(float) ** 3 - counts)))


def needed(a, b, family):
    for n in itertools.count(1):
        without_ties = np.arange(n)
        least = least_p(without_ties, without_ties + n) if is_exact(a, b) else approximate_p(n, n)
        if least * family < ALPHA:
            return n


def verdict(a, b, ratio, low, high, p, family):
    if p >= ALPHA:
        return "~" if least_p(a, b) * family < ALPHA else f"few (needs {needed(a, b, family)})"
    if low > 1 and ratio >= 1 + LEAST_EFFECT:
        return "slower"
    if high < 1 and ratio <= 1 / (1 + LEAST_EFFECT):
        return "faster"
    return "~"


def resampled_interval(a, b, seed=7, n=4000):
    random = np.random.default_rng(seed)
    medians = [np.median(x[random.integers(0, len(x), (n, len(x)))], axis=1) for x in (a, b)]
    ratios = np.sort(medians[1] / medians[0])
    return ratios[int(n * 0.025)], ratios[int(n * 0.975) - 1]


# ---------------------------------------------------------------- comparing


class Result:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, found, expected, near=1e-12):
        same = found == expected
        if isinstance(expected, (float, np.floating)) and isinstance(found, (int, float)):
            same = math.isclose(found, expected, rel_tol=near, abs_tol=1e-300)
        if same:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: found {found}, expected {expected}")


def expected_rows(base, new):
    """One per kernel, in order: both sides ran the same kernels."""
    (whole, base_kernels), (_, new_kernels) = base, new
    samples = [(a, b) for (_, a), (_, b) in zip(base_kernels, new_kernels, strict=True)]
    pace = paces(samples)
    rows = []
    for (name, a), (_, b) in zip(base_kernels, new_kernels, strict=True):
        x, y, is_paced = paced(a, b, pace)
        base_p50, new_p50 = float(np.median(a)), float(np.median(b))
        rows.append(
            {
                "event_name": name,
                "base": base_p50,
                "new": new_p50,
                "delta": new_p50 - base_p50,
                "ratio": float(np.median(y) / np.median(x)),
                "p_unadjusted": float(stats.mannwhitneyu(y, x).pvalue),
                "shift": float(np.median(np.subtract.outer(y, x))),
                "n_base": len(a),
                "n_new": len(b),
                "impact": (new_p50 - base_p50) / float(np.median(whole)),
                "paced": "yes" if is_paced else "no",
                "samples": (x, y),
            }
        )
    for row, p in zip(rows, holm([row["p_unadjusted"] for row in rows]), strict=True):
        row["p"] = float(p)
    return sorted(rows, key=lambda row: -abs(row["delta"]))  # stable, as they ran


def check_interval(result, what, row, found):
    low, high = resampled_interval(*row["samples"])
    margin = 0.25 * (high - low) + 0.02 * row["ratio"]
    ok = abs(found["low"] - low) <= margin and abs(found["high"] - high) <= margin
    result.check(f"{what} interval {found['low']}..{found['high']} of {low}..{high}", ok, True)


def check_events(result, what, rows, table):
    result.check(f"{what}: events", [r["event_name"] for r in table], [r["event_name"] for r in rows])
    for expected, found in zip(rows, table, strict=False):
        name = f"{what}: {expected['event_name']}"
        for column in ("base", "new", "delta", "ratio", "p_unadjusted", "p", "n_base", "n_new", "impact", "paced"):
            result.check(f"{name} {column}", found[column], expected[column], 1e-11)
        scale = max(expected["base"], expected["new"])
        result.check(f"{name} shift", abs(found["shift"] - expected["shift"]) <= 1e-12 * scale, True)
        check_interval(result, name, expected, found)
        x, y = expected["samples"]
        said = verdict(x, y, expected["ratio"], found["low"], found["high"], expected["p"], len(rows))
        result.check(f"{name} verdict", found["verdict"], said)


def check_total(result, what, base, new, rows, table):
    found = next(row for row in table if row["total"] == "Method::execute")
    a, b = base[0], new[0]
    result.check(f"{what}: execute base", found["base"], float(np.median(a)))
    result.check(f"{what}: execute new", found["new"], float(np.median(b)))
    result.check(f"{what}: execute p", found["p_unadjusted"], float(stats.mannwhitneyu(b, a).pvalue), 1e-11)
    mean = table[-1]
    result.check(f"{what}: geometric mean", mean["ratio"], float(stats.gmean([r["ratio"] for r in rows])), 1e-11)


def check_pair(result, program, base_case, new_case, record):
    what = f"{base_case} {new_case}"
    command = [program, "diff", dump_of(base_case), dump_of(new_case), "--format", "json", "--no_include_units"]
    if record:
        command.append(DATA / record / "record.etrecord")
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    base, new = read_side(base_case), read_side(new_case)
    rows = expected_rows(base, new)
    kernels = [row for row in report["tables"]["events"] if row["kind"] == "kernel"]
    check_events(result, what, rows, kernels)
    check_total(result, what, base, new, rows, report["tables"]["total"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    program = Path(parser.parse_args().build).resolve() / "etinspect"
    result = Result()
    for pair in PAIRS:
        check_pair(result, program, *pair)
    print(f"view_diff: {result.passed} passed, {result.failed} failed, 0 skipped")
    sys.exit(1 if result.failed else 0)


main()
