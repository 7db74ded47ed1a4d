"""Compares every column that `etinspect --list_columns` names and the Inspector's table lacks, to the last bit.

    view_columns.py [--build BUILD]

Statistics come from numpy over Event.perf_data.raw; self times from the stamps of all profile events of the ETDump,
interval by interval; shares and self times leave out the warm-up, computed here from its definition (src/stats/stats.h);
modules and lines from nn_module_stack and stack_trace of the nodes of get_exported_program() that have the Event's debug
handles, or else those of the event around it. Ends in "view_columns: N passed, N failed, N skipped"; a block's self times
are skipped if a delegate logged more time than its call took.
"""

import argparse
import csv
import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
from executorch.devtools import Inspector
from executorch.devtools.inspector._inspector import RESERVED_FRAMEWORK_EVENT_NAMES
from executorch.devtools.inspector._inspector_utils import gen_etdump_object
from places import common_frames, common_modules
from view_diff import warm_up
from view_groups import operator_of

CASES = sorted(path.parent for path in (Path(__file__).resolve().parents[2] / "testdata").glob("*/table.tsv"))
NANOSECONDS = 1e6  # in a millisecond


# ---- equality --------------------------------------------------------------------


def key_of_logged(event):
    """Identity of an event in the ETDump: name, instruction, delegate's number, delegate's name."""
    number = None if event.delegate_debug_id_int in (None, -1) else event.delegate_debug_id_int
    text = event.delegate_debug_id_str or None
    name = event.name or "" if (number, text) == (None, None) else str(number if text is None else text)
    return (name, event.instruction_id, number, text)


def key_of(event):
    """Identity of an Event."""
    identifier = event.delegate_debug_identifier
    number = identifier if isinstance(identifier, int) else None
    text = identifier if isinstance(identifier, str) else None
    return (event.name, -1 if event._instruction_id is None else event._instruction_id, number, text)


# ---- self times ---------------------------------------------------------------------------------


class Call:
    """A profile event of a run."""

    def __init__(self, event):
        self.key = key_of_logged(event)
        self.name, self.instruction, number, text = self.key
        self.is_delegated = (number, text) != (None, None)
        self.chain = event.chain_index
        self.start, self.end = event.start_time, event.end_time
        self.parent = None


def encloses(calls, outer, inner):
    """Of equal intervals the one recorded later is outside; an empty one is not inside an interval that ends where it
    starts."""
    a, b = calls[outer], calls[inner]
    if outer == inner or a.is_delegated or not (a.start <= b.start and b.end <= a.end):
        return False
    if (a.start, a.end) == (b.start, b.end):
        return outer > inner
    return b.start < a.end or a.name == "Method::execute"


def set_parents(calls):
    for i, call in enumerate(calls):
        if call.is_delegated:
            same = [j for j, c in enumerate(calls)
                    if c.name == "DELEGATE_CALL" and (c.instruction, c.chain) == (call.instruction, call.chain)]
            call.parent = next((j for j in same if j > i), same[-1] if same else None)
        else:
            around = [j for j in range(len(calls)) if encloses(calls, j, i)]
            call.parent = min(around, key=lambda j: (calls[j].end - calls[j].start, j), default=None)


def own_ticks(calls):
    """Returns ticks per call; negative if a delegate logged more than its call."""
    ticks = [c.end - c.start for c in calls]
    for call in calls:
        if call.parent is not None:
            ticks[call.parent] -= call.end - call.start
    return ticks


def is_loading(calls, call):
    while call.parent is not None:
        call = calls[call.parent]
    return call.name.startswith(("Method::", "Program::")) and call.name != "Method::execute"


def calls_of(runs, block):
    """Returns the calls of each run in the block, identified by the stamps of its Events."""
    first = block.events[0]
    for i in range(len(first.perf_data.raw)):
        stamps = {(key_of(e), int(e.start_time[i])) for e in block.events if e.perf_data and e.perf_data.raw}
        (found,) = [calls for calls in runs if stamps <= {(c.key, c.start) for c in calls}]
        set_parents(found)
        yield found


def steady_runs(runs, block):
    """Returns the runs after the warm-up: their numbers and their calls; and the keys that count towards the total."""
    calls, counted = list(calls_of(runs, block)), set()
    for run in calls:
        working = {c.key for c in run if not is_loading(run, c)}
        counted |= working or {c.key for c in run}
    wholes = [sum(own for c, own in zip(run, own_ticks(run)) if c.key in counted) for run in calls]
    numbers = range(warm_up(wholes), len(wholes))
    return numbers, [calls[i] for i in numbers], counted


def own_times(block, steady, counted):
    """Returns per Event: mean self time, share of the block, share with all more expensive ones; None if unknown.

    Shares are those of medians: of each Event, twice the median of its self times x its runs."""
    runs = []
    for calls in steady:
        ticks, of_run = own_ticks(calls), {}
        if min(ticks) < 0:
            return None
        for call, own in zip(calls, ticks):
            of_run[call.key] = of_run.get(call.key, 0) + own
        runs.append(of_run)
    keys = [key_of(e) for e in block.events]
    times = {k: sorted(run[k] for run in runs if k in run) for k in set().union(*runs)}
    sums = {k: sum(all_of) for k, all_of in times.items()}
    weights = {k: len(t) * (t[(len(t) - 1) // 2] + t[len(t) // 2]) for k, t in times.items()}
    whole = sum(weights.get(k, 0) for k in counted)
    listed = (k for k in keys if k in counted and "OPERATOR_CALL" not in k[0])
    order = sorted(listed, key=lambda k: (-weights[k], -sums[k], keys.index(k)))
    running = dict(zip(order, np.cumsum([weights[k] for k in order]).tolist()))
    return {
        key: (
            sums[key] / NANOSECONDS / len(steady),
            weights[key] / whole if key in counted and sum(sums[k] for k in counted) else None,
            running[key] / whole if key in running and sum(sums[k] for k in counted) else None,
        )
        for key in keys
        if key in sums
    }


# ---- places ------------------------------------------------------------------------------------


def handles_of(event):
    handles = event.debug_handles
    return [handles] if isinstance(handles, int) else None if handles is None else list(handles)


def nodes_of(event, program):
    handles = handles_of(event) if event.name not in RESERVED_FRAMEWORK_EVENT_NAMES else None
    nodes = [n for n in program.graph.nodes if n.meta.get("debug_handle") in handles] if handles else []
    return [n for n in nodes if n.op == "call_function" and getattr(n.target, "__name__", "") != "getitem"]


class Surroundings:
    """Returns which Event of a block encloses which."""

    def __init__(self, runs, block):
        events = {key_of(e): e for e in block.events}
        self.outer, self.filled = {}, set()
        for run in calls_of(runs, block):
            for call in run:
                if call.parent is not None:
                    self.outer.setdefault(call.key, events.get(run[call.parent].key))
                    self.filled.add(run[call.parent].key)

    def around(self, event):
        return self.outer.get(key_of(event))


def operator(event, surroundings):
    """Applies the rule of `ops`."""
    if not (event.perf_data and event.perf_data.raw):
        return None
    outer = surroundings.around(event)
    if event.name == "DELEGATE_CALL" and key_of(event) in surroundings.filled:
        return "(delegate, not logged)"
    is_kernel = event.name.startswith("native_call_") or (outer is not None and outer.name == "OPERATOR_CALL")
    return operator_of(event) if event.is_delegated_op or event.name == "DELEGATE_CALL" or is_kernel else "(framework)"


def place(event, program, surroundings):
    """Returns module, its type and file:line of the nodes of the Event, or of the nearest enclosing one that has some."""
    nodes = nodes_of(event, program)
    while event is not None and not nodes:
        event = surroundings.around(event)
        nodes = nodes_of(event, program) if event is not None else []
    modules = common_modules(n.meta.get("nn_module_stack") or {} for n in nodes)
    module, kind = modules[-1] if modules else (None, None)
    frames = common_frames(n.meta.get("stack_trace") for n in nodes)
    source = None if frames is None else ":".join(frames[-1]) if frames else "(several lines)"
    return {"module": module, "module_type": kind, "source": source}


# ---- all ---------------------------------------------------------------------------------------


def median_of(event, numbers):
    if not numbers or not event.perf_data or not event.perf_data.raw:
        return 0
    return float(np.median([event.perf_data.raw[i] for i in numbers]))


def statistics(event, whole, numbers):
    raw = event.perf_data.raw if event.perf_data else []
    several = len(raw) > 1
    deviation = np.std(raw, ddof=1) if several else None
    return {
        "raw": [float(x) for x in raw] if len(raw) else None,
        "count": len(raw),
        "total": np.sum(raw) if len(raw) else None,
        "stddev": deviation,
        "cv": deviation / np.mean(raw) if several and np.mean(raw) != 0 else None,
        "p95": np.percentile(raw, 95) if len(raw) else None,
        "p99": np.percentile(raw, 99) if len(raw) else None,
        "share": median_of(event, numbers) / whole if len(raw) and whole > 0 else None,
    }


def chain_of(dump, event):
    """Of the last event of its kind in the first run that has one; -1 is one of 64 bits in ETDumps."""
    is_timed = event.perf_data is not None and len(event.perf_data.raw) > 0
    for run in dump.run_data:
        found = [e.profile_event if is_timed else e.debug_event for e in run.events or []]
        chains = [e.chain_index for e in found if e and key_of_logged(e) == key_of(event)]
        if chains:
            return -1 if chains[-1] == 2**64 - 1 else chains[-1]
    return None


def expected_rows(inspector, dump):
    program = inspector.get_exported_program()
    runs = [[Call(e.profile_event) for e in run.events or [] if e.profile_event] for run in dump.run_data]
    for block in inspector.event_blocks:
        numbers, steady, counted = steady_runs(runs, block)
        whole = sum(median_of(e, numbers) for e in block.events if e.name == "Method::execute")
        own = own_times(block, steady, counted)
        surroundings = Surroundings(runs, block)
        n_runs = max(len(e.perf_data.raw) if e.perf_data else 0 for e in block.events)
        for event in block.events:
            if "OPERATOR_CALL" in event.name:
                continue
            row = statistics(event, whole, numbers)
            if own is not None:
                row.update(zip(("self_time", "self_share", "cumulative_share"), own.get(key_of(event), (None,) * 3)))
            yield row | place(event, program, surroundings) | {
                "op_type": operator(event, surroundings),
                "op_types_all": list(event.op_types),
                "instruction_id": None if event._instruction_id in (None, -1) else event._instruction_id,
                "chain_index": chain_of(dump, event),
                "delegate_debug_identifier": event.delegate_debug_identifier,
                "debug_handles": handles_of(event),
                "num_outputs": event.num_outputs,
                "bundled_input_index": None if block.bundled_input_index == -1 else block.bundled_input_index,
                "run_count": n_runs,
            }


def text_of(value):
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def ask(program, case, record, *arguments):
    command = [program, "run.etdp", record.name, "--no_include_units", *arguments]
    return subprocess.run(command, cwd=case, capture_output=True, check=True).stdout.decode()


def open_case(case):
    """Returns the Inspector, and the record for it: it fails on a record of several methods."""
    forward = case / "record-forward.etrecord"
    record = forward if forward.exists() else case / "record.etrecord"
    with redirect_stdout(io.StringIO()):
        return Inspector(etdump_path=str(case / "run.etdp"), etrecord=str(record)), record


# Columns that the Inspector lacks: attributions of delegated events, which delegates.py compares, and the method of a
# block, which the record of a single method does not have.
KNOWN_BETTER = {"debug_handles", "module", "module_type", "op_type", "source"}


# Its record lists other operators than those that ran, so that nothing is taken from it.
FOREIGN = "control-flow-chains"


def is_known_better(case, row):
    return bool(row.get("attribution")) or (case / "record-forward.etrecord").exists() or case.name == FOREIGN


def compare(program, case, counts):
    inspector, record = open_case(case)
    listed = re.findall(r"^(\S+) .*  \+ ", ask(program, case, record, "--list_columns"), re.M)
    answer = io.StringIO(ask(program, case, record, "--columns", ",".join(listed), "--format", "tsv"), newline="")
    found = list(csv.DictReader(answer, delimiter="\t"))
    dump = gen_etdump_object(etdump_path=str(case / "run.etdp"))
    wanted = list(expected_rows(inspector, dump))
    if len(found) != len(wanted):
        yield f"{len(found)} rows, expected {len(wanted)}"
    for name in listed:
        rows = [(row[name], text_of(want[name])) for row, want in zip(found, wanted)
                if name in want and not (name in KNOWN_BETTER and is_known_better(case, row))]
        wrong = [f"row {i}: {name} is {a!r}, not {b!r}" for i, (a, b) in enumerate(rows) if a != b]
        counts["skipped"] += len(rows) < len(found)
        counts["failed" if wrong else "passed"] += bool(rows)
        yield from wrong
    if wanted and set(wanted[0]) - set(listed):
        yield f"not listed: {set(wanted[0]) - set(listed)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default="build")
    program = str((parser.parse_args().build / "etinspect").resolve())
    csv.field_size_limit(sys.maxsize)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in CASES:
        for line in compare(program, case, counts):
            print(f"FAILED {case.name}: {line}")
    print(f"view_columns: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
