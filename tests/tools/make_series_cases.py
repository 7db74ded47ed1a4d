#!/usr/bin/env python3
"""Writes tests/unit/series_cases.h: the results of NumPy and SciPy for the samples of statistics_samples.py.

    python tests/tools/make_series_cases.py > tests/unit/series_cases.h; clang-format -i tests/unit/series_cases.h

Needs numpy and scipy (made with numpy 2.4.6, scipy 1.17.1). Functions that they lack are computed here directly from their
definitions, without regard for speed: Mann-Kendall's variance and Theil's incomplete method.
"""

import math

import numpy as np
from scipy import stats

from statistics_samples import KINDS, make_samples

SIZES = [1, 2, 3, 4, 5, 7, 8, 10, 25, 64, 101, 500]


def spread(x):
    median = np.median(x)
    return [
        median,
        stats.median_abs_deviation(x),
        np.mean(np.abs(x - median)),
        stats.variation(x, ddof=1) if len(np.unique(x)) > 1 else 0.0,
    ]


def mann_kendall_p(x):
    n = len(x)
    if n < 3:
        return 1.0
    score = sum(int(np.sum(np.sign(x[i + 1 :] - x[i]))) for i in range(n))
    ties = np.unique(x, return_counts=True)[1].tolist()
    variance = n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)
    if score == 0:
        return 1.0
    return 2.0 * stats.norm.sf((abs(score) - 1) / math.sqrt(variance / 18))


def theil_incomplete(x):
    n = len(x)
    if n < 3:
        return 0.0
    distance = math.ceil(n / 2)
    return np.median([(x[i + distance] - x[i]) for i in range(n - distance)]) / distance


def lag_correlation(x):
    if len(x) < 3:
        return 0.0
    ranks = stats.rankdata(x)
    ranks -= ranks.mean()
    return np.sum(ranks[1:] * ranks[:-1]) / np.sum(ranks**2) if np.any(ranks) else 0.0


def main():
    print("/* Made by tests/tools/make_series_cases.py: do not edit. */")
    print("static const struct {")
    print("    sample_kind kind;")
    print("    size_t n;")
    print("    uint64_t seed;")
    print("    double median, mad, mean_deviation, variation, p, per_run, lag_correlation;")
    print("} cases[] = {")
    for kind in KINDS:
        for seed, n in enumerate(SIZES, start=1):
            x = make_samples(kind, seed, 1.0, n)
            found = [*spread(x), mann_kendall_p(x), theil_incomplete(x), lag_correlation(x)]
            numbers = ", ".join(repr(float(number)) for number in found)
            print(f"    {{{kind}, {n}, {seed}, {numbers}}},")
    print("};")


if __name__ == "__main__":
    main()
