"""Compares the columns, filters and orders of `etinspect` with pandas over the real Inspector's DataFrame.

    view_events.py [--build BUILD]

Extra columns are computed with numpy from Event.perf_data.raw and Event's attributes; rows are chosen with DataFrame.query()
and sort_values(kind="stable"), which keep the index that etinspect's TSV has in front. Ends in
"view_events: N passed, N failed, N skipped".
"""

import argparse
import csv
import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
from executorch.devtools import Inspector

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
CASES = ["mlp", "mlp-many-runs", "small", "transformer", "xnnpack-conv", "bundled-inputs", "dynamic-batch", "delegate-ids"]

# etinspect's and pandas' way to say the same; D is the DataFrame without units
FILTERS = [
    ("p50 > 0.001", "p50 > 0.001"),
    ("p50 > 1us", "p50 > 0.001"),
    ("p90 != p10", "p90.notna() and p90 != p10"),
    ("avg >= p50 and not is_delegated_op", "avg >= p50 and not is_delegated_op"),
    ('event_name =~ "call|exec" or max < .01', 'event_name.str.contains("call|exec") or max < .01'),
    ('!(event_block_name == "Execute") && p10 <= avg', 'not (event_block_name == "Execute") and p10 <= avg'),
    ('event_name < "c"', 'event_name < "c"'),
    ("delegate_backend_name is none", "delegate_backend_name.isna()"),
    ("p50 is not none", "p50.notna()"),
]
SORTS = [("p50", ["p50"], [True]), ("p50:desc", ["p50"], [False]), ("event_name,avg:desc", ["event_name", "avg"], [True, False]),
         ("is_delegated_op:desc,max", ["is_delegated_op", "max"], [False, True])]


def computed(inspector):
    """The extra columns, per row of the DataFrame, as etinspect prints them."""
    rows = []
    for block in inspector.event_blocks:
        whole = sum(np.sum(e.perf_data.raw) for e in block.events if e.name == "Method::execute" and e.perf_data)
        for event in block.events:
            if "OPERATOR_CALL" in event.name:
                continue
            raw = event.perf_data.raw if event.perf_data else []
            several = len(raw) > 1
            deviation = np.std(raw, ddof=1) if several else None
            ratio = deviation / np.mean(raw) if several and np.mean(raw) != 0 else None
            rows.append({
                "raw": [float(x) for x in raw] if len(raw) else None,
                "count": len(raw),
                "total": np.sum(raw) if len(raw) else None,
                "stddev": deviation,
                "cv": ratio,
                "p95": np.percentile(raw, 95) if len(raw) else None,
                "p99": np.percentile(raw, 99) if len(raw) else None,
                "share": np.sum(raw) / whole if len(raw) and whole > 0 else None,
                "op_types_all": list(event.op_types),
                "instruction_id": None if event._instruction_id in (None, -1) else event._instruction_id,
                "delegate_debug_identifier": event.delegate_debug_identifier,
                "bundled_input_index": None if block.bundled_input_index == -1 else block.bundled_input_index,
            })
    return rows


def text_of(value):
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def ask(program, case, arguments):
    """Rows of the TSV, each a dict; "" is the index."""
    command = [program, "run.etdp", *(["record.etrecord"] if (TESTDATA / case / "record.etrecord").exists() else []),
               "--no_include_units", "--format", "tsv", *arguments]
    done = subprocess.run(command, cwd=TESTDATA / case, capture_output=True, check=True)
    csv.field_size_limit(sys.maxsize)
    return list(csv.DictReader(io.StringIO(done.stdout.decode(), newline=""), delimiter="\t"))


def compare_columns(program, case, inspector):
    expected = computed(inspector)
    names = list(expected[0]) if expected else ["event_name"]
    found = ask(program, case, ["--columns", ",".join(names)])
    for i, row in enumerate(expected):
        for name in names:
            if found[i][name] != text_of(row[name]):
                return f"row {i}: {name} is {found[i][name]}, of numpy {text_of(row[name])}"
    return None if len(found) == len(expected) else f"{len(found)} rows, expected {len(expected)}"


def compare_index(program, case, arguments, frame):
    found = [int(row[""]) for row in ask(program, case, ["--columns", "event_name", *arguments])]
    expected = [int(i) for i in frame.index]
    return None if found == expected else f"rows {found[:20]}, of pandas {expected[:20]}"


def comparisons(program, case, inspector):
    frame = inspector.to_dataframe(include_units=False)
    frame = frame[~frame.event_name.str.contains("OPERATOR_CALL")].reset_index(drop=True)
    yield "columns", lambda: compare_columns(program, case, inspector)
    for ours, theirs in FILTERS:
        yield ours, lambda: compare_index(program, case, ["--filter", ours], frame.query(theirs, engine="python"))
    for ours, by, ascending in SORTS:
        ordered = frame.sort_values(by, ascending=ascending, kind="stable")
        yield ours, lambda: compare_index(program, case, ["--sort", ours], ordered)
        yield f"{ours}, top 3", lambda: compare_index(program, case, ["--sort", ours, "--top", "3"], ordered.head(3))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default="build")
    program = str((parser.parse_args().build / "etinspect").resolve())
    counts = {"passed": 0, "failed": 0}
    for case in CASES:
        directory = TESTDATA / case
        record = directory / "record.etrecord"
        with redirect_stdout(io.StringIO()):
            inspector = Inspector(etdump_path=str(directory / "run.etdp"), etrecord=str(record) if record.exists() else None)
        for name, compare in comparisons(program, case, inspector):
            difference = compare()
            counts["failed" if difference else "passed"] += 1
            if difference:
                print(f"FAILED {case}: {name}: {difference}")
    print(f"view_events: {counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
