"""Shows that libraries of Arrow take tables and samples as they are: pyarrow, polars, pandas, DuckDB and nanoarrow.

Run it in an environment that has them, with the package in PYTHONPATH. Prints "arrow: N passed, N failed, 0 skipped".
"""

import resource
import sys
from pathlib import Path

import duckdb
import nanoarrow
import pandas
import polars
import pyarrow

import etinspect

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"


def open_inspector(folder):
    record = folder / "record.etrecord"
    return etinspect.Inspector(etdump_path=folder / "run.etdp", etrecord=record if record.exists() else None)


def row_counts(stream):
    """How many rows each consumer finds, after it has looked at all."""
    table = pyarrow.table(stream)
    table.validate(full=True)
    counts = {"pyarrow": table.num_rows, "polars": polars.DataFrame(stream).height,
              "pandas": len(pandas.DataFrame.from_arrow(stream)),
              "duckdb": duckdb.sql("SELECT count(*) FROM stream").fetchall()[0][0],
              "nanoarrow": sum(len(chunk) for chunk in nanoarrow.ArrayStream(stream))}
    frame = polars.DataFrame(stream)
    if frame.width and not frame.equals(polars.from_arrow(table)):
        counts["polars"] = "other values than pyarrow"
    return counts


n_passed = n_failed = 0


def expect(name, found, wanted):
    global n_passed, n_failed
    if found == wanted:
        n_passed += 1
    else:
        n_failed += 1
        print(f"FAILED {name}: found {found}, expected {wanted}")


def check_tables(folder, inspector):
    for view in etinspect.view_names():
        try:
            report = inspector.report(view)
        except etinspect.Error:  # a view that needs other files
            continue
        for name, table in report.tables.items():
            for consumer, found in row_counts(table).items():
                expect(f"{folder.name}: {view} {name}: {consumer}", found, len(table))
            check_cells(f"{folder.name}: {view} {name}", table)


def check_cells(name, table):
    """rows() and Arrow give the same, but for a number in a column of texts."""
    columns = pyarrow.table(table).to_pydict()
    for column, cells in zip(columns, zip(*table.rows())):
        if table.types[column] != "string":
            expect(f"{name}: {column}", list(cells), columns[column])


def check_samples(folder, inspector):
    """A consumer may outlive the inspector."""
    samples = inspector.samples()
    counts = row_counts(samples)
    expect(f"{folder.name}: samples", len(set(counts.values())), 1)
    total = pyarrow.table(samples)["elapsed"].to_pylist()
    reader = pyarrow.RecordBatchReader.from_stream(inspector.samples())
    del samples, inspector
    expect(f"{folder.name}: samples of a closed inspector", reader.read_all()["elapsed"].to_pylist(), total)


def check_memory(folder):
    """Streams that are dropped unread, and such that are read, leave memory flat."""
    samples = open_inspector(folder).samples()
    for i in range(2000):
        if i == 200:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        samples.__arrow_c_stream__()
        pyarrow.table(samples)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    expect("kilobytes of 3,600 streams", grown < 4096, True)


for dump in sorted(TESTDATA.glob("*/run.etdp")):
    check_tables(dump.parent, open_inspector(dump.parent))
    check_samples(dump.parent, open_inspector(dump.parent))
check_memory(TESTDATA / "mlp")
print(f"arrow: {n_passed} passed, {n_failed} failed, 0 skipped")
sys.exit(n_failed > 0)
