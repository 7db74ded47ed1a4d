"""Shows that libraries of Arrow take what the library's streams give: pyarrow, polars, pandas, DuckDB and nanoarrow.

Run it from the top, after `make`, in an environment that has them:

    python3 -m venv venv && venv/bin/pip install pyarrow polars pandas duckdb nanoarrow
    venv/bin/python tests/python/arrow_consumers.py build/libetinspect.so

It calls the library through ctypes and prints "arrow: N passed, N failed, 0 skipped".
"""
import ctypes
import glob
import os
import resource
import sys

import duckdb
import nanoarrow
import pandas
import polars
import pyarrow


class Source(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class ArrayStream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
                ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("private_data", ctypes.c_void_p)]


library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
library.eti_view_name.restype = ctypes.c_char_p
library.eti_report_table.restype = ctypes.c_void_p
library.eti_report_table_count.restype = ctypes.c_size_t
library.eti_table_row_count.restype = ctypes.c_size_t
library.eti_view_name.argtypes = [ctypes.c_size_t]
library.eti_report_table.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
for name in ("eti_inspector_close", "eti_report_free", "eti_report_table_count", "eti_table_row_count",
             "eti_request_free"):
    getattr(library, name).argtypes = [ctypes.c_void_p]
for name in ("eti_table_arrow_stream", "eti_inspector_samples_arrow_stream"):
    getattr(library, name).argtypes = [ctypes.POINTER(ArrayStream), ctypes.c_void_p, ctypes.c_void_p]

capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype = ctypes.py_object
capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
alive = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def destroy(capsule):
    """An unread capsule frees its stream; a read one finds that it was released."""
    stream = alive.pop(capsule_pointer(capsule, b"arrow_array_stream"))
    if stream.release:
        stream.release(ctypes.addressof(stream))


class Stream:
    """Whatever has __arrow_c_stream__() is data to all consumers; `make` is called for each."""

    def __init__(self, make, source):
        self.make, self.source = make, source

    def __arrow_c_stream__(self, requested_schema=None):
        stream = ArrayStream()
        status = self.make(ctypes.byref(stream), self.source, None)
        if status != 0:
            raise MemoryError(f"status {status}")
        alive[ctypes.addressof(stream)] = stream
        return capsule_new(ctypes.addressof(stream), b"arrow_array_stream", ctypes.cast(destroy, ctypes.c_void_p))


def open_inspector(folder):
    request, inspector = ctypes.c_void_p(), ctypes.c_void_p()
    status = library.eti_request_new(ctypes.byref(request), None)
    for option, name in (("etdump_path", "run.etdp"), ("etrecord_path", "record.etrecord")):
        source = Source(path=f"{folder}/{name}".encode())
        if status == 0 and os.path.exists(source.path):
            status = library.eti_request_add_input(request, option.encode(), ctypes.byref(source), None)
    if status == 0:
        status = library.eti_inspector_open(ctypes.byref(inspector), request, None)
    library.eti_request_free(request)
    if status != 0:
        raise ValueError(f"{folder}: status {status}")
    return inspector


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
    for i in range(100):
        view = library.eti_view_name(i)
        if view is None:
            break
        report = ctypes.c_void_p()
        if library.eti_inspector_report(ctypes.byref(report), inspector, view, None, None) != 0:
            continue
        for t in range(library.eti_report_table_count(report)):
            table = library.eti_report_table(report, t)
            n = library.eti_table_row_count(table)
            stream = Stream(library.eti_table_arrow_stream, table)
            for consumer, found in row_counts(stream).items():
                expect(f"{folder}: {view.decode()} {t}: {consumer}", found, n)
        library.eti_report_free(report)


def check_samples(folder, inspector):
    """A consumer may outlive the inspector."""
    samples = Stream(library.eti_inspector_samples_arrow_stream, inspector)
    counts = row_counts(samples)
    expect(f"{folder}: samples", len(set(counts.values())), 1)
    reader = pyarrow.RecordBatchReader.from_stream(samples)
    total = pyarrow.table(samples)["elapsed"].to_pylist()
    library.eti_inspector_close(inspector)
    expect(f"{folder}: samples of a closed inspector", reader.read_all()["elapsed"].to_pylist(), total)


def check_memory(folder):
    """Streams that are dropped unread, and such that are read, leave memory flat."""
    inspector = open_inspector(folder)
    samples = Stream(library.eti_inspector_samples_arrow_stream, inspector)
    for i in range(2000):
        if i == 200:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        samples.__arrow_c_stream__()
        pyarrow.table(samples)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    expect("kilobytes of 3,600 streams", grown < 4096, True)
    expect("streams that are still open", len(alive), 0)
    library.eti_inspector_close(inspector)


for dump in sorted(glob.glob("testdata/*/run.etdp")):
    folder = os.path.dirname(dump)
    inspector = open_inspector(folder)
    check_tables(folder, inspector)
    check_samples(folder, inspector)
check_memory("testdata/mlp")
print(f"arrow: {n_passed} passed, {n_failed} failed, 0 skipped")
sys.exit(n_failed > 0)
