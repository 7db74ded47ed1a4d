"""The rules by which etinspect compares two sides, written from their description and without regard for speed.

Needs numpy and scipy. Used as the truth by statistics_parity.py, verdicts.py and view_diff.py. Values are arrays with a number
per file; those of events have a row per event. `y` are natural logarithms.
"""

import dataclasses
import math
from functools import lru_cache

import numpy as np
from scipy import special, stats

FEWEST_OF_LEVEL = FEWEST_OF_PRIOR = 5


@dataclasses.dataclass(frozen=True)
class Limits:
    least_effect: float = 0.05
    margin: float = 0.10
    alpha: float = 0.01
    beta: float = 0.05

    @property
    def limit(self):
        return math.log1p(self.least_effect)

    @property
    def top(self):
        return math.log1p(self.least_effect + self.margin)


def logs(values):
    """Logarithms of the C library, to the last bit; numpy has its own."""
    return np.vectorize(math.log, otypes=[float])(values)


# ---------------------------------------------------------------- ranks


@lru_cache(None)
def counts_of_u(n, m):
    """Number of orders of n and m values with U = 0 .. nm, without ties: whole numbers of any size."""
    counts = np.zeros(n * m + 1, dtype=object)
    counts[0] = 1
    for i in range(1, m + 1):  # times (1 - z^(n + i)) / (1 - z^i)
        less = counts.copy()
        less[n + i :] -= counts[: -(n + i)]
        for j in range(i):
            less[j::i] = np.cumsum(less[j::i])
        counts = less
    return counts


@lru_cache(None)
def chance_of_u(n, m):
    """P(U <= u) for u = 0 .. nm."""
    total, sums, so_far = math.comb(n + m, n), [], 0
    for count in counts_of_u(n, m):
        so_far += count
        sums.append(so_far / total)
    return sums


def p_of_ranks(x, y):
    """One-sided: the chance of ranks as high as those of y. Equal values count against a change."""
    n_above = int((np.asarray(y)[:, None] > np.asarray(x)[None, :]).sum())
    return chance_of_u(len(x), len(y))[len(x) * len(y) - n_above]


def p_of_either(x, y):
    return min(1.0, 2 * min(p_of_ranks(x, y), p_of_ranks(y, x)))


def shift(x, y, beta):
    """Estimate of Hodges and Lehmann, and the bounds of an interval; each is wrong with a chance of beta."""
    w = np.sort((np.asarray(y)[:, None] - np.asarray(x)[None, :]).ravel())
    k = sum(1 for p in chance_of_u(len(x), len(y)) if p <= beta)
    return float(np.median(w)), float(w[k - 1]) if k else -math.inf, float(w[len(w) - k]) if k else math.inf


def fewest_files(share):
    m = 1
    while math.comb(2 * m, m) < 1 / share * (1 - 1e-12):
        m += 1
    return m


# ---------------------------------------------------------------- values of a file


def fast(runs):
    n = len(runs)
    a = n // 20
    return float(np.mean(np.sort(runs)[a : max(a + 1, n // 4)]))


METRICS = {
    "p50": np.median,
    "fast": fast,
    "avg": np.mean,
    "min": np.min,
    "max": np.max,
    "p90": lambda runs: np.quantile(runs, 0.9),
    "p95": lambda runs: np.quantile(runs, 0.95),
    "p99": lambda runs: np.quantile(runs, 0.99),
}
FEWEST_RUNS = {"p90": 20, "p95": 40, "p99": 200}


# ---------------------------------------------------------------- moderated t


def trigamma_inverse(w):
    if w > 1e7:
        return w**-0.5
    if w < 1e-6:
        return 1 / w
    y = 0.5 + 1 / w
    while True:
        t = special.polygamma(1, y)
        step = t * (1 - t / w) / special.polygamma(2, y)
        y += step
        if -step / y < 1e-8:
            return float(y)


def prior_of(variances, df):
    """Smyth 2004: degrees of freedom and variance of the prior; None if there are too few variances."""
    if len(variances) < FEWEST_OF_PRIOR:
        return None
    e = np.log(np.maximum(variances, 1e-5 * np.median(variances))) - special.digamma(df / 2) + math.log(df / 2)
    e = np.clip(e, *np.quantile(e, [0.1, 0.9]))
    beyond = np.var(e, ddof=1) - special.polygamma(1, df / 2)
    if beyond <= 0:
        return math.inf, math.exp(np.mean(e))
    d0 = 2 * trigamma_inverse(beyond)
    return d0, math.exp(np.mean(e) + special.digamma(d0 / 2) - math.log(d0 / 2))


def moderate(prior, variance, df):
    """Variance and degrees of freedom of one event, which the prior only raises."""
    if prior is None:
        return variance, df
    d0, s0 = prior
    post = s0 if math.isinf(d0) else (d0 * s0 + df * variance) / (d0 + df)
    return (post, min(df + d0, 1e6)) if variance <= post else (variance, df)


def moderated(base, new, r):
    """Differences, their errors and degrees of freedom, and the prior. `r`: step of the clock / median, per event."""
    n_b, n_n = base.shape[1], new.shape[1]
    df, floors = n_b + n_n - 2, r**2 / 12 + 0.005**2
    v_b, v_n = np.var(base, axis=1, ddof=1), np.var(new, axis=1, ddof=1)
    pooled = np.maximum(((n_b - 1) * v_b + (n_n - 1) * v_n) / df, floors)
    prior, errors, dofs = prior_of(pooled, df), [], []
    for s2, floor, of_base, of_new in zip(pooled, floors, v_b, v_n):
        v, dof = moderate(prior, s2, df)
        squared = max(v, floor) * (1 / n_b + 1 / n_n)
        a0, a1 = max(of_base, floor) / n_b, max(of_new, floor) / n_n
        if a0 + a1 > squared * (1 + 1e-9):  # Welch; equal sides may differ by rounding
            squared, dof = a0 + a1, min(dof, (a0 + a1) ** 2 / (a0**2 / (n_b - 1) + a1**2 / (n_n - 1)))
        errors.append(math.sqrt(squared))
        dofs.append(dof)
    return np.mean(new, axis=1) - np.mean(base, axis=1), np.array(errors), np.array(dofs), prior


def holm(p):
    order = np.argsort(p, kind="stable")
    adjusted = np.minimum(1.0, np.maximum.accumulate(np.asarray(p)[order] * np.arange(len(p), 0, -1)))
    result = np.empty(len(p))
    result[order] = adjusted
    return result


# ---------------------------------------------------------------- the total


def middle(base, new, change):
    """The base that is shown beside a change: new / base - 1 is the change."""
    return math.exp(np.median(np.concatenate([base, new - change])))


@dataclasses.dataclass
class Total:
    change: float
    low: float
    high: float
    p_slower: float
    p_faster: float
    verdict: str  # failed, passed, undecided
    is_faster: bool
    base: float
    files_needed: float


def harmonic(n, m):
    return 2 * n * m / (n + m)


def judge_total(base, new, share, limits):
    x, y = logs(base), logs(new)
    e, low, high = shift(x, y, limits.beta)
    slower, faster = p_of_ranks(x, y), p_of_ranks(y, x)
    if slower < share and low > limits.limit:
        verdict = "failed"
    else:
        verdict = "passed" if e <= limits.limit and high < limits.top else "undecided"
    needed = math.nan
    if e <= limits.limit:
        needed = harmonic(len(x), len(y)) * ((high - e) / (limits.top - max(e, 0))) ** 2
    return Total(e, low, high, slower, faster, verdict, faster < share and high < -limits.limit, middle(x, y, e), needed)


# ---------------------------------------------------------------- events


def find_family(base, new, total_base, total_new):
    """Which events are judged. Rows of base and new are the same events; NaN where a file lacks one."""
    both = np.hstack([base, new])
    least = 0.01 * np.median(np.concatenate([total_base, total_new]))
    return np.array([not np.isnan(row).any() and row.min() > 0 and np.median(row) >= least for row in both], bool)


def levels_of(y):
    """The level of each file, by most events."""
    if len(y) < FEWEST_OF_LEVEL:
        return np.zeros(y.shape[1])
    return np.median(y - np.median(y, axis=1, keepdims=True), axis=0)


def of_kinds(values, kinds):
    """Median over kinds of the median of each."""
    return np.median([np.median(values[kinds == kind], axis=0) for kind in sorted(set(kinds))], axis=0)


@dataclasses.dataclass
class Events:
    level: tuple  # estimate, low, high
    level_p: float
    level_failed: bool
    is_two: bool  # there are two readings
    candidates: list
    as_measured: bool
    change: np.ndarray  # as shown
    low: np.ndarray
    high: np.ndarray
    base: np.ndarray
    relative: np.ndarray  # x
    error: np.ndarray
    dof: np.ndarray
    p_slower: np.ndarray  # adjusted
    p_faster: np.ndarray
    slower: np.ndarray
    faster: np.ndarray
    either: np.ndarray
    may_be_slower: np.ndarray  # more than limit + margin cannot be excluded
    prior: tuple
    verdict: str
    files_needed: float


def median_by_time(values, times, share):
    """The smallest value that, with all smaller ones, covers this share of the time."""
    order = np.argsort(values, kind="stable")
    covered = np.cumsum(times[order])
    return values[order][np.searchsorted(covered, share * covered[-1] * (1 - 1e-12))]


def judge_events(base, new, steps, kinds, share, limits, in_turns):
    """Judges a family of at least one event. `share` is that of the rule; `steps` are those of the clocks, 0 without."""
    n_b, n_n = base.shape[1], new.shape[1]
    kinds, limit, top = np.asarray(kinds), limits.limit, limits.top
    medians = np.median(np.hstack([base, new]), axis=1)
    r = steps / medians
    y = logs(np.hstack([base, new]) + steps[:, None] / 2)
    yb, yn = y[:, :n_b], y[:, n_b:]
    level, level2 = levels_of(y), np.zeros(n_b + n_n)
    d, error, dof, prior = moderated(yb - level[:n_b], yn - level[n_b:], r)
    h = stats.t.ppf(1 - limits.beta, dof) * error
    side = shift(level[:n_b], level[n_b:], limits.beta)
    level_p = p_of_ranks(level[:n_b], level[n_b:])
    as_measured = d + side[0]
    c = float(np.median(as_measured)) if len(y) >= FEWEST_OF_LEVEL else 0.0  # a few events have no common change, either
    candidates, x = [c], as_measured - c

    is_two = False
    if len(y) >= FEWEST_OF_LEVEL and len(set(kinds)) >= 3:
        level2 = of_kinds(y - np.median(y, axis=1, keepdims=True), kinds)
        c2 = float(of_kinds(as_measured, kinds))
        gap = level2 - level
        is_two = p_of_either(gap[:n_b], gap[n_b:]) < 0.01 and abs(c - c2) > math.log(1.02)
        candidates += [c2] if is_two else []

    far = np.log1p(r)
    if is_two:
        shown, low, high = np.array([shift(a, b, limits.beta) for a, b in zip(yb, yn)]).T
        slower_p = holm([p_of_ranks(a, b) for a, b in zip(yb, yn)])
        faster_p = holm([p_of_ranks(b, a) for a, b in zip(yb, yn)])
        slower = in_turns & (slower_p < share / 2) & (low > limit) & (shown > far)
        faster = in_turns & (faster_p < share / 2) & (high < -limit) & (-shown > far)
        either = np.full(len(y), not in_turns)
        judged, reach = shown, high
    else:
        shown, low, high = as_measured, as_measured - h, as_measured + h
        slower_p, faster_p = holm(stats.t.sf(x / error, dof)), holm(stats.t.cdf(x / error, dof))
        either = (slower_p < share / 2) & (x - h > limit) & (x > far)
        slower = either & (as_measured >= np.maximum(limit, x / 2))
        faster = (faster_p < share / 2) & (x + h < -limit) & (-x > far) & (as_measured <= -np.maximum(limit, -x / 2))
        either = either & ~slower
        judged, reach = x, x + h

    level_failed = bool(in_turns and not is_two and level_p < share / 2 and side[1] > limit)
    fits = reach < top
    if slower.any() or level_failed:
        verdict = "failed"
    elif not either.any() and medians[fits].sum() >= 0.8 * medians.sum() and not (judged[~fits] > top).any():
        verdict = "passed"
    else:
        verdict = "undecided"
    with np.errstate(divide="ignore", invalid="ignore"):
        room = top - np.maximum(judged, 0)
        needed = np.where(room > 0, harmonic(n_b, n_n) * ((reach - judged) / room) ** 2, math.inf)
    return Events(
        side, level_p, level_failed, is_two, candidates, is_two, shown, low, high,
        np.array([middle(a, b, change) for a, b, change in zip(yb, yn, shown)]), x, error, dof, slower_p, faster_p,
        slower, faster, either, ~fits, prior, verdict, float(median_by_time(needed, medians, 0.8)),
    )  # fmt: skip


# ---------------------------------------------------------------- series


def best_cut(x):
    """Place and score of the best cut of E-divisive (Matteson and James 2014); the first of equal ones."""
    n = len(x)
    a = np.abs(np.subtract.outer(x, x))
    rounding = 1e-9 * a.sum() / n
    best = (-math.inf, 0)
    for k in range(3, n - 2):
        m = n - k
        score = k * m / n * (2 * a[:k, k:].sum() / (k * m) - a[:k, :k].sum() / (k * (k - 1)) - a[k:, k:].sum() / (m * (m - 1)))
        if score > best[0] + rounding:
            best = (score, k)
    return best
