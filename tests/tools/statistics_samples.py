"""Samples that Python and C (tests/unit/statistics_samples.h) generate identically, to the last bit."""

import numpy as np

KINDS = {
    "SAMPLES_EVEN": lambda u, i: 50.0 + 100.0 * u,
    "SAMPLES_TIED": lambda u, i: np.floor(10.0 * u),
    "SAMPLES_CONSTANT": lambda u, i: np.full_like(u, 7.25),
    "SAMPLES_HEAVY": lambda u, i: 1.0 / (1.0 - u),
    "SAMPLES_MOSTLY": lambda u, i: np.where(u < 0.9, 5.0, 100.0 * u),
    "SAMPLES_RISING": lambda u, i: 50.0 + 100.0 * u + 0.5 * i,
    "SAMPLES_WARM": lambda u, i: 50.0 + 100.0 * u + 400.0 / (1.0 + i),
}


def make_samples(kind, seed, factor, n):
    uniform, state = [], seed
    for _ in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        uniform.append((state >> 11) / 2.0**53)
    return KINDS[kind](np.array(uniform), np.arange(n, dtype=float)) * factor
