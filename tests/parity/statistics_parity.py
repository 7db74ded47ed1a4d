"""Compares src/stats with SciPy and NumPy on random samples, to 1e-12, and its bootstrap with the plain one.

    python tests/parity/statistics_parity.py [--build build] [--cases 4000] [--seed 1]

Needs numpy and scipy, which the peer's virtual environment has, and BUILD/statistics. What SciPy lacks is computed here as
its definition says: Holm's adjustment, and the mean of the two middle differences.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from make_series_cases import lag_correlation, mann_kendall_p, spread, theil_incomplete  # noqa: E402

TOLERANCE = 1e-12


class Statistics:
    """The program `statistics`; requests are collected, then all answered at once."""

    def __init__(self, build):
        self.program = str(Path(build) / "statistics")
        self.requests = []

    def ask(self, words, *values):
        arrays = [np.ascontiguousarray(array, dtype=float).tobytes() for array in values]
        self.requests.append(words.encode() + b"\n" + b"".join(arrays))

    def answers(self):
        found = subprocess.run([self.program], input=b"".join(self.requests), stdout=subprocess.PIPE, check=True)
        self.requests = []
        return [[float.fromhex(word) for word in line.split()] for line in found.stdout.decode().splitlines()]


def equal(found, expected):
    return found == expected or abs(found - expected) <= TOLERANCE * abs(expected)


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, found, expected):
        wrong = [(f, e) for f, e in zip(found, expected, strict=True) if not equal(float(f), float(e))]
        if not wrong:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {what}: expected {wrong[0][1]!r}, found {wrong[0][0]!r}")


# ---------------------------------------------------------------- samples


def random_size(rng):
    """Mostly small, where the test is exact, sometimes in the hundreds."""
    return int(rng.choice([rng.integers(1, 10), rng.integers(1, 40), rng.integers(40, 400)], p=[0.5, 0.3, 0.2]))


def random_side(rng, kind, n, factor):
    if kind == "even":
        return factor * rng.uniform(50, 150, n)
    if kind == "skewed":
        return factor * rng.lognormal(3, 0.5, n)
    if kind == "heavy":
        return factor * (rng.pareto(1.1, n) + 1)
    if kind == "ticks":  # a coarse clock
        return np.floor(factor * rng.uniform(3, 15, n))
    if kind == "zeros":
        return factor * np.maximum(0.0, np.floor(rng.uniform(-5, 6, n)))
    return np.full(n, np.floor(factor * 7))


KINDS = ["even", "skewed", "heavy", "ticks", "zeros", "constant"]


def random_sides(rng):
    kind = rng.choice(KINDS, p=[0.3, 0.2, 0.1, 0.25, 0.1, 0.05])
    factor = rng.choice([1.0, 1.0 + rng.uniform(0, 0.5), 3.0])
    return random_side(rng, kind, random_size(rng), 1.0), random_side(rng, kind, random_size(rng), factor)


# ---------------------------------------------------------------- what is expected


def ratio(new, base):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(new == base, 1.0, np.divide(new, base))


def expected_comparison(base, new):
    medians = np.percentile(base, 50), np.percentile(new, 50)
    ties = len(np.unique(np.concatenate([base, new]))) < len(base) + len(new)
    exact = min(len(base), len(new)) <= 8 and not ties
    shift = np.median(new[:, None] - base[None, :])
    p = stats.mannwhitneyu(base, new).pvalue
    return [*medians, medians[1] - medians[0], float(ratio(medians[1], medians[0])), shift, p, float(exact)]


def holm(p):
    order = np.argsort(p, kind="stable")
    adjusted = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    result = np.empty(len(p))
    result[order] = adjusted
    return result


def paces(usual, samples):
    told = usual > 0
    if np.sum(told) < 10:
        return np.ones(samples.shape[1])
    found = np.median(samples[told] / usual[told, None], axis=0)
    return np.where(found > 0, found, 1.0)


# ---------------------------------------------------------------- checks


def check_comparisons(program, tally, rng, n_cases):
    cases = [random_sides(rng) for _ in range(n_cases)]
    for base, new in cases:
        program.ask(f"compare {len(base)} {len(new)} 0.95 50 1", base, new)
    for i, (found, (base, new)) in enumerate(zip(program.answers(), cases, strict=True)):
        tally.check(f"comparison {i}", found[:4] + found[6:], expected_comparison(base, new))


def check_holm(program, tally, rng, n_cases):
    families = [np.round(rng.uniform(0, 1, rng.integers(1, 60)) ** 4, rng.integers(1, 17)) for _ in range(n_cases)]
    for p in families:
        program.ask(f"holm {len(p)}", p)
    for i, (found, p) in enumerate(zip(program.answers(), families, strict=True)):
        tally.check(f"family {i}", found, holm(p))


def check_series(program, tally, rng, n_cases):
    series = [random_side(rng, rng.choice(KINDS), random_size(rng), 1.0) for _ in range(n_cases)]
    for values in series:
        program.ask(f"series {len(values)}", values)
    for i, (found, values) in enumerate(zip(program.answers(), series, strict=True)):
        expected = [*spread(values), mann_kendall_p(values), theil_incomplete(values), lag_correlation(values)]
        tally.check(f"series {i}", found, expected)


def check_paces(program, tally, rng, n_cases):
    cases = []
    for _ in range(n_cases):
        samples = np.floor(rng.uniform(0, 20, (rng.integers(1, 40), rng.integers(1, 30))))
        cases.append((np.median(samples, axis=1), samples))
    for usual, samples in cases:
        program.ask(f"pace {samples.shape[0]} {samples.shape[1]}", usual, samples)
    for i, (found, case) in enumerate(zip(program.answers(), cases, strict=True)):
        tally.check(f"paces {i}", found, paces(*case))


def check_bootstrap(program, tally, rng, n_cases):
    """Ours and the plain bootstrap resample independently, so the share of plain ratios beyond our limits is 2.5 % but for the
    chance in both: with 20,000 resamples each a standard deviation of 0.16 %. Ratios that equal a limit, of which there are many
    with few samples, may lie on either side."""
    n_resamples = 20000
    cases = [random_sides(rng) for _ in range(n_cases)]
    for i, (base, new) in enumerate(cases):
        program.ask(f"compare {len(base)} {len(new)} 0.95 {n_resamples} {i}", base, new)
    for i, (found, (base, new)) in enumerate(zip(program.answers(), cases, strict=True)):
        low, high = found[4:6]
        medians = [np.median(rng.choice(side, (n_resamples, len(side))), axis=1) for side in (base, new)]
        plain = ratio(medians[1], medians[0])
        rounding = 1e-9
        shares = [
            [np.mean(plain < low * (1 - rounding)), np.mean(plain <= low * (1 + rounding))],
            [np.mean(plain > high * (1 + rounding)), np.mean(plain >= high * (1 - rounding))],
        ]
        fits = all(beyond <= 0.025 + 0.01 and reached >= 0.025 - 0.01 for beyond, reached in shares)
        tally.check(f"bootstrap {i}: shares of plain resamples beyond the limits {shares}", [fits], [True])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    program, tally = Statistics(options.build), Tally()
    rng = np.random.default_rng(options.seed)
    check_comparisons(program, tally, rng, options.cases)
    check_holm(program, tally, rng, options.cases // 4)
    check_series(program, tally, rng, options.cases // 4)
    check_paces(program, tally, rng, options.cases // 20)
    check_bootstrap(program, tally, rng, options.cases // 40)
    print(f"statistics: {tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)


if __name__ == "__main__":
    main()
