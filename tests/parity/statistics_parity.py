"""Compares src/stats with SciPy and NumPy on random numbers, and its method with an implementation of the papers.

    python tests/parity/statistics_parity.py [--build build] [--cases 4000] [--seed 1]

Needs numpy and scipy, which the peer's virtual environment has, and BUILD/statistics. Functions that SciPy lacks are
computed here directly from their definitions, without regard for speed: Holm's adjustment, the prior of variances (Smyth
2004), changes between files, and E-divisive (Matteson and James 2014).
"""

import argparse
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy import optimize, special, stats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from make_series_cases import lag_correlation, mann_kendall_p, spread, theil_incomplete  # noqa: E402


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


def holm(p):
    order = np.argsort(p, kind="stable")
    adjusted = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    result = np.empty(len(p))
    result[order] = adjusted
    return result


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


def location(values):
    n = len(values)
    a = n // 20
    return np.mean(sorted(values)[a : max(a + 1, n // 4)])


def check_runs(program, tally, rng, n_cases):
    runs = [(random_runs(rng),) for _ in range(n_cases)]
    check_all(program, tally, "series", runs, lambda program, x: program.ask(f"series {len(x)}", x), describe_series)
    check_all(program, tally, "location", runs, lambda program, x: program.ask(f"location {len(x)}", x), lambda x: [location(x)])


# ---------------------------------------------------------------- variances


def prior_of(variances, dof):
    """Smyth 2004, section 6.2: moments of log s^2, whose variance beyond that of chance is trigamma(d0 / 2)."""
    if len(variances) < 5:
        return 0.0, 0.0
    raised = np.maximum(variances, 1e-5 * np.median(variances))
    e = np.log(raised) - special.digamma(dof / 2) + np.log(dof / 2)
    e = np.clip(e, *np.quantile(e, [0.1, 0.9]))
    beyond = np.var(e, ddof=1) - special.polygamma(1, dof / 2)
    if beyond <= 0:
        return math.inf, math.exp(np.mean(e))
    # Over the logarithm of half of d0, with no guess of where it is.
    half = math.exp(optimize.brentq(lambda x: special.polygamma(1, math.exp(x)) - beyond, -40, 40, xtol=1e-15))
    return 2 * half, math.exp(np.mean(e) + special.digamma(half) - math.log(half))


def moderate(prior, variance, dof):
    d0, s0 = prior
    if d0 == 0 or variance > s0:
        return variance, dof
    return (s0, 1e6) if math.isinf(d0) else ((d0 * s0 + dof * variance) / (d0 + dof), dof + d0)


def random_variances(rng):
    n, dof = int(rng.integers(1, 80)), int(rng.integers(1, 40))
    prior_dof = 10 ** rng.uniform(-1, 2)
    true = 1e-4 * prior_dof / rng.chisquare(prior_dof, n) if rng.random() < 0.7 else np.full(n, 1e-4)
    variances = true * rng.chisquare(dof, n) / dof
    return np.where(rng.random(n) < rng.choice([0.0, 0.2]), 0.0, variances) + (1e-300 if n < 5 else 0.0), dof


def check_priors(program, tally, rng, n_cases):
    cases = [case for case in (random_variances(rng) for _ in range(n_cases)) if np.median(case[0]) > 0]
    check_all(
        program, tally, "prior", cases,
        lambda program, variances, dof: program.ask(f"prior {len(variances)} {dof}", variances),
        lambda variances, dof: [*(prior := prior_of(variances, dof)), *(x for v in variances for x in moderate(prior, v, dof))],
        1e-9,
    )


# ---------------------------------------------------------------- changes


def levels_of_side(y):
    return np.median(y - np.median(y, axis=1)[:, None], axis=0)


def common_difference(differences, reaches):
    """The median of the rows that are not farther from it than their reach, if these are more than half, or else of all."""
    n, left = len(differences), np.arange(len(differences))
    of_all = middle = np.median(differences)
    while True:
        distances = abs(differences[left] - middle) / reaches[left]
        limit = np.sort(distances)[-max(1, len(left) // 64)]
        next_left = left[(distances < limit) | (distances <= 1)]
        if len(next_left) == len(left):
            return middle
        left = next_left
        if 2 * len(left) <= n:
            return of_all
        middle = np.median(differences[left])


def levels_of(y, steps, values, n_base):
    """Levels of the files, and their variance as a share of that of a row."""
    n, n_files = y.shape
    if n < 5:
        return np.zeros(n_files), 0.0
    levels = np.concatenate([levels_of_side(y[:, :n_base]), levels_of_side(y[:, n_base:])])
    if n_files == 2:
        differences, reaches = y[:, 1] - y[:, 0], np.full(n, np.inf)
    else:
        _, rows = differences_of(y - levels, steps, values, n_base, True)
        differences = np.array([d for d, _, _ in rows])
        reaches = np.array([stats.t.isf(0.005 / n, dof) * error for _, error, dof in rows])
    half = common_difference(differences, reaches) / 2
    levels += np.where(np.arange(n_files) < n_base, -half, half)
    return levels, math.pi / 2 / n


def welch(floor, sides):
    terms = [max(np.var(side, ddof=1), floor) / len(side) for side in sides]
    return sum(terms), sum(terms) ** 2 / sum(term**2 / (len(side) - 1) for term, side in zip(terms, sides))


def detectable(error, dof, m, alpha, least, step):
    limit = max(stats.t.isf(alpha / (2 * m), dof) * error, math.log1p(least), math.log1p(step))
    return np.expm1(limit + stats.t.ppf(0.8, dof) * error)


def files_for(wanted, error, dof, n_base, n_new, *limits):
    of_a_file, of_prior = error**2 / (1 / n_base + 1 / n_new), max(dof - (n_base + n_new - 2), 0.0)
    n = 2
    while n < 400 and detectable(math.sqrt(2 * of_a_file / n), of_prior + 2 * n - 2, *limits) > wanted:
        n += 1
    return n


def differences_of(y, steps, values, n_base, has_prior):
    """The prior, and of each row the difference of the sides, its error and degrees of freedom."""
    n_new, df = y.shape[1] - n_base, y.shape[1] - 2
    sides = [(row[:n_base], row[n_base:]) for row in y]
    r = steps / np.median(values, axis=1)
    floors = r**2 / 12 + 0.005**2
    pooled = [max(sum(len(s) * np.var(s) for s in pair) / df, floor) for pair, floor in zip(sides, floors)]
    prior = prior_of(np.array(pooled), df) if has_prior else (0.0, 0.0)
    rows = []
    for pair, s2, floor in zip(sides, pooled, floors):
        v, dof = moderate(prior, s2, df)
        squared = v / n_base + v / n_new
        if n_base != n_new and min(n_base, n_new) > 1:
            own, own_dof = welch(floor, pair)
            if own > squared:
                squared, dof = own, min(dof, own_dof)
        rows.append((np.mean(pair[1]) - np.mean(pair[0]), math.sqrt(squared), dof))
    return prior, rows


def changes_of(steps, values, n_base, relative, alpha, least, confidence, wanted):
    n, n_files = values.shape
    n_new = n_files - n_base
    y = np.log(values + steps[:, None] / 2)
    levels, share = levels_of(y, steps, values, n_base) if relative else (np.zeros(n_files), 0.0)
    prior, rows = differences_of(y - levels, steps, values, n_base, relative)
    of_level = share * np.median([error**2 for _, error, _ in rows])
    rows = [(d, math.sqrt(error**2 + of_level), dof) for d, error, dof in rows]
    r = steps / np.median(values, axis=1)
    adjusted = holm(np.array([2 * stats.t.sf(abs(d) / error, dof) for d, error, dof in rows]))
    found = [*prior, *levels]
    np.seterr(over="ignore")  # two files of a side say nothing: up to infinite ratios
    for (d, error, dof), p, step in zip(rows, adjusted, r):
        reach = stats.t.isf((1 - confidence) / 2, dof) * error
        limits = n, alpha, least, step
        counts = p < alpha and abs(d) >= math.log1p(least) and abs(d) > math.log1p(step)
        found += [d, error, dof, p, np.exp(d - reach), np.exp(d + reach), detectable(error, dof, *limits)]
        found += [files_for(wanted, error, dof, n_base, n_new, *limits), (1 if d > 0 else 2) if counts else 0]
    return found


def random_comparison(rng):
    n = int(rng.choice([1, 3, 5, rng.integers(5, 40)]))
    n_base, n_new = [(5, 5), (3, 10), (10, 3), (8, 8), (1, 4), (6, 1), tuple(rng.integers(2, 12, 2))][rng.integers(7)]
    n_base, n_new = int(n_base), int(n_new)
    usual = 10 ** rng.uniform(1, 5, n)
    scatter = rng.choice([0.0, 0.02, 0.1]) * rng.uniform(0.1, 1, (n, 1))
    y = scatter * rng.standard_t(4, (n, n_base + n_new)) + 0.2 * rng.standard_normal(n_base + n_new)
    y[rng.integers(n), n_base:] += rng.choice([0.0, 0.1, 0.5, -0.5])
    steps = np.where(rng.random(n) < 0.3, 1.0, 0.0)
    values = usual[:, None] * np.exp(y)
    values = np.where(steps[:, None] > 0, np.maximum(np.floor(values), 1.0), values)
    return steps, values, n_base, int(rng.random() < 0.7), 0.005, 0.05, 0.95, 0.5


def ask_changes(program, steps, values, n_base, relative, *limits):
    words = " ".join(str(limit) for limit in limits)
    program.ask(f"changes {len(values)} {n_base} {values.shape[1] - n_base} {relative} {words}", steps, values)


def clip_files(expected_or_found, n_levels):
    """Numbers of files above 400 are not searched here."""
    rows = np.array(expected_or_found[2 + n_levels :]).reshape(-1, 9)
    rows[:, 7] = np.minimum(rows[:, 7], 400)
    return [*expected_or_found[: 2 + n_levels], *rows.ravel()]


def check_changes(program, tally, rng, n_cases):
    cases = [random_comparison(rng) for _ in range(n_cases)]
    for case in cases:
        ask_changes(program, *case)
    for i, (found, case) in enumerate(zip(program.answers(), cases, strict=True)):
        n_levels = case[1].shape[1]
        tally.check(f"changes {i}", clip_files(found, n_levels), clip_files(changes_of(*case), n_levels), 1e-8)


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


def best_cut(x):
    n = len(x)
    a = np.abs(np.subtract.outer(x, x))
    rounding = 1e-9 * a.sum() / n
    best = (-math.inf, 0)
    for k in range(3, n - 2):
        l = n - k
        score = k * l / n * (2 * a[:k, k:].sum() / (k * l) - a[:k, :k].sum() / (k * (k - 1)) - a[k:, k:].sum() / (l * (l - 1)))
        if score > best[0] + rounding:
            best = (score, k)
    return best


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
    check_changes(program, tally, rng, options.cases // 4)
    check_series(program, tally, rng, options.cases // 10)
    print(f"statistics: {tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)


if __name__ == "__main__":
    main()
