"""Compares the verdicts of `etinspect gate` and `etinspect diff` with the rules of verdict_rules.py on random baselines.

    python tests/parity/verdicts.py [--build build] [--cases 400] [--seed 1]

Needs numpy and scipy, which the peer's virtual environment has. Each case is two baselines with the times of all runs, and
options; gate and diff judge them, also with exchanged sides, and with the files in another order, which must not change anything.
Cases are made such that they meet what is easy to get wrong: sides of different numbers of files, equal values, sides without
bounds, clocks with few steps, fewer than five events, a kind of events that is the level.
"""

import argparse
import collections
import dataclasses
import hashlib
import json
import math
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from verdict_rules import FEWEST_RUNS, METRICS, Limits, fewest_files, find_family, judge_events, judge_total, shift

MS = 1e6  # ticks
NEAR = 1e-9
MOST_SHOWN = 500
STATUSES = {"failed": 1, "passed": 0, "undecided": 6}
OUTCOMES = {"failed": "slower", "passed": "not slower", "undecided": "cannot tell"}
SIDES = [(5, 5), (6, 6), (8, 8), (8, 8), (12, 12), (20, 20), (20, 20), (5, 9), (12, 6), (7, 30), (3, 3), (2, 9), (1, 1)]


# ---------------------------------------------------------------- cases


@dataclasses.dataclass
class Side:
    runs: list  # runs of a file: array of an event per row
    overhead: list  # of each file: array with a time per run

    def values(self, metric):
        """Metric of the events, a row each, and of the total, in the files."""
        of = METRICS[metric]
        events = np.array([[of(row) for row in file] for file in self.runs]).T
        return events, np.array([of(file.sum(axis=0) + own) for file, own in zip(self.runs, self.overhead)])

    def fewest_runs(self):
        return min(file.shape[1] for file in self.runs)

    def reordered(self, order):
        return Side([self.runs[i] for i in order], [self.overhead[i] for i in order])

    def write(self, path, kinds):
        def ticks(rows):
            return "|".join(";".join(str(int(x)) for x in row) for row in rows)

        n_runs = ";".join(str(file.shape[1]) for file in self.runs)
        lines = ["etinspect-baseline,4,samples", "time_scale,ns"]
        for i, (file, own) in enumerate(zip(self.runs, self.overhead)):
            digest = hashlib.sha256(file.tobytes() + own.tobytes() + path.name.encode() + bytes([i])).hexdigest()
            lines.append(f"file,{path.stem}-{i}.etdp,1000,{digest}")
        lines.append("columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,ticks")
        lines.append(f"block,Execute,,{n_runs},{';'.join('0' for _ in self.runs)}")
        fields = "," * 9
        lines.append(f"execute,Method::execute{fields},{ticks(f.sum(axis=0) + o for f, o in zip(self.runs, self.overhead))}")
        lines.append(f"operators,operators outside delegates{fields},{ticks(f.sum(axis=0) for f in self.runs)}")
        lines.append(f"framework,framework{fields},{ticks(self.overhead)}")
        for e, kind in enumerate(kinds):
            lines.append(f"kernel,{kind},row{e},{kind},,,,,,,,{ticks(file[e] for file in self.runs)}")
        lines.append(f"end,{len(lines)}")
        path.write_text("\n".join(lines) + "\n")


@dataclasses.dataclass
class Case:
    base: Side
    new: Side
    kinds: list
    rules: list  # (scope, metric, limit); none: the default rules
    limits: Limits
    in_turns: bool
    is_gate: bool = True  # a rule of a gate must have something to check

    def exchanged(self):
        return dataclasses.replace(self, base=self.new, new=self.base)

    def words(self):
        words = ["--alpha", repr(self.limits.alpha), "--beta", repr(self.limits.beta), "--margin", repr(self.limits.margin)]
        return words + ["--in_turns"] * self.in_turns


def random_kinds(rng, n):
    n_kinds = int(rng.integers(1, n + 1))
    kinds = [int(rng.integers(n_kinds)) for _ in range(n)]
    if rng.random() < 0.5:  # one kind is more than half of the events
        kinds = [0 if rng.random() < 0.6 else 1 + e % max(n_kinds, 3) for e in range(n)]
    return [f"native_call_op{kind}.out" for kind in kinds]


def random_effects(rng, kinds):
    """What each event takes longer on the new side."""
    effects = np.ones(len(kinds))
    what = rng.choice(["nothing", "all", "one", "kind", "kind", "half"])
    factor = float(rng.choice([1.04, 1.1, 1.25, 1.6, 0.9, 0.7]))
    if what == "all":
        effects *= factor
    elif what == "one":
        effects[rng.integers(len(kinds))] = factor
    elif what == "kind":
        effects[[kind == kinds[0] for kind in kinds]] = factor
    elif what == "half":
        effects[: len(kinds) // 2] = factor
    return effects


def random_side(rng, model, n_files, effects):
    side = Side([], [])
    for _ in range(n_files):
        n_runs = int(rng.choice(model["runs"]))
        level = math.exp(model["level"] * rng.standard_normal())
        own = model["usual"] * effects * level * np.exp(model["scatter"] * rng.standard_t(4, len(effects)))
        runs = own[:, None] * np.exp(model["jitter"] * np.abs(rng.standard_normal((len(effects), n_runs))))
        runs = np.maximum(np.floor(runs / model["step"]), 1) * model["step"]
        if model["is_zero"]:
            runs[0, rng.random(n_runs) < 0.7] = 0
        side.runs.append(runs)
        side.overhead.append(np.floor(0.03 * runs.sum(axis=0)) + 1)
    return side


def random_rules(rng):
    if rng.random() < 0.6:
        return []
    rules = [(scope, metric) for scope in ("total", "op") for metric in ("p50", "fast", "avg", "p90", "p95", "p99")]
    chosen = rng.choice(len(rules), int(rng.integers(1, 4)), replace=False)
    return [(*rules[i], float(rng.choice([0.0, 0.05, 0.1, 0.2]))) for i in chosen]


def random_case(seed, number):
    rng = np.random.default_rng([seed, number])
    n = int(rng.choice([1, 2, 4, 5, 6, 12, 30]))
    is_coarse = rng.random() < 0.3
    kinds = random_kinds(rng, n)
    model = {
        "usual": rng.integers(2, 30, n) * 1000.0 if is_coarse else 10 ** rng.uniform(3.5, 5.5, n),
        "step": 1000 if is_coarse else 1,
        "level": rng.choice([0.0, 0.01, 0.03, 0.15]),
        "scatter": rng.choice([0.0, 0.005, 0.01, 0.04]),
        "jitter": rng.choice([0.0, 0.01, 0.05]),
        "runs": [[1], [3, 7], [10, 25, 60], [200, 230]][rng.integers(4) if n < 12 else rng.integers(3)],
        "is_zero": rng.random() < 0.05,
    }
    n_base, n_new = SIDES[rng.integers(len(SIDES))]
    limits = Limits() if rng.random() < 0.7 else Limits(0.05, float(rng.choice([0.02, 0.3])), float(rng.choice([0.001, 0.05])), float(rng.choice([0.01, 0.1])))
    base = random_side(rng, model, n_base, np.ones(n))
    new = random_side(rng, model, n_new, random_effects(rng, kinds))
    return Case(base, new, kinds, random_rules(rng), limits, bool(rng.random() < 0.6))


# ---------------------------------------------------------------- what is right


class Expected:
    """Judges a case by the rules."""

    def __init__(self, case):
        self.case = case
        rules = case.rules or [("op", "p50", case.limits.least_effect), ("total", "p50", case.limits.least_effect)]
        self.share = case.limits.alpha / len(rules)
        self.fewest = fewest_files(self.share)
        self.has_files = min(len(case.base.runs), len(case.new.runs)) >= self.fewest
        self.rules = [self.judge(*rule) for rule in rules]
        verdicts = [rule["verdict"] for rule in self.rules]
        self.verdict = next((verdict for verdict in ("failed", "undecided") if verdict in verdicts), "passed")
        if "nothing to check" in verdicts and self.verdict == "passed" and case.is_gate:
            self.verdict = "undecided"

    def judge(self, scope, metric, least_effect):
        case, limits = self.case, dataclasses.replace(self.case.limits, least_effect=least_effect)
        rule = {"scope": scope, "metric": metric, "least_effect": least_effect, "verdict": "undecided"}
        (base, total_base), (new, total_new) = case.base.values(metric), case.new.values(metric)
        chosen = np.flatnonzero(find_family(base, new, total_base, total_new))
        if scope == "op" and len(chosen) == 0:
            return rule | {"verdict": "nothing to check"}
        if not self.has_files or min(case.base.fewest_runs(), case.new.fewest_runs()) < FEWEST_RUNS.get(metric, 1):
            return rule
        if scope == "op":
            kinds = [case.kinds[e] for e in chosen]
            events = judge_events(base[chosen], new[chosen], self.steps()[chosen], kinds, self.share, limits, case.in_turns)
            return rule | {"family": chosen, "events": events, "verdict": events.verdict}
        total = judge_total(total_base, total_new, self.share, limits)
        is_doubtful = metric == "p50" and self.is_contradicted(total.change, limits.limit)
        return rule | {"total": total, "verdict": "undecided" if is_doubtful else total.verdict}

    def steps(self):
        """The clock of all kernels is one."""
        ticks = np.concatenate([file.ravel() for side in (self.case.base, self.case.new) for file in side.runs])
        step = float(np.gcd.reduce(ticks.astype(np.int64)))
        return np.full(len(self.case.kinds), step if step > 1 else 0.0)

    def is_contradicted(self, change, limit):
        """The fastest runs changed the other way."""
        x, y = (np.log(side.values("fast")[1]) for side in (self.case.base, self.case.new))
        other = shift(x, y, self.case.limits.beta)[0]
        return min(change, other) < -limit and max(change, other) > limit


# ---------------------------------------------------------------- comparing


class Tally:
    def __init__(self):
        self.passed = self.failed = 0
        self.met = collections.Counter()

    def check(self, what, found, expected, near=NEAR):
        same = found == expected
        if isinstance(expected, float):
            expected = None if math.isinf(expected) or math.isnan(expected) else float(expected)
            same = found == expected or (None not in (found, expected) and math.isclose(found, expected, rel_tol=near, abs_tol=1e-12))
        self.passed += bool(same)
        self.failed += not same
        if not same and self.failed <= MOST_SHOWN:
            print(f"FAILED {what}: found {found!r}, expected {expected!r}")
        return same


def rule_words(case):
    return [word for scope, metric, limit in case.rules for word in ("--fail_on", f"{scope}:{metric}>+{100 * limit:g}%")]


def is_near(case, rule):
    """Rounding may decide: a number is as good as at its limit."""
    limits = dataclasses.replace(case.limits, least_effect=rule.get("least_effect", 0.05))
    pairs = []
    if "total" in rule:
        total = rule["total"]
        pairs = [(total.low, limits.limit), (total.change, limits.limit), (total.high, limits.top), (total.high, -limits.limit)]
    if "events" in rule:
        events = rule["events"]
        pairs = [(events.level[1], limits.limit)]
        for low, high, x, change in zip(events.low, events.high, events.relative, events.change):
            pairs += [(value, limit) for value in (low, high, x, change) for limit in (limits.limit, limits.top, -limits.limit, x / 2)]
    return any(math.isclose(value, limit, abs_tol=1e-9) for value, limit in pairs)


class Comparison:
    def __init__(self, build, directory, tally):
        self.program, self.directory, self.tally = Path(build).resolve() / "etinspect", Path(directory), tally

    def tables(self, command, case, what, *words):
        paths = [self.directory / f"{what}-{side}.csv" for side in ("base", "new")]
        case.base.write(paths[0], case.kinds)
        case.new.write(paths[1], case.kinds)
        done = subprocess.run([self.program, command, *paths, *case.words(), *words, "--format", "json"], capture_output=True, text=True)
        for path in paths:
            path.unlink()
        if not self.tally.check(f"{what} {command} runs", done.returncode if done.returncode not in (0, 1, 6) else 0, 0):
            print(done.stderr)
            return done.returncode, None
        report = json.loads(done.stdout)
        for rows in report["tables"].values():
            for row in rows:
                row.pop("file", None)
        return done.returncode, report["tables"]

    def check_size(self, what, row, expected):
        """The figures of a row: change, low, high, base, new."""
        change, low, high, base = expected
        numbers = {"change": math.expm1(change), "low": math.expm1(low) if math.isfinite(low) else math.nan}
        numbers |= {"high": math.expm1(high) if math.isfinite(high) else math.nan, "base": base / MS, "new": base * math.exp(change) / MS}
        for name, number in numbers.items():
            self.tally.check(f"{what} {name}", row[name], float(number))

    def check_total(self, what, row, total):
        self.check_size(what, row, (total.change, total.low, total.high, total.base))
        if abs(total.change) > NEAR:
            self.tally.check(f"{what} p", row["p"], total.p_slower if total.change > 0 else total.p_faster)
        verdict = "slower" if total.verdict == "failed" else "faster" if total.is_faster else "~"
        self.tally.met[f"total {verdict}"] += 1
        self.tally.check(f"{what} verdict", row["verdict"], verdict)

    def check_events(self, what, rows, rule, in_turns):
        events = rule["events"]
        self.tally.met["two readings"] += events.is_two
        for i, e in enumerate(rule["family"]):
            row, name = rows[f"row{e}"], f"{what} row{e}"
            self.check_size(name, row, (events.change[i], events.low[i], events.high[i], events.base[i]))
            verdict = "slower" if events.slower[i] else "faster" if events.faster[i] else "~"
            if events.is_two and not in_turns:
                verdict = "undecided"
            self.tally.met[f"event {verdict}"] += 1
            self.tally.check(f"{name} verdict", row["verdict"], verdict)

    def check_diff(self, what, case):
        """diff judges as gate does with the default rules."""
        case = dataclasses.replace(case, rules=[], is_gate=False)
        expected = Expected(case)
        status, tables = self.tables("diff", case, what, "--exit_code")
        if tables is None or any(is_near(case, rule) for rule in expected.rules):
            return tables
        self.tally.check(f"{what} status", status, STATUSES[expected.verdict])
        self.tally.check(f"{what} outcome", tables["summary"][0]["outcome"], OUTCOMES[expected.verdict])
        self.tally.met[f"{expected.verdict} {case.in_turns}"] += 1
        if expected.has_files:
            op, total = expected.rules
            self.check_total(f"{what} total", next(row for row in tables["total"] if row["total"] == "Method::execute"), total["total"])
            if "events" in op:
                self.check_events(what, {row["op"]: row for row in tables["events"]}, op, case.in_turns)
        return tables

    def check_gate(self, what, case):
        expected = Expected(case)
        what += " gate"
        status, tables = self.tables("gate", case, what, *rule_words(case))
        if tables is None or any(is_near(case, rule) for rule in expected.rules):
            return
        self.tally.check(f"{what} status", status, STATUSES[expected.verdict])
        rows = [row for row in tables["rules"]]
        self.tally.check(f"{what} rules", len(rows), len(expected.rules))
        for row, rule in zip(rows, expected.rules):
            self.tally.check(f"{what} {row['rule']}", row["verdict"], rule["verdict"])

    def check_case(self, seed, number):
        case, what = random_case(seed, number), f"case {number}"
        tables = self.check_diff(what, case)
        self.check_diff(f"{what} exchanged", case.exchanged())
        self.check_gate(what, case)
        rng = np.random.default_rng([seed, number, 1])
        other = dataclasses.replace(case, base=case.base.reordered(rng.permutation(len(case.base.runs))), rules=[])
        other.new = case.new.reordered(rng.permutation(len(case.new.runs)))
        _, reordered = self.tables("diff", other, what, "--exit_code")
        for name in ("summary", "total", "events"):
            self.tally.check(f"{what} reordered {name}", reordered and reordered[name], tables and tables[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        comparison = Comparison(options.build, directory, tally)
        numbers = range(options.first, options.first + options.cases)
        list(pool.map(lambda number: comparison.check_case(options.seed, number), numbers))
    if options.cases >= 100:
        outcomes = [f"{verdict} {in_turns}" for verdict in STATUSES for in_turns in (False, True)]
        for name in (*outcomes, "total slower", "total faster", "event slower", "event faster", "two readings"):
            tally.check(f"a case has: {name}", tally.met[name] > 0, True)
    print(f"verdicts: {tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)


if __name__ == "__main__":
    main()
