"""Tests that Arrow libraries accept tables and samples directly: pyarrow, polars, pandas, DuckDB and nanoarrow.

    arrow.py [FOLDER]...        those of testdata/, or all

Run it in an environment that has them, with the package in PYTHONPATH. Prints "arrow: N passed, N failed, 0 skipped".
"""

import gc
import resource
import struct
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
    """Returns the number of rows that each consumer finds, after reading all."""
    table = pyarrow.table(stream)
    table.validate(full=True)
    counts = {"pyarrow": table.num_rows, "polars": polars.DataFrame(stream).height,
              "pandas": len(pandas.DataFrame.from_arrow(stream)), "to_pandas": len(stream.to_pandas()),
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
    """rows() and Arrow give the same, except for numbers in a column of texts."""
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


def check_rows():
    """Rows of many ETDumps, more than a batch of them, with some that cannot be read."""
    dumps = [*sorted(TESTDATA.glob("*/run.etdp")), "build=7/missing.etdp"] * 20
    rows = etinspect.rows(dumps, labels_from_path=True)
    expect("rows of many", len(set(row_counts(rows).values())), 1)
    expect("rows of many: batches", sum(1 for _ in pyarrow.RecordBatchReader.from_stream(rows)) > 1, True)
    check_same_rows("rows of many", rows)
    for granularity in ("sample", "dump"):
        for folder in sorted(path.parent for path in TESTDATA.glob("*/record.etrecord")):
            dump = [folder / "run.etdp", "build=7/missing.etdp", folder / "run.etdp"]
            named = etinspect.rows(dump, etrecord=folder / "record.etrecord", granularity=granularity, labels_from_path=True)
            check_same_rows(f"{folder.name}: rows per {granularity}", named)
            expect(f"{folder.name}: consumers", len(set(row_counts(named).values())), 1)
    some = etinspect.rows(dumps, columns=["error", "run", "path"], filter="run == 1")
    check_same_rows("rows of many, chosen", some)
    expect_same_schemas("rows of many, none", etinspect.rows(["missing"]), etinspect.rows(dumps[:3]))


def check_same_rows(name, rows):
    table = pyarrow.table(rows)
    table.validate(full=True)
    expect(name, list(zip(*(column.to_pylist() for column in table.columns))), list(rows))


def schemas(stream):
    """Returns each consumer's types of the columns: {consumer: {column: type}}."""
    described = duckdb.sql("DESCRIBE SELECT * FROM stream").fetchall()
    return {"pyarrow": {field.name: str(field.type) for field in pyarrow.table(stream).schema},
            "polars": dict(polars.DataFrame(stream).schema),
            "duckdb": {row[0]: row[1] for row in described},
            "nanoarrow": {field.name: repr(field) for field in nanoarrow.ArrayStream(stream).schema.fields}}


def expect_same_schemas(name, found, wanted):
    """Columns that both have are of one type, whatever their cells."""
    found, wanted = schemas(found), schemas(wanted)
    for consumer in found:  # without pandas, for which a column of None has no type
        shared = found[consumer].keys() & wanted[consumer].keys()
        expect(f"{name}: {consumer}: columns", len(shared) > 0 or not found[consumer], True)
        expect(f"{name}: {consumer}: types", {key: found[consumer][key] for key in shared}, {key: wanted[consumer][key] for key in shared})


def empty_dump():
    """An ETDump without runs: a version, and no vector of runs."""
    return struct.pack("<I4sHHHxxiI", 16, b"ED00", 6, 8, 4, 8, 1)


def check_empty(full):
    """Tables of an ETDump without runs, and tables whose rows are all filtered out, still have the columns' types."""
    empty = etinspect.Inspector(etdump_data=empty_dump())
    expect("blocks of an empty ETDump", empty.event_blocks, [])
    n_empty = 0
    for view in etinspect.view_names():
        try:
            tables, wanted = (inspector.report(view).tables for inspector in (empty, full))
        except etinspect.Error:  # a view that needs other files
            continue
        for name, table in tables.items():
            n_empty += len(table) == 0
            for consumer, found in row_counts(table).items():
                expect(f"empty ETDump: {view} {name}: {consumer}", found, len(table))
            if name in wanted:
                expect_same_schemas(f"empty ETDump: {view} {name}", table, wanted[name])
    expect("tables without rows", n_empty > 10, True)
    expect_same_schemas("empty ETDump: samples", empty.samples(), full.samples())
    filtered = full.report("ops", filter="p50 > 1e12")
    expect("rows that are filtered out", set(row_counts(filtered).values()), {0})
    expect_same_schemas("rows that are filtered out", filtered, full.report("ops"))


def check_nulls(folder):
    """Without an ETRecord columns of nodes have no value, and with one they do."""
    without = etinspect.Inspector(etdump_path=folder / "run.etdp").report("events", columns="all")
    named = open_inspector(folder).report("events", columns="all")
    table = pyarrow.table(without)
    nulls = [name for name in table.column_names if table[name].null_count == len(table)]
    filled = [name for name in nulls if pyarrow.table(named)[name].null_count < len(table)]
    expect("columns that are all null", len(filled) > 1, True)
    expect_same_schemas("columns that are all null", without, named)
    expect("rows with such columns", set(row_counts(without).values()), {len(table)})


def check_unread(folder):
    """A stream need not be read, nor read completely, nor in order."""
    samples = open_inspector(folder).samples()
    table = open_inspector(folder).report("ops")
    for stream in (samples, table):
        wanted = row_counts(stream)["pyarrow"]
        capsules = [stream.__arrow_c_stream__() for _ in range(8)]
        reader = pyarrow.RecordBatchReader.from_stream(stream)
        reader.schema  # is read, and gives no batch
        del capsules[::2], reader
        gc.collect()
        expect("rows after capsules that nobody read", row_counts(stream)["pyarrow"], wanted)
        expect("a schema that is asked for is a wish", pyarrow.table(stream, schema=pyarrow.table(stream).schema).num_rows, wanted)


def check_memory(folder):
    """Streams that are dropped unread, and streams that are read, do not leak memory."""
    samples = open_inspector(folder).samples()
    for i in range(2000):
        if i == 200:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        samples.__arrow_c_stream__()
        pyarrow.table(samples)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    expect("kilobytes of 3,600 streams", grown < 4096, True)


for dump in sorted(TESTDATA.glob("*/run.etdp")):
    if sys.argv[1:] and dump.parent.name not in sys.argv[1:]:
        continue
    check_tables(dump.parent, open_inspector(dump.parent))
    check_samples(dump.parent, open_inspector(dump.parent))
check_empty(open_inspector(TESTDATA / "mlp"))
check_rows()
check_nulls(TESTDATA / "transformer")
check_unread(TESTDATA / "mlp")
check_memory(TESTDATA / "mlp")
print(f"arrow: {n_passed} passed, {n_failed} failed, 0 skipped")
sys.exit(n_failed > 0)
