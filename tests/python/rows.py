"""Compares the rows of many ETDumps with the events of an Inspector for each of them: over all of testdata/, with and without
ETRecords, in both granularities, from files and from memory.

    rows.py

Run it with the package in PYTHONPATH. Prints "rows: N passed, N failed, 0 skipped".
"""

import os
import resource
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import etinspect

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
STATISTICS = ("p10", "p50", "p90", "avg", "min", "max")

n_passed = n_failed = 0


def expect(name, found, wanted):
    global n_passed, n_failed
    if found == wanted:
        n_passed += 1
    else:
        n_failed += 1
        print(f"FAILED {name}: found {str(found)[:300]}, expected {str(wanted)[:300]}")


# ---- beside the Inspector ------------------------------------------------------------------------


def timed(event):
    return event.perf_data is not None and event.perf_data.raw


def samples_of(inspector):
    """(event name, delegated, start, elapsed) of all samples, in order."""
    for block in inspector.event_blocks:
        for event in block.events:
            for start, elapsed in zip(event.start_time, event.perf_data.raw) if timed(event) else ():
                yield (event.name, event.is_delegated_op, start, elapsed)


def places_of(inspector, uses_record):
    """What `etinspect events` says of each event but OPERATOR_CALL: operators, module, line and instruction. It is not always
    what an Event says: that has the operators of the method forward, none inside delegates that log no ids, and instruction
    0 outside of instructions."""
    for row in inspector.report("event_list", columns="all").dicts():
        if row["event"] is not None:
            op_types = row["op_types"] if uses_record else None
            yield (row["block"], row["event"], op_types, row["module"], row["source"], row["instruction_id"])


def statistics_of(inspector):
    for block in inspector.event_blocks:
        for event in block.events:
            if timed(event):
                yield (event.name, len(event.perf_data.raw), *(getattr(event.perf_data, name) for name in STATISTICS))


def pick(rows, *names):
    return [tuple(row[name] for name in names) for row in rows.dicts()]


def check_dump(folder, record):
    dump = folder / "run.etdp"
    name = f"{folder.name}{' with its record' if record else ''}"
    options = {"target_time_scale": "us"}
    try:
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            inspector = etinspect.Inspector(etdump_path=dump, etrecord=record, target_time_scale=etinspect.TimeScale.US)
        # Views leave a record of another export out, so that their events have no operators.
        uses_record = record is not None and not any("another export" in str(warning.message) for warning in given)
        expect(f"{name}: another export", record is not None and not uses_record, name.startswith("control-flow-chains with"))
        wanted = list(samples_of(inspector))
    except ValueError as error:
        rows = etinspect.rows(dump, etrecord=record, **options)
        expect(f"{name}: error", [row["error"] for row in rows.dicts()], [str(error)])
        return
    rows = etinspect.rows(dump, etrecord=record, **options)
    columns = ("event_name", "is_delegated", "start", "elapsed")
    expect(f"{name}: samples", pick(rows, *columns), wanted)
    expect(f"{name}: again", pick(rows, *columns), wanted)
    chosen = etinspect.rows(dump, etrecord=record, columns=columns, filter="elapsed >= 0 or elapsed < 0", **options)
    expect(f"{name}: columns and filter", list(chosen), wanted)
    expect(f"{name}: errors", {row["error"] for row in rows.dicts()}, {None} if wanted else set())
    per_dump = etinspect.rows(dump, etrecord=record, granularity="dump", **options)
    expect(f"{name}: statistics", pick(per_dump, "event_name", "count", *STATISTICS), list(statistics_of(inspector)))
    expect(f"{name}: runs", check_runs(rows), True)

    in_memory = etinspect.rows([(os.fspath(dump), memoryview(dump.read_bytes()))], etrecord=record and record.read_bytes(), **options)
    expect(f"{name}: in memory", list(in_memory), list(rows))
    shared = etinspect.Record(record) if record else None
    for _ in range(2):
        expect(f"{name}: with a record that is open", list(etinspect.rows(dump, etrecord=shared, **options)), list(rows))

    names = ("block", "event_index", "op_types", "module", "source", "instruction_id", "event_name")
    found = [row[:-1] for row in pick(per_dump, *names) if row[-1] != "OPERATOR_CALL"]
    expect(f"{name}: places", sorted(found, key=str), sorted(places_of(inspector, uses_record), key=str))


def check_runs(rows):
    """Runs of each event are numbered from 0."""
    last = None
    for row in rows.dicts():
        event = (row["block"], row["event_index"])
        if row["run"] != (last[1] + 1 if last and last[0] == event else 0):
            return (event, row["run"])
        last = (event, row["run"])
    return True


# ---- many ----------------------------------------------------------------------------------------


def check_together():
    """Rows of many ETDumps are those of each, one after the other."""
    dumps = sorted(TESTDATA.rglob("*.etdp"))
    options = {"labels": {"fleet": "testdata"}, "columns": "path,fleet,block,event_index,run,start,elapsed,error"}
    together = list(etinspect.rows(dumps, **options))
    expect("together", together, [row for dump in dumps for row in etinspect.rows(dump, **options)])
    expect("a folder", list(etinspect.rows(TESTDATA, **options)), together)
    expect("the label", {row[1] for row in together}, {"testdata"})


def check_modes(folder):
    good = TESTDATA / "small/run.etdp"
    bad = [Path(folder, "device=a", "cut.etdp"), Path(folder, "device=b", "empty.etdp"), Path(folder, "device=c", "missing.etdp")]
    for path in bad[:2]:
        path.parent.mkdir()
        path.write_bytes(good.read_bytes()[: 100 if path == bad[0] else 0])
    dumps = [good, *bad, good]
    rows = list(etinspect.rows(dumps, labels_from_path=True).dicts())
    n = len(list(etinspect.rows(good)))
    failed = [row for row in rows if row["error"]]
    expect("rows of those that can be read", len(rows), 2 * n + 3)
    expect("failed: paths", [row["path"] for row in failed], [os.fspath(path) for path in bad])
    expect("failed: labels", [row["device"] for row in failed], ["a", "b", "c"])
    expect("failed: all else", {value for row in failed for key, value in row.items() if key not in ("path", "device", "error")}, {None})
    expect("failed: each error names its file", all(row["path"] in row["error"] for row in failed), True)
    dropped = etinspect.rows(dumps, mode="DROPMALFORMED")
    expect("dropped", len(list(dropped)), 2 * n)
    dropped.text("csv")
    expect("dropped: count", dropped.failed_count, 3)
    try:
        list(etinspect.rows(dumps, mode="failfast"))
        expect("failfast", "no exception", "one")
    except etinspect.Error as error:
        expect("failfast: names the file", os.fspath(bad[0]) in str(error), True)
    for wrong, part in (({"mode": "lenient"}, "mode"), ({"columns": ["p50"]}, "p50"), ({"labels": {"run": 1}}, "run"), ({"sort": "run"}, "sort"),
                        ({"labels": {"a=b": "c"}}, "'a=b'"), ({"labels": {"device": None}}, "'device'")):
        try:
            etinspect.rows(good, **wrong)
            expect(f"{wrong}", "no exception", "one")
        except etinspect.Error as error:
            expect(f"{wrong}", part in str(error), True)


def check_names(folder):
    """Paths and names are bytes that need not be UTF-8."""
    path = os.path.join(os.fsencode(folder), b"k\xff=v", b"\xfe.etdp")
    os.mkdir(os.path.dirname(path))
    shutil.copy(TESTDATA / "small/run.etdp", path)
    for named in (path, os.fsdecode(path)):
        row = next(etinspect.rows([named], labels_from_path=True).dicts())
        expect("bytes: path", row["path"], path.decode("utf-8", "replace"))
        expect("bytes: label", row["k\ufffd"], "v")
    row = next(etinspect.rows([("s3a://b/k=%C3%A4/x", b"none")], labels_from_path=True).dicts())
    expect("a name", (row["k"], row["path"]), ("\u00e4", "s3a://b/k=%C3%A4/x"))


def check_memory():
    """Read rows are not kept: 3,000 ETDumps take no more memory than 300."""
    data = (TESTDATA / "mlp/run.etdp").read_bytes()

    def most_after(n):
        rows = etinspect.rows([(f"build={i % 7}/{i}", data) for i in range(n)], labels_from_path=True, etrecord=TESTDATA / "mlp/record.etrecord")
        count = sum(len(table) for table in rows.tables())
        return count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    few, many = most_after(300), most_after(3000)
    expect("rows of 3,000", many[0], few[0] * 10)
    expect("KiB that 2,700 more take", many[1] - few[1] < 4096, True)


def main():
    for folder in sorted(path.parent for path in TESTDATA.glob("*/run.etdp")):
        record = folder / "record.etrecord"
        check_dump(folder, None)
        if record.exists():
            check_dump(folder, record)
    check_together()
    with tempfile.TemporaryDirectory() as folder:
        check_modes(folder)
        check_names(folder)
    check_memory()
    print(f"rows: {n_passed} passed, {n_failed} failed, 0 skipped")
    return n_failed > 0


if __name__ == "__main__":
    sys.exit(main())
