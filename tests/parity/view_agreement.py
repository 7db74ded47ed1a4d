"""Compares the views of each testdata case and of random profiles with each other: their shares sum to 100 %, and all of
them have the same time for each operator, module and line of source.

    view_agreement.py [--build BUILD] [--cases N] [--seed N]

The total is added up here from the self times in `runs --events`, run by run, without the warm-up, which is found here from
its definition (src/stats/stats.h). Ends in "view_agreement: N passed, N failed, N skipped".
"""

import argparse
import collections
import contextlib
import json
import math
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from executorch.devtools.etdump import schema_flatcc as schema

from random_dump import Dump
from view_diff import warm_up

LOADING = re.compile(r"(Method|Program)::(?!execute$)")
FRAMEWORK, UNKNOWN = "(framework)", "(unknown)"
KERNELS = ("addmm", "permute_copy", "relu", "view_copy", "add", "native_layer_norm", "bmm", "expand_copy", "of_no_node")
RECORDS = ("mlp", "transformer", "xnnpack-conv", "delegate-ids", "bundled-inputs", None)


# ---------------------------------------------------------------- random profiles


def event(name, start, end, instruction_id=-1, delegate_id=None):
    chain = 0 if instruction_id >= 0 else -1
    return schema.Event(schema.ProfileEvent(name, chain, instruction_id, -1, delegate_id, None, start, end), None, None)


def make_instruction(rng, number):
    """Describes an instruction in every run: (kind, name, ids logged by its delegate)."""
    kind = rng.choice(("kernel", "kernel", "call", "delegate", "other"))
    name = {"delegate": "DELEGATE_CALL", "other": "MOVE_CALL"}.get(kind, f"native_call_{rng.choice(KERNELS)}.out")
    logged = [f"op {rng.randint(0, 3)} #{i}" for i in range(rng.choice((0, 1, 3)))] if kind == "delegate" else []
    return kind, number, name, logged


def make_run(rng, name, program, start, is_broken, slow):
    def ticks(most):
        return slow * rng.randint(0, most)

    events, at = [], start + ticks(50)
    for kind, number, label, logged in program:
        inner, length = at + ticks(9), ticks(1000)
        for delegate_id in logged:
            first = rng.randint(0, 10**6)
            events.append(event(None, first, first + ticks(400), number, delegate_id))
        events.append(event(label, inner, inner + length, number))
        at = inner + length
        if kind == "call":
            at += ticks(20)
            events.append(event("OPERATOR_CALL", inner - rng.randint(0, 2), at, number))
        if is_broken and rng.random() < 0.3:
            at = max(0, at - ticks(300))
    events.append(event("Method::execute", start, at + ticks(100)))
    for made in events:  # a 32-bit clock
        profile = made.profile_event
        profile.start_time, profile.end_time = profile.start_time % 2**32, profile.end_time % 2**32
    return schema.RunData(name, -1, None, events)


def random_profile(rng):
    runs, start = [], rng.choice((1000, 2**32 - 20000))
    for block in range(rng.choice((1, 1, 2))):
        program = [make_instruction(rng, rng.choice((i, i, rng.randint(0, i)))) for i in range(rng.randint(1, 9))]
        is_broken = rng.random() < 0.3
        for run in range(rng.choice((1, 3, 8, 20))):
            slow = rng.choice((3, 5)) if run < 3 else 1
            runs.append(make_run(rng, f"Execute{block}", program, start, is_broken, slow))
            start = (start + 3000) % 2**32
    return Dump(runs)


# ---------------------------------------------------------------- views


class Case:
    """A profile as the views show it."""

    def __init__(self, program, files):
        self.program, self.files = program, files

    def show(self, *arguments):
        command = [self.program, *arguments, *self.files, "--format", "json", "--target_time_scale", "ns"]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["tables"]

    def store(self, database):
        command = [self.program, *self.files, "--output", database, "--target_time_scale", "ns"]
        subprocess.run(command, check=True, capture_output=True)
        return contextlib.closing(sqlite3.connect(database))

    def times(self, table, key, time="total"):
        sums = collections.defaultdict(float)
        for row in table:
            if row[time] is not None:
                sums[key(row)] += row[time]
        return sums


def key_of_group(group):
    return lambda row: row[group]


def key_of_line(row):
    return f"{row['path']}:{row['line']}" if row["path"] else row["file"]


def key_of_node(column):
    return lambda row: row[column] or (FRAMEWORK if row["op"] == FRAMEWORK else UNKNOWN)


def key_of_event(column):
    return lambda row: FRAMEWORK if row["op_type"] in (None, FRAMEWORK) else row[column] or UNKNOWN


def check_events(result, what, case, by):
    """Rows that are not counted have no share."""
    rows = [row for row in case.show("events", "--columns", "all")["events"] if row["share"] is not None]
    for row in rows:
        row["total"] = row["self_time"] * row["run_count"]
    for group, column in (("op", "op_type"), ("module", "module"), ("source", "source")):
        result.same_times(f"{what} {group}: events", case.times(rows, key_of_event(column)), by[group])
    for block in {row["block"] for row in rows}:
        result.sums_to_one(f"{what} events of {block}", [row for row in rows if row["block"] == block])


def check_database(result, what, case, by, has_methods):
    with tempfile.TemporaryDirectory() as folder, case.store(Path(folder) / "profile.db") as database:
        for group in by:
            if group == "method" and has_methods:  # whole methods; each is a block
                blocks = database.execute("SELECT sum(total) FROM method_list GROUP BY block_id")
                result.check(f"{what} methods: database", sorted(total for total, in blocks), sorted(by["method"].values()))
                continue
            found = dict(database.execute(f"SELECT {group}, sum(total) FROM {group}_list GROUP BY {group}"))
            result.same_times(f"{what} {group}: database", found, by[group])
            for block, sum_of_shares in database.execute(
                f"SELECT block_id, sum(share) FROM {group}_list WHERE share IS NOT NULL GROUP BY block_id"
            ):
                result.check(f"{what} {group}: shares of block {block} in the database", sum_of_shares, 1.0)
        unknown = "SELECT op_type FROM events WHERE p50 IS NOT NULL AND op_type NOT IN (SELECT op FROM op_list)"
        has_list = database.execute("SELECT count(*) FROM op_list").fetchone()[0] > 0
        result.check(f"{what} operators of the database", database.execute(unknown).fetchall() if has_list else [], [])


def union_of(intervals):
    """Returns the time in which at least one of the intervals runs. Clocks of 32 bits may wrap around between two of them."""
    total, latest, last = 0, None, max(start for start, _ in intervals)
    passed = [2**32 if last - start > 2**31 else 0 for start, _ in intervals]
    for start, end in sorted((start + by, end + by) for (start, end), by in zip(intervals, passed)):
        start = start if latest is None else max(start, latest)
        total += max(end - start, 0)
        latest = end if latest is None else max(end, latest)
    return total


def whole_of(result, what, rows):
    """Returns the sum of self times of all runs after the warm-up; flags must follow the definition."""
    runs = collections.defaultdict(lambda: collections.defaultdict(int))
    intervals = collections.defaultdict(lambda: collections.defaultdict(list))
    running = {row["block"] for row in rows if not LOADING.match(row["event_name"])}
    rows = [row for row in rows if not running or row["block"] in running]
    flagged = collections.defaultdict(set)
    n_warm_up = 0
    for row in rows:
        if row["share"] is None and row["self"] == 0:
            runs[row["block"], row["dump"]][row["run"]] += 0
        elif row["share"] is not None:
            runs[row["block"], row["dump"]][row["run"]] += round(row["self"])
        if not row["is_delegated_op"] and row["elapsed"] >= 0:
            start = row["start_time"]
            intervals[row["block"], row["dump"]][row["run"]].append((start, start + round(row["elapsed"])))
        if row["flag"] == "warm-up":
            flagged[row["block"], row["dump"]].add(row["run"])
    total = 0
    for block, times in runs.items():
        numbers = sorted(times)
        skip = warm_up([union_of(intervals[block][number]) for number in numbers])
        result.check(f"{what} warm-up of {block}", sorted(flagged[block]), numbers[:skip])
        total += sum(times[number] for number in numbers[skip:])
        n_warm_up += skip
    return total, n_warm_up


class Result:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, what, found, expected):
        same = found == expected
        if isinstance(expected, float):
            same = math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-6)
        self.passed += same
        self.failed += not same
        if not same:
            print(f"FAILED {what}: found {found}, expected {expected}")

    def same_times(self, what, found, expected):
        found, expected = ({key: time for key, time in times.items() if time != 0} for times in (found, expected))
        same = found.keys() == expected.keys() and all(math.isclose(found[k], expected[k], rel_tol=1e-9) for k in found)
        self.check(what, found if not same else 0, expected if not same else 0)

    def no_more_times(self, what, found, others, expected):
        """Checks that `found` are parts of the expected times, and the rest are `others`."""
        most = all(time <= expected.get(key, 0) * (1 + 1e-9) for key, time in found.items())
        whole = math.isclose(sum(found.values()) + sum(others.values()), sum(expected.values()), rel_tol=1e-9)
        self.check(what, 0 if most and whole else dict(found), 0 if most and whole else dict(expected))

    def sums_to_one(self, what, rows, column="share"):
        if rows:
            self.check(f"{what}: shares", abs(sum(row[column] or 0 for row in rows) - 1) <= 1e-9, True)


def check_views(result, what, case):
    whole, n_warm_up = whole_of(result, what, case.show("runs", "--events", "--columns", "all")["runs"])
    groups = {g: case.show("--group", g)["groups"] for g in ("op", "module", "source", "backend", "block", "method")}
    by = {group: case.times(rows, key_of_group(group)) for group, rows in groups.items()}
    ops, tree = case.show("ops")["ops"], case.show("tree", "--fold", "0", "--columns", "all")["modules"]
    lines = case.show("source", "--context", "0", "--columns", "all")["lines"]
    summary, folded = case.show("summary", "--top", "1000"), case.show("summary")
    has_time = whole > 0
    for group, times in by.items():
        result.check(f"{what} whole of {group}", float(sum(times.values())), float(whole))
    result.same_times(f"{what} op: ops", case.times(ops, key_of_group("op")), by["op"])
    result.same_times(f"{what} op: summary", case.times(summary["operators"], key_of_group("op")), by["op"])
    result.same_times(f"{what} module: tree", case.times(tree, key_of_group("module"), "self"), by["module"])
    result.same_times(f"{what} source: source", case.times(lines, key_of_line), by["source"])
    nodes = [row for row in case.show("graph", "--columns", "all")["nodes"] if row["total"] is not None]
    for group, column in (("op", "op"), ("module", "module"), ("source", "source")) if nodes else ():
        # Methods that the graph does not show have a row each, whose time is that of their groups.
        others = [row for row in nodes if str(row["op"]).startswith("(method ")]
        if others:
            shown = [row for row in nodes if row not in others]
            result.no_more_times(
                f"{what} {group}: graph", case.times(shown, key_of_node(column)), case.times(others, key_of_node("op")), by[group]
            )
            continue
        result.same_times(f"{what} {group}: graph", case.times(nodes, key_of_node(column)), by[group])
    check_events(result, what, case, by)
    has_methods = "method" in groups["op"][0] if groups["op"] else False
    check_database(result, what, case, by, has_methods)
    if not has_time:
        return n_warm_up
    for group, rows in groups.items():
        result.sums_to_one(f"{what} {group}", rows)
        result.check(f"{what} {group}: cumulative", float(rows[-1]["cumulative"]), 1.0)
    parts = [row for row in summary["account"][:-1] if not (has_methods and row["part"] == "Method::execute")]
    for view, rows in (("ops", ops), ("source", lines), ("graph", nodes), ("backends", summary["backends"]),
                       ("account", parts), ("operators", summary["operators"]),
                       ("first operators", folded["operators"])):  # fmt: skip
        result.sums_to_one(f"{what} {view}", rows)
    result.sums_to_one(f"{what} tree: own", tree, "self_share")
    result.sums_to_one(f"{what} tree: outermost", [row for row in tree if row["level"] == 0])
    return n_warm_up


# ---------------------------------------------------------------- all


def records_of(case):
    for name in ("record-forward.etrecord", "record.etrecord"):
        if (case / name).exists():
            return [case / name]
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = Path(arguments.build).resolve() / "etinspect"
    result, n_warm_up = Result(), 0
    for case in sorted(path.parent for path in Path("testdata").glob("*/run.etdp")):
        for record in {tuple(records_of(case)), ()}:
            check_views(result, f"{case.name} {len(record)}", Case(program, [case / "run.etdp", *record]))
    with tempfile.TemporaryDirectory() as directory:
        for number in range(arguments.cases):
            rng = random.Random(f"{arguments.seed} {number}")
            path = Path(directory) / "run.etdp"
            path.write_bytes(random_profile(rng).to_bytes())
            record = rng.choice(RECORDS)
            files = [path, *(records_of(Path("testdata") / record) if record else [])]
            n_warm_up += check_views(result, f"random {number}", Case(program, files))
    result.check("some runs warmed up", n_warm_up > 0, True)
    print(f"view_agreement: {result.passed} passed, {result.failed} failed, {result.skipped} skipped")
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main())
