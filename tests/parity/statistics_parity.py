"""Compares src/stats with SciPy and NumPy on random numbers, and its methods with those of verdict_rules.py.

    python tests/parity/statistics_parity.py [--build build] [--cases 4000] [--seed 1]

Needs numpy and scipy, which the peer's virtual environment has, and BUILD/statistics. Functions that SciPy lacks are
computed directly from their definitions, without regard for speed.
"""

import argparse
import itertools
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy import special, stats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from make_series_cases import lag_correlation, mann_kendall_p, spread, theil_incomplete  # noqa: E402
from verdict_rules import best_cut, chance_of_u, fast, holm, levels_of, logs, moderate, moderated, p_of_ranks, prior_of, shift  # noqa: E402


class Statistics:
    """The program `statistics`; requests are collected, then answered all at once."""

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


def equal(found, expected, tolerance):
    return found == expected or abs(found - expected) <= tolerance * max(abs(expected), 1e-3)


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, found, expected, tolerance=1e-12):
        expected = [float(e) for e in expected]
        wrong = [(f, e) for f, e in zip(found, expected) if not equal(f, e, tolerance)]
        if len(found) == len(expected) and not wrong:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {what}: " + (f"expected {wrong[0][1]!r}, found {wrong[0][0]!r}" if wrong else "other numbers of answers"))


def check_all(program, tally, what, cases, ask, expected, tolerance=1e-12):
    for case in cases:
        ask(program, *case)
    for i, (found, case) in enumerate(zip(program.answers(), cases, strict=True)):
        tally.check(f"{what} {i} {case if len(str(case)) < 200 else ''}", found, expected(*case), tolerance)


# ---------------------------------------------------------------- functions


def random_dof(rng):
    return float(rng.choice([rng.integers(1, 40), rng.uniform(0.8, 60), 10 ** rng.uniform(0, 7)]))


def check_student(program, tally, rng, n_cases):
    """Compares relative to the result, however small it is."""
    pairs = [(float(10 ** rng.uniform(-4, 1.8)), random_dof(rng)) for _ in range(n_cases)]
    program.ask(f"student {n_cases}", pairs)
    (found,) = program.answers()
    for p, (t, dof) in zip(found, pairs, strict=True):
        expected = 2 * stats.t.sf(t, dof)
        if expected > 1e-300:
            tally.check(f"student {t} {dof}", [p / expected], [1.0], 1e-10)
    pairs = [(float(rng.choice([10 ** rng.uniform(-60, -0.31), rng.uniform(0.01, 0.99)])), random_dof(rng)) for _ in range(n_cases)]
    program.ask(f"quantile {n_cases}", pairs)
    (found,) = program.answers()
    for t, (probability, dof) in zip(found, pairs, strict=True):
        # Converts back through the distribution, since SciPy's own quantiles are less exact so far out.
        outside = 2 * stats.t.sf(abs(t), dof)
        tally.check(f"quantile {probability} {dof}", [outside / (2 * min(probability, 1 - probability))], [1.0], 1e-9)
        tally.check(f"sign of quantile {probability} {dof}", [np.sign(t)], [np.sign(probability - 0.5)])


def check_polygamma(program, tally, rng, n_cases):
    values = 10 ** rng.uniform(-6, 6, n_cases)
    program.ask(f"polygamma {n_cases}", values)
    (found,) = program.answers()
    for i, x in enumerate(values):
        digamma, trigamma, tetragamma, inverse = found[4 * i : 4 * i + 4]
        expected = [special.digamma(x), special.polygamma(1, x), special.polygamma(2, x)]
        tally.check(f"polygamma {x}", [f / e for f, e in zip([digamma, trigamma, tetragamma], expected)], [1.0] * 3, 1e-11)
        tally.check(f"inverse of trigamma {x}", [special.polygamma(1, inverse) / x], [1.0], 1e-6 if x < 1e-6 else 1e-12)


def check_holm(program, tally, rng, n_cases):
    families = [(np.round(rng.uniform(0, 1, rng.integers(1, 60)) ** 4, rng.integers(1, 17)),) for _ in range(n_cases)]
    check_all(program, tally, "family", families, lambda program, p: program.ask(f"holm {len(p)}", p), holm)


# ---------------------------------------------------------------- runs of a process


def random_size(rng):
    return int(rng.choice([rng.integers(1, 10), rng.integers(1, 40), rng.integers(40, 400)], p=[0.5, 0.3, 0.2]))


def random_runs(rng):
    n = random_size(rng)
    kind = rng.choice(["even", "skewed", "heavy", "ticks", "zeros", "constant"])
    if kind == "even":
        return rng.uniform(50, 150, n)
    if kind == "skewed":
        return rng.lognormal(3, 0.5, n)
    if kind == "heavy":
        return rng.pareto(1.1, n) + 1
    if kind == "ticks":  # a coarse clock
        return np.floor(rng.uniform(3, 15, n))
    if kind == "zeros":
        return np.maximum(0.0, np.floor(rng.uniform(-5, 6, n)))
    return np.full(n, 7.0)


def describe_series(values):
    return [*spread(values), mann_kendall_p(values), theil_incomplete(values), lag_correlation(values)]


def check_runs(program, tally, rng, n_cases):
    runs = [(random_runs(rng),) for _ in range(n_cases)]
    check_all(program, tally, "series", runs, lambda program, x: program.ask(f"series {len(x)}", x), describe_series)
    check_all(program, tally, "fast", runs, lambda program, x: program.ask(f"fast {len(x)}", x), lambda x: [fast(x)])


# ---------------------------------------------------------------- variances


def random_variances(rng):
    n, dof = int(rng.integers(1, 80)), int(rng.integers(1, 40))
    prior_dof = 10 ** rng.uniform(-1, 2)
    true = 1e-4 * prior_dof / rng.chisquare(prior_dof, n) if rng.random() < 0.7 else np.full(n, 1e-4)
    variances = true * rng.chisquare(dof, n) / dof
    return np.where(rng.random(n) < rng.choice([0.0, 0.2]), 0.0, variances) + (1e-300 if n < 5 else 0.0), dof


def describe_prior(variances, dof):
    prior = prior_of(variances, dof)
    return [*(prior or (0, 0)), *(x for v in variances for x in moderate(prior, v, dof))]


def check_priors(program, tally, rng, n_cases):
    cases = [case for case in (random_variances(rng) for _ in range(n_cases)) if np.median(case[0]) > 0]
    check_all(
        program, tally, "prior", cases,
        lambda program, variances, dof: program.ask(f"prior {len(variances)} {dof}", variances),
        describe_prior, 1e-9,
    )


# ---------------------------------------------------------------- ranks


def random_sides(rng):
    """Sides of any numbers of values, with ties or without, shifted or not."""
    n, m = (int(x) for x in rng.choice([1, 2, 3, 5, 8, 20, rng.integers(1, 60)], 2))
    values = rng.standard_t(3, n + m) * rng.choice([0.01, 1.0])
    values[n:] += rng.choice([0.0, 0.02, -2.0])
    if rng.random() < 0.4:  # ties
        values = np.round(values, int(rng.integers(0, 3)))
    return values, n, float(rng.choice([0.05, 0.01, 0.001, 0.1]))


def describe_shift(values, n, beta):
    x, y = values[:n], values[n:]
    k = sum(1 for p in chance_of_u(len(x), len(y)) if p <= beta)
    return [*shift(x, y, beta), p_of_ranks(x, y), p_of_ranks(y, x), k]


def check_shifts(program, tally, rng, n_cases):
    cases = [random_sides(rng) for _ in range(n_cases)]
    check_all(program, tally, "shift", cases, lambda program, x, n, beta: program.ask(f"shift {n} {len(x) - n} {beta!r}", x), describe_shift)
    for values, n, beta in cases:
        program.ask(f"shift {n} {len(values) - n} {beta!r}", values)
    for i, (found, (values, n, _)) in enumerate(zip(program.answers(), cases, strict=True)):
        x, y = values[:n], values[n:]
        if len(np.unique(values)) == len(values):  # SciPy counts equal values half
            expected = [stats.mannwhitneyu(b, a, alternative="greater", method="exact").pvalue for a, b in ((x, y), (y, x))]
            tally.check(f"mannwhitneyu {i}", found[3:5], expected)
        estimate = np.median(np.subtract.outer(y, x))
        tally.check(f"bounds of {i}", [found[1] <= estimate <= found[2]], [True])


def check_ties(program, tally, rng, n_cases):
    """Beside all orders of few values: the chance of at least as many pairs in which y is above x, ties broken against the change."""
    for _ in range(n_cases):
        n, m = (int(x) for x in rng.integers(1, 5, 2))
        values = rng.integers(0, 4, n + m).astype(float)
        n_above = sum(b > a for a in values[:n] for b in values[n:])
        orders = [sum(b > a for a in set(range(n + m)) - set(chosen) for b in chosen) for chosen in itertools.combinations(range(n + m), m)]
        program.ask(f"shift {n} {m} 0.05", values)
        (found,) = program.answers()
        tally.check(f"ties {values} {n}", [found[3]], [sum(u >= n_above for u in orders) / len(orders)])


def check_ranks(program, tally, rng, n_cases):
    cases = [tuple(int(x) for x in rng.integers(1, 40, 2)) for _ in range(n_cases)] + [(90, 60), (1, 999), (120, 80)]
    check_all(program, tally, "ranks", cases, lambda program, n, m: program.ask(f"ranks {n} {m}"), chance_of_u, 1e-9)
    for n, m in ((600, 700), (1000, 1), (30, 2000)):  # more than 1,000 values: normal approximation
        program.ask(f"ranks {n} {m}")
        (found,) = program.answers()
        deviation = math.sqrt(n * m * (n + m + 1) / 12)
        tally.check(f"ranks {n} {m}", found[:-1], stats.norm.cdf((np.arange(n * m) + 0.5 - n * m / 2) / deviation), 1e-9)


# ---------------------------------------------------------------- changes


def changes_of(steps, values, n_base):
    y = logs(values + steps[:, None] / 2)
    levels = levels_of(y)
    r = steps / np.median(values, axis=1)
    difference, error, dof, prior = moderated((y - levels)[:, :n_base], (y - levels)[:, n_base:], r)
    return [*(prior or (0, 0)), *levels, *np.column_stack([difference, error, dof]).ravel()]


def random_comparison(rng):
    n = int(rng.choice([1, 3, 5, rng.integers(5, 40)]))
    n_base, n_new = [(5, 5), (3, 10), (10, 3), (8, 8), (2, 20), (20, 20), tuple(rng.integers(2, 12, 2))][rng.integers(7)]
    n_base, n_new = int(n_base), int(n_new)
    usual = 10 ** rng.uniform(1, 5, n)
    scatter = rng.choice([0.0, 0.02, 0.1]) * rng.uniform(0.1, 1, (n, 1))
    y = scatter * rng.standard_t(4, (n, n_base + n_new)) + 0.2 * rng.standard_normal(n_base + n_new)
    y[rng.integers(n), n_base:] += rng.choice([0.0, 0.1, 0.5, -0.5])
    steps = np.where(rng.random(n) < 0.3, 1.0, 0.0)
    values = usual[:, None] * np.exp(y)
    values = np.where(steps[:, None] > 0, np.maximum(np.floor(values), 1.0), values)
    return steps, values, n_base


def check_changes(program, tally, rng, n_cases):
    cases = [random_comparison(rng) for _ in range(n_cases)]
    check_all(
        program, tally, "changes", cases,
        lambda program, steps, values, n_base: program.ask(f"changes {len(values)} {n_base} {values.shape[1] - n_base}", steps, values),
        changes_of, 1e-8,
    )


# ---------------------------------------------------------------- series of files

WORD = (1 << 64) - 1


class Random:
    """SplitMix64, as src/stats/stats.h has it."""

    def __init__(self, seed, stream):
        self.state = stream
        self.state = (seed + self.next()) & WORD

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        mixed = self.state
        mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & WORD
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & WORD
        return mixed ^ mixed >> 31

    def below(self, n):
        return int((self.next() >> 11) * 2.0**-53 * n)

    def shuffle(self, values):
        for i in range(len(values) - 1, 0, -1):
            j = self.below(i + 1)
            values[i], values[j] = values[j], values[i]


def count_p(x, least):
    """Returns the probability that a random order of x has a cut with the score `least`, by that of the first values."""
    n, a = len(x), np.abs(np.subtract.outer(x, x))
    members = (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(float)
    size, inner = members.sum(1), np.einsum("si,si->s", members @ a, members)
    outer = np.einsum("si,si->s", (1 - members) @ a, 1 - members)
    k, l = size, n - size
    with np.errstate(divide="ignore", invalid="ignore"):
        score = k * l / n * ((a.sum() - inner - outer) / (k * l) - inner / (k * (k - 1)) - outer / (l * (l - 1)))
    p = ((k >= 3) & (l >= 3) & (score >= least)).astype(float)
    for subset in range(1, 1 << n):
        if p[subset] == 0:
            p[subset] = sum(p[subset ^ 1 << i] for i in range(n) if subset >> i & 1) / size[subset]
    return p[-1]


def draw_p(x, least, alpha, random):
    n, order = len(x), list(x)
    rare = 2 / math.comb(n, n // 2) > alpha / 16
    n_orders, n_hits = math.ceil((30 if rare else 5) / alpha), 1
    for _ in range(n_orders - 1):
        random.shuffle(order)
        n_hits += best_cut(np.array(order))[0] >= least
        if n_hits / n_orders > alpha:
            return 1
    return n_hits / n_orders


def divide(x, alpha, seed, begin=0, end=None):
    end = len(x) if end is None else end
    part = x[begin:end]
    n = len(part)
    if n < 6 or math.comb(n, n // 2) < (4 if n > 20 else 2) / alpha:
        return []
    score, k = best_cut(part)
    least = score - 1e-9 * np.abs(np.subtract.outer(part, part)).sum() / n
    p = draw_p(part, least, alpha, Random(seed, begin * 2000 + end)) if n > 20 else count_p(part, least)
    if p > alpha * (1 + 1e-12):
        return []
    cut = begin + k
    return divide(x, alpha, seed, begin, cut) + [cut, p, score] + divide(x, alpha, seed, cut, end)


def random_series(rng):
    n = int(rng.choice([rng.integers(0, 14), rng.integers(21, 30)]))  # counting the orders of 20 values is slow here
    x = rng.standard_t(3, n) * 0.02
    for at in rng.integers(0, n + 1, rng.integers(0, 3)):
        x[at:] += rng.choice([0.05, 0.2, -0.3])
    if rng.random() < 0.2:
        x = np.round(x, 1)
    return x, float(rng.choice([0.05, 0.1])), int(rng.integers(1 << 32))


def check_series(program, tally, rng, n_cases):
    cases = [random_series(rng) for _ in range(n_cases)]
    check_all(
        program, tally, "change points", cases,
        lambda program, x, alpha, seed: program.ask(f"divide {len(x)} {alpha!r} {seed}", x), divide, 1e-9,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    program, tally = Statistics(options.build), Tally()
    rng = np.random.default_rng(options.seed)
    check_student(program, tally, rng, options.cases)
    check_polygamma(program, tally, rng, options.cases)
    check_holm(program, tally, rng, options.cases // 4)
    check_runs(program, tally, rng, options.cases // 4)
    check_priors(program, tally, rng, options.cases // 2)
    check_shifts(program, tally, rng, options.cases // 2)
    check_ties(program, tally, rng, options.cases // 20)
    check_ranks(program, tally, rng, options.cases // 40)
    check_changes(program, tally, rng, options.cases // 4)
    check_series(program, tally, rng, options.cases // 10)
    print(f"statistics: {tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)


if __name__ == "__main__":
    main()
