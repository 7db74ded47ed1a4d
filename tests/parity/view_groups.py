"""Compares `etinspect --group` and `etinspect tree` with pandas over the real Inspector's Events.

    view_groups.py [--build BUILD]

Keys come from Event.op_types, module_hierarchy, stack_traces and delegate_backend_name; self times from Event.start_time
and perf_data.raw, interval by interval. Cases in which the Inspector keeps one Event of several (loops) or a delegate's
events are longer than its call are skipped: their self times cannot be computed from Events. Ends in "view_groups: N
passed, N failed, N skipped".
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
import pandas as pd
from executorch.devtools import Inspector
from executorch.devtools.inspector import TimeScale
from places import common_frames, common_modules
from view_diff import warm_up

LOADING = re.compile(r"(Method|Program)::(?!execute$)")
STATISTICS = ["total", "p50", "avg", "min", "max"]


def own_times(events, run):
    """Returns self time and parent of each event in one run; None if Events do not determine them."""
    start = [int(e.start_time[run]) for e in events]
    end = [s + int(e.perf_data.raw[run]) for s, e in zip(start, events)]
    parents = []
    for i, event in enumerate(events):
        if event.is_delegated_op:
            calls = [
                j
                for j, c in enumerate(events)
                if c.name == "DELEGATE_CALL" and c._instruction_id == event._instruction_id
            ]
            parents.append(calls[0] if calls else None)
            continue
        around = [
            j
            for j, e in enumerate(events)
            if j != i
            and not e.is_delegated_op
            and start[j] <= start[i]
            and end[i] <= end[j]
            and ((start[j], end[j]) != (start[i], end[i]) or j > i)
        ]
        parents.append(min(around, key=lambda j: (end[j] - start[j], j), default=None))
    own = [e - s for s, e in zip(start, end)]
    for i, parent in enumerate(parents):
        if parent is not None:
            own[parent] -= end[i] - start[i]
    return (own, parents) if min(own, default=0) >= 0 else (None, parents)


def modules_of(event):
    shared = common_modules((event.module_hierarchy or {}).values())
    return shared and [path for path, _ in shared]


def frames_of(event):
    return common_frames((event.stack_traces or {}).values())


def fold(name):
    return re.sub(r"(?<=.)(?: *#| *_)\d+$", "", name)


def operator_of(event):
    """Of several operators a kernel is the one after which it is named."""
    ops = list(event.op_types)
    kernel = re.match(r"native_call_([^.]*)", event.name)
    named = [op for op in ops if kernel and op.split(".")[1:2] == [kernel[1]]]
    ops = set(named if len(ops) > 1 and named else ops)
    if len(ops) > 1:
        return "(several operators)"
    return ops.pop() if ops else fold(event.name)


class Row:
    """An event with the data that groupings need."""

    def __init__(self, i, events, parents, has_kernels):
        event = events[i]
        inside = {p for p in parents if p is not None}
        outer = event
        if event.is_delegated_op and parents[i] is not None:
            outer = events[parents[i]]
        is_call = event.name == "DELEGATE_CALL"
        parent = events[parents[i]].name if parents[i] is not None else ""
        is_kernel = event.name.startswith("native_call_") or parent == "OPERATOR_CALL"
        leaf_call = event.name == "OPERATOR_CALL" and i not in inside and not has_kernels
        self.is_work = event.is_delegated_op or is_call or is_kernel or leaf_call
        self.op = operator_of(event)
        if is_call and i in inside:
            self.op = "(delegate, not logged)"
        self.modules = modules_of(event)
        self.frames = frames_of(event)
        if self.modules is None and self.frames is None:
            self.modules, self.frames = modules_of(outer), frames_of(outer)
        delegated = event.is_delegated_op or is_call
        backend = event.delegate_backend_name or outer.delegate_backend_name
        self.backend = (backend or "(unknown)") if delegated else "(not delegated)"

    def key(self, group):
        if not self.is_work:
            return "(framework)"
        if group == "op":
            return self.op
        if group == "backend":
            return self.backend
        if group == "source":
            if self.frames is None:
                return "(unknown)"
            return ":".join(self.frames[-1]) if self.frames else "(several lines)"
        depth = int(group[7:]) + 1 if group.startswith("module:") else None
        return self.modules[:depth][-1] if self.modules else "(unknown)"


def rows_of(inspector):
    """Yields one row per event and run: (Row, run, self time); None if Events do not determine it."""
    rows, n_runs = [], 0
    for block in inspector.event_blocks:
        events = [e for e in block.events if e.perf_data is not None and e.perf_data.raw]
        if not events or all(LOADING.match(e.name) for e in events):
            continue
        has_kernels = any(e.name.startswith("native_call_") for e in events)
        runs = [own_times(events, run) for run in range(len(events[0].perf_data.raw))]
        if any(own is None for own, _ in runs):
            return None
        described = [Row(i, events, runs[0][1], has_kernels) for i in range(len(events))]
        for own, _ in runs[warm_up([sum(own) for own, _ in runs]) :]:
            rows += [(row, n_runs, time) for row, time in zip(described, own)]
            n_runs += 1
    return rows


def weights_of(rows):
    """Returns, for each Row, the Row and twice the median of its self times x its runs."""
    times = {}
    for row, _, own in rows:
        times.setdefault(id(row), (row, []))[1].append(own)
    answer = {}
    for key, (row, ticks) in times.items():
        ticks.sort()
        answer[key] = (row, len(ticks) * (ticks[(len(ticks) - 1) // 2] + ticks[len(ticks) // 2]))
    return answer


def expected_groups(rows, group):
    table = pd.DataFrame({"key": [r.key(group) for r, _, _ in rows], "run": [n for _, n, _ in rows],
                          "own": [t for _, _, t in rows]})
    sums = table.groupby(["key", "run"])["own"].sum().groupby("key")
    weights = weights_of(rows)
    of_keys = collections.Counter()
    for row, weight in weights.values():
        of_keys[row.key(group)] += weight
    whole = sum(of_keys.values())
    answer = {}
    for key, values in sums:
        values = values.to_numpy()
        answer[key] = {
            "total": float(values.sum()),
            "share": of_keys[key] / whole,
            "share_mean": float(values.sum()) / float(table["own"].sum()),
            "p50": float(np.percentile(values.astype(float), 50)),
            "avg": float(np.mean(values.astype(float))),
            "min": float(values.min()),
            "max": float(values.max()),
        }
    return answer


def printed(build, case, *arguments):
    command = [f"{build}/etinspect", *arguments, f"{case}/run.etdp", f"{record_of(case)}", "--format", "tsv",
               "--no_include_units", "--target_time_scale", "ns"]
    text = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def compare_groups(build, case, rows, group):
    wanted = expected_groups(rows, group)
    name = group.split(":")[0]
    found = {row[name]: row for row in printed(build, case, "--group", group, "--columns", "all")}
    wrong = [f"keys {sorted(found)} instead of {sorted(wanted)}"] if set(found) != set(wanted) else []
    for key in set(found) & set(wanted):
        for column, value in wanted[key].items():
            if float(found[key][column]) != value:
                wrong.append(f"{key}: {column} is {found[key][column]}, not {value!r}")
    return wrong


def compare_tree(build, case, rows):
    """Checks that every module's time is that of the rows whose modules begin with it."""
    wrong = []
    weights = weights_of(rows).values()
    whole = sum(weight for _, weight in weights)
    for line in printed(build, case, "tree", "--fold", "0", "--columns", "module,total,share"):
        if line["module"] in ("(framework)", "(unknown)"):
            continue
        inside = [t for r, _, t in rows if r.is_work and r.modules and line["module"] in r.modules]
        share = sum(w for r, w in weights if r.is_work and r.modules and line["module"] in r.modules) / whole
        if float(line["total"]) != sum(inside) or float(line["share"]) != share:
            wrong.append(f"{line['module']}: {line['total']} instead of {sum(inside)}")
    return wrong


def record_of(case):
    forward = case / "record-forward.etrecord"
    return forward if forward.exists() else case / "record.etrecord"


# A record that the Inspector cannot read, because of its age; loops; and facts that only etinspect has: attributions of delegated events, which delegates.py compares, and blocks of
# another method than the record's.
LEFT_OUT = ("outlier", "control-flow", "xnnpack-conv", "multi-method", "prefill-decode", "layouts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    build = parser.parse_args().build
    passed = failed = skipped = 0
    for case in sorted(Path("testdata").glob("*/")):
        rows = None
        if record_of(case).exists() and not case.name.startswith(LEFT_OUT):
            with redirect_stdout(sys.stderr):
                inspector = Inspector(etdump_path=str(case / "run.etdp"), etrecord=str(record_of(case)),
                                      source_time_scale=TimeScale.NS, target_time_scale=TimeScale.NS)
            rows = rows_of(inspector)
        if not rows:
            skipped += 1
            continue
        checks = [(g, compare_groups(build, case, rows, g)) for g in ("op", "backend", "module", "module:1", "source")]
        checks.append(("tree", compare_tree(build, case, rows)))
        for what, wrong in checks:
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
            for line in wrong:
                print(f"FAILED {case.name} {what}: {line}")
    print(f"view_groups: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
