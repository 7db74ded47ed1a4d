#!/usr/bin/env python3
"""Loads NDJSON and JSON of every profile with pandas and DuckDB, unchanged, and compares with the TSV.

    view_formats.py [--build BUILD]     with the Python of the peer; DuckDB is left out where it is not installed
"""

import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import pandas

try:
    import duckdb
except ModuleNotFoundError:
    duckdb = None

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata"
VIEWS = {  # arguments: the columns to show and to add up
    (): ("event_name", "avg"),
    ("--samples",): ("event_name", "avg"),
    ("--group", "op"): ("op", "total"),
    ("--group", "module"): ("module", "total"),
    ("runs",): ("block", "elapsed"),
}


class Checks:
    def __init__(self):
        self.n_passed = self.n_failed = self.n_skipped = 0

    def same(self, what, found, expected):
        if found == expected:
            self.n_passed += 1
        else:
            self.n_failed += 1
            print(f"FAILED {what}: {found!r}, expected {expected!r}")


def run(program, case, arguments, output_format):
    record = sorted(case.glob("record*.etrecord"))[-1:]
    verb = [argument for argument in arguments if not argument.startswith("-")][:1] if arguments[:1] == ("runs",) else []
    options = [argument for argument in arguments[len(verb) :] if (output_format, argument) != ("tsv", "--samples")]
    units = ["--no_include_units"] if output_format == "tsv" else []  # JSON has none
    command = [program, *verb, *options, "--format", output_format, *units, "run.etdp", *(path.name for path in record)]
    return subprocess.run(command, cwd=case, capture_output=True, check=True).stdout.decode()


def numbers(values):
    return [None if value is None or value != value else float(value) for value in values]


def compare(checks, program, case, arguments, folder):
    name, number = VIEWS[arguments]
    what = f"{case.name} {' '.join(arguments)}"
    rows = list(csv.DictReader(io.StringIO(run(program, case, arguments, "tsv"), newline=""), delimiter="\t"))
    names = [row[name] for row in rows]
    expected = [float(row[number]) if row[number] else None for row in rows]
    if not rows:
        checks.n_skipped += 1
        return

    document = json.loads(run(program, case, arguments, "json"))
    (table,) = document["tables"].values()
    checks.same(f"{what}: JSON", ([row[name] for row in table], [row[number] for row in table]), (names, expected))

    lines = run(program, case, arguments, "ndjson")
    frame = pandas.read_json(io.StringIO(lines), lines=True)
    checks.same(f"{what}: names in pandas", [str(value) for value in frame[name]], names)
    close = [a is b is None or abs(a - b) <= 2e-15 * max(1, abs(b)) for a, b in zip(numbers(frame[number]), expected)]
    checks.same(f"{what}: numbers in pandas", close, [True] * len(expected))  # it takes 15 decimals
    frame = pandas.read_json(io.StringIO(lines), lines=True, precise_float=True)
    checks.same(f"{what}: exact numbers in pandas", numbers(frame[number]), expected)
    if duckdb is None:
        checks.n_skipped += 1
        return
    path = folder / "rows.ndjson"
    path.write_text(lines)
    found = duckdb.sql(f'SELECT "{name}", "{number}", provenance.time_scale FROM \'{path}\'').fetchall()
    checks.same(f"{what}: names in DuckDB", [row[0] for row in found], names)
    checks.same(f"{what}: numbers in DuckDB", numbers(row[1] for row in found), expected)
    checks.same(f"{what}: time scale", {row[2] for row in found}, {"ms"})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    program = str(pathlib.Path(parser.parse_args().build).resolve() / "etinspect")
    csv.field_size_limit(sys.maxsize)
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        for case in sorted(path.parent for path in TESTDATA.glob("*/run.etdp")):
            for arguments in VIEWS:
                compare(checks, program, case, arguments, pathlib.Path(folder))
    print(f"formats: {checks.n_passed} passed, {checks.n_failed} failed, {checks.n_skipped} skipped")
    sys.exit(checks.n_failed > 0)


if __name__ == "__main__":
    main()
