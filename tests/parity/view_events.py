"""Compares the filters and orders of `etinspect` with pandas over the real Inspector's DataFrame.

    view_events.py [--build BUILD]

Rows are chosen with DataFrame.query() and sort_values(kind="stable"), which keep the index, the first column of etinspect's
TSV. Ends in "view_events: N passed, N failed, N skipped".
"""

import argparse
import csv
import io
import sys
from pathlib import Path

from view_columns import CASES, ask, open_case

# the same condition for etinspect and for pandas; D is the DataFrame without units
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


def compare_index(program, case, record, arguments, frame):
    answer = ask(program, case, record, "--columns", "event_name", "--format", "tsv", *arguments)
    found = [int(row[""]) for row in csv.DictReader(io.StringIO(answer, newline=""), delimiter="\t")]
    expected = [int(i) for i in frame.index]
    return None if found == expected else f"rows {found[:20]}, of pandas {expected[:20]}"


def comparisons(program, case, inspector, record):
    frame = inspector.to_dataframe(include_units=False)
    frame = frame[~frame.event_name.str.contains("OPERATOR_CALL")].reset_index(drop=True)
    for ours, theirs in FILTERS:
        yield ours, lambda: compare_index(program, case, record, ["--filter", ours], frame.query(theirs, engine="python"))
    for ours, by, ascending in SORTS:
        ordered = frame.sort_values(by, ascending=ascending, kind="stable")
        yield ours, lambda: compare_index(program, case, record, ["--sort", ours], ordered)
        yield f"{ours}, top 3", lambda: compare_index(program, case, record, ["--sort", ours, "--top", "3"], ordered.head(3))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default="build")
    program = str((parser.parse_args().build / "etinspect").resolve())
    counts = {"passed": 0, "failed": 0}
    for case in CASES:
        inspector, record = open_case(case)
        for name, compare in comparisons(program, case, inspector, record):
            difference = compare()
            counts["failed" if difference else "passed"] += 1
            if difference:
                print(f"FAILED {case.name}: {name}: {difference}")
    print(f"view_events: {counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
