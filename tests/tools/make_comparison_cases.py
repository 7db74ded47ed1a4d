#!/usr/bin/env python3
"""Writes tests/unit/comparison_cases.h: what SciPy and NumPy say about the samples of statistics_samples.py.

    python tests/tools/make_comparison_cases.py > tests/unit/comparison_cases.h; clang-format -i tests/unit/comparison_cases.h

Needs numpy and scipy (made with numpy 2.4.6, scipy 1.17.1). What they lack is computed as its definition says, with no regard
for time: fractions for the ranks of resampled medians, all pairs of samples for the power.
"""

import bisect
import itertools
import math
from fractions import Fraction

import numpy as np
from scipy import stats

from statistics_samples import make_samples

KINDS = ["SAMPLES_EVEN", "SAMPLES_TIED", "SAMPLES_HEAVY", "SAMPLES_MOSTLY", "SAMPLES_RISING"]
SMALL = [(1, 1), (1, 2), (2, 2), (1, 9), (2, 7), (3, 3), (4, 9), (5, 4), (7, 8), (8, 8), (8, 9), (9, 9), (6, 60), (90, 8)]
LARGE = [(10, 12), (25, 25), (50, 50), (51, 100), (200, 33), (300, 301), (40, 1500)]
HUGE = [("SAMPLES_EVEN", 1.001, 100000, 99999), ("SAMPLES_TIED", 1.0, 100000, 100000), ("SAMPLES_HEAVY", 1.01, 30000, 77777)]


def numbers(*values):
    return ", ".join(repr(float(value)) for value in values)


def table(name, fields, rows):
    print(f"static const struct {{ {fields} }} {name}[] = {{")
    for row in rows:
        print(f"    {{{row}}},")
    print("};\n")


def row_of_comparison(kind, factor, n_base, n_new, seed, shift=True):
    base, new = make_samples(kind, seed, 1.0, n_base), make_samples(kind, seed + 1, factor, n_new)
    u, p = stats.mannwhitneyu(new, base)
    ties = len(np.unique(np.concatenate([base, new]))) < n_base + n_new
    exact = str(min(n_base, n_new) <= 8 and not ties).lower()
    shift = np.median(new[:, None] - base[None, :]) if shift else math.nan
    shift = "NAN" if math.isnan(shift) else repr(float(shift))
    medians = numbers(np.percentile(base, 50), np.percentile(new, 50))
    return f"{kind}, {seed}, {n_base}, {n_new}, {factor!r}, {medians}, {numbers(u, p)}, {exact}, {shift}"


def comparisons():
    seed = 1
    for kind, factor, sizes in itertools.product(KINDS, [1.0, 1.1, 2.5], SMALL + LARGE):
        yield row_of_comparison(kind, factor, *sizes, seed)
        seed += 2
    for sizes in [(1, 1), (8, 8), (50, 50)]:
        yield row_of_comparison("SAMPLES_CONSTANT", 1.0, *sizes, 1)
        yield row_of_comparison("SAMPLES_CONSTANT", 2.0, *sizes, 1)
    for kind, factor, n_base, n_new in HUGE:
        yield row_of_comparison(kind, factor, n_base, n_new, seed, shift=False)


def least_ps():
    for n_base, n_new in [(1, 1), (1, 39), (3, 3), (3, 4), (4, 4), (5, 5), (8, 8), (8, 100), (9, 9), (10, 10), (50, 50)]:
        p = stats.mannwhitneyu(np.arange(n_base), np.arange(n_new) + n_base).pvalue
        yield f"{n_base}, {n_new}, {numbers(p)}"


# ---------------------------------------------------------------- the bootstrap


def marginals():
    """P(lower middle rank < r) and P(upper middle rank < r), ranks from 0: at least so many of n draws are below r."""
    for n in [1, 2, 9, 10, 30, 99, 100, 1000, 4001, 100000]:
        middle, deviation = n / 2, math.sqrt(n) / 2
        for r in sorted({min(n, max(0, round(middle + z * deviation))) for z in (-3, -1, -0.3, 0, 0.5, 1, 2.5)}):
            low, high = (n + 1) // 2, n // 2 + 1
            yield f"{n}, {r}, {numbers(stats.binom.sf(low - 1, n, r / n), stats.binom.sf(high - 1, n, r / n))}"


def splitmix64(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def pair_probabilities(n):
    """Of the ranks of the two middle samples of a resample, from 0: those draws that are below, between and above."""
    lower = (n + 1) // 2
    pairs = {}
    for low in range(n):
        for high in range(low, n if n % 2 == 0 else low + 1):
            # All draws at most `high` and so on, by inclusion and exclusion.
            pairs[low, high] = joint(n, lower, low, high)
    return pairs


def joint(n, lower, low, high):
    def at_most(r, s):
        """P(lower-th smallest <= r and next smallest <= s), ranks from 0."""
        total = Fraction(0)
        for below in range(lower, n + 1):
            for between in range(n - below + 1):
                if below + between >= (lower if n % 2 else lower + 1):
                    ways = math.comb(n, below) * math.comb(n - below, between)
                    total += Fraction(ways * (r + 1) ** below * (s - r) ** between * (n - 1 - s) ** (n - below - between), n**n)
        return total

    if n % 2:
        return at_most(low, low) - (at_most(low - 1, low - 1) if low else 0)
    found = at_most(low, high)
    if high > low:
        found -= at_most(low, high - 1)
    if low:
        found -= at_most(low - 1, high)
        if high > low:
            found += at_most(low - 1, high - 1)
    return found


def draws():
    """The first resamples: pairs in ascending order, the first whose cumulated probability is above a uniform number."""
    for n in [3, 4, 9, 12]:
        pairs = pair_probabilities(n)
        order = sorted(pairs)
        cumulated = list(itertools.accumulate(pairs[pair] for pair in order))
        assert cumulated[-1] == 1
        for seed, stream in [(1, 0), (1, 1), (2**63 + 5, 1)]:
            start = next(splitmix64(stream))
            generator = splitmix64((seed + start) % 2**64)
            for i in range(12):
                pair = order[bisect.bisect_right(cumulated, Fraction(next(generator) >> 11, 2**53))]
                yield f"{n}, {seed}u, {stream}, {i}, {pair[0]}, {pair[1]}"


# ---------------------------------------------------------------- power


def overlap(x, factor):
    """Over all pairs of different samples: how often one slowed down is above the other, and n times the variance of that."""
    above = factor * x[:, None] - x[None, :]
    score = np.where(above > 0, 1.0, np.where(above == 0, 0.5, 0.0))
    np.fill_diagonal(score, 0.0)
    by_slowed, by_other = score.sum(axis=1) / (len(x) - 1), score.sum(axis=0) / (len(x) - 1)
    return by_slowed.mean(), by_slowed.var() + by_other.var()


def median_deviation(x):
    """Of the median over all resamples, exactly."""
    x = np.sort(x)
    pairs = pair_probabilities(len(x))
    mean = sum(float(p) * (x[i] + x[j]) / 2 for (i, j), p in pairs.items())
    return math.sqrt(sum(float(p) * ((x[i] + x[j]) / 2 - mean) ** 2 for (i, j), p in pairs.items()))


def samples_for(x, deviation, effect, least_effect, alpha, family, power):
    above, variance = overlap(x, 1 + effect)
    z_power = stats.norm.isf((1 - power) / 3)
    z_test = stats.norm.isf(alpha / family / 2) / math.sqrt(6) + z_power * math.sqrt(variance)
    z_interval = stats.norm.isf(0.025) + z_power
    spread = deviation / np.sort(x)[len(x) // 2]
    found = [
        (z_test / (above - 0.5)) ** 2,
        2 * len(x) * (z_interval * spread / math.log1p(effect)) ** 2,
        2 * len(x) * (z_power * spread / math.log((1 + effect) / (1 + least_effect))) ** 2,
    ]
    n = math.ceil(max(found))
    while stats.mannwhitneyu(np.arange(n), np.arange(n) + n).pvalue * family >= alpha:
        n += 1
    return n


def powers():
    for kind, n in [("SAMPLES_EVEN", 12), ("SAMPLES_EVEN", 15), ("SAMPLES_RISING", 20), ("SAMPLES_HEAVY", 11)]:
        x = make_samples(kind, 5, 1.0, n)
        deviation = median_deviation(x)
        for effect, least, alpha, family, power in [(0.1, 0.05, 0.01, 1, 0.95), (0.3, 0.05, 0.05, 100, 0.8), (5.0, 0.0, 0.01, 9, 0.9)]:
            needed = samples_for(x, deviation, effect, least, alpha, family, power)
            for_test = samples_for(x, 0.0, effect, least, alpha, family, power)
            row = f"{kind}, {n}, {numbers(deviation, effect, least, alpha)}, {family}, {numbers(power)}"
            yield f"{row}, {needed}, {for_test}"


def main():
    print("/* Made by tests/tools/make_comparison_cases.py: do not edit. */\n")
    table(
        "comparisons",
        "sample_kind kind; uint64_t seed; size_t n_base, n_new; double factor, median_base, median_new, u, p; bool exact; double shift;",
        comparisons(),
    )
    table("least_ps", "size_t n_base, n_new; double p;", least_ps())
    table("marginals", "size_t n; size_t rank; double low_below, high_below;", marginals())
    table("draws", "size_t n; uint64_t seed, stream; size_t i; uint32_t low, high;", draws())
    table(
        "powers",
        "sample_kind kind; size_t n; double deviation, effect, least_effect, alpha; size_t n_family; double power; size_t needed, for_test;",
        powers(),
    )


if __name__ == "__main__":
    main()
