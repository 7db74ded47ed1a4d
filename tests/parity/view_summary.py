"""Compares `etinspect summary`, `runs` and `alloc` with the same results, computed by numpy from the output of ExecuTorch's
own reader and the Inspector for each testdata case.

    view_summary.py [--build BUILD]

Self times are computed here from the definition, interval by interval, not as etinspect does: the parent of an event is the
shortest one that contains it. Ends in "view_summary: N passed, N failed, N skipped".
"""

import argparse
import collections
import csv
import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
from executorch.devtools import Inspector
from executorch.devtools.etdump.serialize import deserialize_from_etdump_flatcc

from view_diff import warm_up

PARTS = {
    "operators outside delegates": "operators",
    "delegate calls: logged": "delegate",
    "delegate calls: not logged": "not_logged",
    "framework: around operators": "around",
    "framework: other instructions": "other",
    "framework: between instructions": "execute",
}


def printed(build, *arguments):
    """Returns the tables of a report: title to rows, each a dictionary."""
    units = [] if arguments[0] == "alloc" else ["--no_include_units"]
    command = [f"{build}/etinspect", *arguments, "--format", "tsv", *units]
    text = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    tables = {}
    for section in text.split("\n\n"):
        lines = section.rstrip("\n").split("\n")
        title = "" if "\t" in lines[0] else lines.pop(0)
        names, *rows = csv.reader(lines, delimiter="\t")
        tables[title] = [dict(zip(names, row)) for row in rows]
    return tables


def profile_events(run):
    return [event.profile_event for event in run.events or [] if event.profile_event]


def is_delegated(event):
    return event.delegate_debug_id_int not in (-1, None) or bool(event.delegate_debug_id_str)


def own_times(events):
    """Returns self ticks and the index of the parent of each profile event, in recorded order."""
    n = len(events)
    parents = [None] * n
    for i, event in enumerate(events):
        if is_delegated(event):
            same = [
                j
                for j, call in enumerate(events)
                if call.name == "DELEGATE_CALL"
                and not is_delegated(call)
                and (call.instruction_id, call.chain_index) == (event.instruction_id, event.chain_index)
            ]
            later = [j for j in same if j > i]
            if same:
                parents[i] = min(later) if later else max(same)
                continue
        holders = [
            j
            for j, outer in enumerate(events)
            if j != i
            and (not is_delegated(outer))
            and outer.start_time <= event.start_time
            and event.end_time <= outer.end_time
            and ((outer.start_time, outer.end_time) != (event.start_time, event.end_time) or j > i)
        ]
        # of equally long ones the one recorded first is the innermost
        parents[i] = min(holders, key=lambda j: (events[j].end_time - events[j].start_time, j), default=None)
    own = [event.end_time - event.start_time for event in events]
    result = list(own)
    for i, parent in enumerate(parents):
        if parent is not None and not is_delegated(events[i]):
            result[parent] -= own[i]
    for call in {parents[i] for i in range(n) if is_delegated(events[i])} - {None}:
        inside = [i for i in range(n) if is_delegated(events[i]) and parents[i] == call]
        room, total, before = result[call], sum(own[i] for i in inside), 0
        if total <= room:
            result[call] = room - total
            continue
        result[call] = 0
        for i in inside:
            result[i] = room * (before + own[i]) // total - room * before // total
            before += own[i]
    return result, parents


def part_of(event, is_only):
    if is_delegated(event):
        return "delegate"
    if event.name.startswith("native_call_"):
        return "operators"
    if event.name == "OPERATOR_CALL":
        return "operators" if is_only else "around"
    return {"DELEGATE_CALL": "not_logged", "Method::execute": "execute"}.get(event.name, "other")


def is_inference(run):
    return any(not (event.name or "").startswith(("Method::i", "Program::")) for event in profile_events(run))


def fold(name):
    return re.sub(r" *#[0-9]+$|_[0-9]+$", "", name) if re.search(r".[#_][0-9]+$", name) else name


class Case:
    """Computes the expected result for one dump."""

    def __init__(self, path):
        dump = deserialize_from_etdump_flatcc(path.read_bytes())
        self.runs = {number: run for number, run in enumerate(dump.run_data) if is_inference(run)}
        self.parts = {}
        self.ops = collections.defaultdict(lambda: collections.Counter())
        self.own = {}  # per run: self ticks by part, operator and Event
        self.elapsed = {}
        for number, run in self.runs.items():
            events = profile_events(run)
            own, parents = own_times(events)
            parts = collections.Counter()
            self.own[number] = collections.Counter()
            has_kernels = any((event.name or "").startswith("native_call_") for event in events)
            for i, event in enumerate(events):
                part = part_of(event, i not in parents and not has_kernels)
                parts[part] += own[i]
                op = None
                if part in ("operators", "delegate"):
                    id_int = event.delegate_debug_id_int
                    name = str(id_int) if id_int not in (-1, None) else event.delegate_debug_id_str or event.name
                    op = fold(name)
                    self.ops[op][number] += own[i]
                ids = (event.delegate_debug_id_int, event.delegate_debug_id_str, event.instruction_id)
                self.own[number][(part, op, event.name, *ids)] += own[i]
            self.parts[number] = parts
            whole = [event for event in events if event.name == "Method::execute"]
            self.elapsed[number] = (whole[-1].end_time - whole[-1].start_time) / 1e6


    def weights(self, blocks):
        """Returns, by part and by operator, the sum over Events of twice the median of their self ticks x their runs."""
        parts, ops = collections.Counter(), collections.Counter()
        for numbers in blocks:
            for key in set().union(*(self.own[number] for number in numbers)):
                ticks = sorted(self.own[number][key] for number in numbers if key in self.own[number])
                weight = len(ticks) * (ticks[(len(ticks) - 1) // 2] + ticks[len(ticks) // 2])
                parts[key[0]] += weight
                ops[key[1]] += weight
        return parts, ops


class Checker:
    def __init__(self, build):
        self.build = build
        self.passed = self.failed = self.skipped = 0

    def same(self, what, found, expected):
        if found == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: expected {expected!r}, found {found!r}")

    def close(self, what, found, expected):
        self.same(what, abs(found - expected) < 1e-12, True)

    def check_runs(self, name, case, path):
        rows = printed(self.build, "runs", path, "--columns", "all")[""]
        by_number = {int(row["dump_run"]): row for row in rows}
        self.same(f"{name}: runs", sorted(by_number), sorted(case.runs))
        for number, row in by_number.items():
            parts = case.parts[number]
            framework = parts["around"] + parts["other"] + parts["execute"]
            expected = [case.elapsed[number]]
            expected += [ticks / 1e6 for ticks in (parts["operators"], parts["delegate"], parts["not_logged"], framework)]
            columns = ("elapsed", "operators", "delegate", "delegate_not_logged", "framework")
            self.same(f"{name}: run {number}", [float(row[column]) for column in columns], expected)
        for key in {(row["block"], row["bundled_input_index"]) for row in rows}:
            self.check_flags(name, [row for row in rows if (row["block"], row["bundled_input_index"]) == key])

    def check_flags(self, name, rows):
        """Returns rows of one block; blocks with the same name are distinguished by the numbers of runs, which restart."""
        starts = [i for i, row in enumerate(rows) if row["run"] == "0"] + [len(rows)]
        for first, end in zip(starts, starts[1:]):
            block = rows[first:end]
            settled = np.array([float(row["elapsed"]) for row in block if row["flag"] != "warm-up"])
            median = np.median(settled)
            mad = np.median(np.abs(settled - median))
            for row in block:
                elapsed = float(row["elapsed"])
                self.same(f"{name}: deviation", float(row["deviation"]), elapsed / median - 1)
                if mad > 0 and row["flag"] != "warm-up":
                    z = 0.6745 * (elapsed - median) / mad
                    self.same(f"{name}: z", float(row["z"] or "nan"), z)
                    self.same(f"{name}: outlier", row["flag"] == "outlier", abs(z) > 3.5 and len(settled) >= 5)

    def check_summary(self, name, case, path):
        tables = printed(self.build, "summary", path, "--sort", "total:desc", "--top", "1000")
        account = {row["part"]: row for row in tables["Where the time goes"]}
        blocks = self.blocks_that_count(path, case)
        order = [number for numbers in blocks for number in numbers]
        of_parts, of_ops = case.weights(blocks)
        whole = sum(of_parts.values())
        for part, key in PARTS.items():
            sums = np.array([case.parts[number][key] / 1e6 for number in order])
            row = account.get(part)
            if row is None:
                self.same(f"{name}: {part}", sums.sum(), 0)
                continue
            share = of_parts[key] / whole
            found = [float(row[column]) for column in ("p50", "avg", "share")]
            self.same(f"{name}: {part}", found, [np.median(sums), np.mean(sums), share])
        shares = [float(row["share"]) for row in tables["Where the time goes"][:-1]]
        self.close(f"{name}: shares of the account", sum(shares), 1)
        self.close(f"{name}: shares of backends", sum(float(row["share"]) for row in tables["Delegated or not"]), 1)
        rows = [row for row in tables["Operators"] if not row["op"].startswith("(")]
        for row in rows:
            by_run = {number: case.ops[row["op"]][number] for number in order}
            expected = [sum(by_run.values()) / 1e6, of_ops[row["op"]] / whole]
            self.same(f"{name}: {row['op']}", [float(row["total"]), float(row["share"])], expected)
        self.same(f"{name}: operators", sorted(row["op"] for row in rows), sorted(case.ops))
        self.close(f"{name}: shares of operators", sum(float(row["share"]) for row in tables["Operators"]), 1)

    def blocks_that_count(self, path, case):
        """Returns the runs after the warm-up of each block, in the order of its runs."""
        rows = printed(self.build, "runs", path, "--columns", "all")[""]
        starts = [i for i, row in enumerate(rows) if row["run"] == "0"] + [len(rows)]
        blocks = []
        for first, end in zip(starts, starts[1:]):
            numbers = [int(row["dump_run"]) for row in rows[first:end]]
            blocks.append(numbers[warm_up([sum(case.parts[number].values()) for number in numbers]) :])
        return blocks

    def check_inspector(self, name, path):
        """The Inspector's own numbers: elapsed times of Method::execute and of loading."""
        with redirect_stdout(io.StringIO()):
            inspector = Inspector(etdump_path=str(path))
        executes = [
            sample
            for block in inspector.event_blocks
            for event in block.events
            if event.name == "Method::execute"
            for sample in event.perf_data.raw
        ]
        rows = printed(self.build, "runs", path, "--columns", "all")[""]
        self.same(f"{name}: Inspector's runs", [float(row["elapsed"]) for row in rows], executes)
        facts = {row["fact"]: row["value"] for row in printed(self.build, "summary", path)["Profile"]}
        for fact, event_name in (("loading the method", "Program::load_method"), ("Method::init", "Method::init")):
            times = [e.perf_data.p50 for b in inspector.event_blocks for e in b.events if e.name == event_name]
            if times:
                self.same(f"{name}: {fact}", float(facts[fact]), times[0])
        steady = [float(row["elapsed"]) for row in rows if row["flag"] != "warm-up"]
        rate = float(facts["inferences per second (avg)"])
        self.close(f"{name}: rate", rate * (sum(steady) / 1e3) / len(steady) - 1, 0)

    def check_allocations(self, path):
        dump = deserialize_from_etdump_flatcc(path.read_bytes())
        expected = collections.defaultdict(lambda: collections.defaultdict(list))
        for number, run in enumerate(dump.run_data):
            for event in run.events:
                if event.allocation_event:
                    name = run.allocators[event.allocation_event.allocator_id].name
                    expected[name][number].append(event.allocation_event.allocation_size)
        tables = printed(self.build, "alloc", path)
        found = [[row["allocator"], *map(int, list(row.values())[1:])] for row in tables["Allocators"]]
        self.same(
            "alloc: allocators",
            found,
            [
                [
                    name,
                    sum(map(len, runs.values())),
                    sum(map(sum, runs.values())),
                    max(map(max, runs.values())),
                    max(map(sum, runs.values())),
                    len(runs),
                ]
                for name, runs in expected.items()
            ],
        )
        found = {(row["allocator"], int(row["dump_run"])): int(row["bytes"]) for row in tables["Runs"]}
        self.same(
            "alloc: runs", found, {(name, number): sum(sizes) for name, runs in expected.items() for number, sizes in runs.items()}
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    checker = Checker(parser.parse_args().build)
    for path in sorted(Path("testdata").glob("*/run.etdp")):
        name, case = path.parent.name, Case(path)
        checker.check_runs(name, case, path)
        checker.check_summary(name, case, path)
        if name == "allocation-events":
            checker.check_allocations(path)
        else:
            checker.check_inspector(name, path)
    print(f"view_summary: {checker.passed} passed, {checker.failed} failed, {checker.skipped} skipped")
    return checker.failed > 0


if __name__ == "__main__":
    sys.exit(main())
