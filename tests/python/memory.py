"""Makes every allocation of a call fail in turn: those of the extension, of the library and of Python's objects, which all
come from malloc() here. Each call must raise MemoryError, or succeed without the block, and leak nothing.

    memory.py BUILD

run.sh preloads inject.so, whose inject_part() makes the calls. Prints "memory: N passed, N failed, 0 skipped".
"""

import _imp
import ctypes
import gc
import importlib.machinery
import os
import pathlib
import sys
import tempfile

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata"
# Interpreters keep some freed memory. A leaked block is leaked each time.
ATTEMPTS = 6

inject = ctypes.PyDLL(None)
inject.inject_part.argtypes = [ctypes.c_long, ctypes.c_void_p, ctypes.py_object]
inject.inject_part.restype = ctypes.py_object
n_calls, n_live = (ctypes.c_long.in_dll(inject, name) for name in ("inject_calls", "inject_live"))
call_object = ctypes.cast(ctypes.pythonapi.PyObject_CallNoArgs, ctypes.c_void_p)


# ---- a consumer of Arrow -------------------------------------------------------------------------


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
                   ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))), ("private_data", ctypes.c_void_p)]


class Array(ctypes.Structure):
    pass


Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p),
                  ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
                  ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))), ("private_data", ctypes.c_void_p)]


class ArrayStream(ctypes.Structure):
    pass


ArrayStream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrayStream), ctypes.POINTER(Schema))),
                        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrayStream), ctypes.POINTER(Array))),
                        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(ArrayStream))),
                        ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrayStream))), ("private_data", ctypes.c_void_p)]

ENOMEM = 12
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.POINTER(ArrayStream)
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def consume(capsule):
    """Reads all batches and returns the number of rows. Batches received before an error are released."""
    stream = pointer_of(capsule, b"arrow_array_stream")
    schema, array = Schema(), Array()
    n_rows = 0
    try:
        check(stream.contents.get_schema(stream, schema))
        while True:
            check(stream.contents.get_next(stream, array))
            if not array.release:
                break
            n_rows += array.length
            release(array)
    finally:
        release(schema)
        release(array)
    return n_rows


def release(one):
    """Works even if ctypes itself lacks memory."""
    while True:
        try:
            if one.release:
                one.release(one)
            return
        except (MemoryError, ctypes.ArgumentError):
            pass


def check(status):
    if status == ENOMEM:
        raise MemoryError
    if status != 0:
        raise OSError(status, "get_schema() or get_next()")


# ---- one call ------------------------------------------------------------------------------------

n_passed = n_failed = 0


def fail(text):
    global n_failed
    n_failed += 1
    print(f"FAILED {text}", flush=True)


def attempt(call, at):
    """Returns the number of allocations, how the call ended, and the number of leaked blocks."""
    end = inject.inject_part(at, call_object, lambda: ending(call))
    return n_calls.value, end, n_live.value


def ending(call):
    try:
        call()
        end = "done"
    except (MemoryError, ctypes.ArgumentError):  # the other is ctypes' own
        end = "MemoryError"
    except BaseException as error:
        end = f"{type(error).__name__}: {error}"
    gc.collect()
    return end


def walk(name, call):
    """Makes the first allocation fail, then the second, and so on until none does."""
    global n_passed
    ends = {"done": 0, "MemoryError": 0}
    before = n_failed
    for _ in range(3):
        call()
    at = 1
    while n_failed - before < 5:
        for _ in range(ATTEMPTS):
            n_allocations, end, n_left = attempt(call, at)
            if n_allocations < at or n_left == 0:
                break
        if n_allocations < at:
            break
        if end not in ends:
            fail(f"{name}: allocation {at}: {end}")
        elif n_left > 0:
            fail(f"{name}: allocation {at}: {end}, and {n_left} blocks are left over")
        else:
            ends[end] += 1
        at += 1
    if ends["MemoryError"] == 0:
        fail(f"{name}: no allocation was missed")
    if n_failed == before:
        n_passed += 1


def walk_import(path):
    """Each import runs in a separate process, since an extension is initialized only once."""
    global n_passed
    spec = importlib.machinery.ModuleSpec("etinspect._etinspect", None, origin=str(path))
    at = 1
    n_errors = 0
    while True:
        child = os.fork()
        if child == 0:
            n_allocations, end, _ = attempt(lambda: _imp.create_dynamic(spec), at)
            os._exit(3 if n_allocations < at else {"done": 0, "MemoryError": 1}.get(end, 2))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 3:
            break
        n_errors += status == 1
        # A failed import is an ImportError.
        if status < 0:
            fail(f"import: allocation {at}: signal {-status}")
            break
        at += 1
    n_passed += n_errors > 0 and n_failed == 0


walked_tensors = []


def record_runs(capture_type, path):
    """Uses everything in a capture."""
    capture = capture_type.open(None, (True, True, True), "Execute", (1 << 16, 9, 0, 0, 1 << 12))
    lane = capture.lane(1 << 12, 1 << 10)
    run = capture.run("Execute", -1)
    run.__enter__()
    spans = [capture.span("a", 7, 0), lane.span("b", None, 0), capture.delegate("c", -1, 8, 1), capture.delegate(None, 4, None, 0)]
    spans[2].metadata = b"metadata"
    for span in spans:
        span.__enter__()
    for value in (True, 3, 2.5, *walked_tensors, tuple(walked_tensors)):
        capture.log_value(value, None, -1, False)
    for span in spans:
        span.__exit__(None, None, None)
    capture.log_event("d", 1, 2)
    capture.allocation(capture.allocator("pool"), 64)
    run.__exit__(None, None, None)
    if len(capture.tobytes((0, None, False, True))) < 100 or capture.stats()["runs"] != 1:
        raise ValueError("the ETDump is incomplete")
    capture.save(path, path + b".debug", (0, None, False, True))
    capture.close()


def refuse(capture_type, path):
    """Ends with the expected exception."""
    capture = capture_type.open(None, (False, False, True), None, (1 << 16, 0, 0, 0, 0))
    span = capture.span("a", 7, 0)
    nothing = 0, None, False, False
    for method, *arguments in ((span.__exit__, None, None, None), (capture.tobytes, nothing), (capture.save, path, None, nothing),
                               (capture.log_value, "text", None, -1, False), (capture.span, "a\0", None, 0)):
        try:
            method(*arguments)
        except (ValueError, TypeError):
            continue
        raise AssertionError("it was not refused")


# ---- all calls -----------------------------------------------------------------------------------


def main():
    build = pathlib.Path(sys.argv[1])
    walk_import(next((build / "python/etinspect").glob("_etinspect*.so")))

    from etinspect import _errors, _etinspect, _tensor  # noqa: F401 (used by the extension)

    folder = tempfile.TemporaryDirectory()
    out = os.fsencode(os.path.join(folder.name, "out"))
    mlp = TESTDATA / "mlp"
    inputs = [(option, os.fsencode(mlp / file), None) for option, file in
              (("etdump_path", "run.etdp"), ("etrecord", "record.etrecord"), ("debug_buffer_path", "debug_buffer.bin"))]
    inputs[1] = ("etrecord_path", *inputs[1][1:])
    buffers = [("etdump_path", b"etdump_data", (mlp / "run.etdp").read_bytes())]
    native = _etinspect.Inspector
    inspector = native.open([], inputs)
    report = inspector.report("ops", [])
    report.select([])
    table = dict(report.tables())["ops"] if "ops" in dict(report.tables()) else report.tables()[0][1]
    profile = inspector.profile([])
    baseline = os.fsencode(os.path.join(folder.name, "base.csv"))
    profile.save(baseline, [("samples", "true")])

    def selected():
        made = inspector.report("ops", [])
        made.select([("columns", "op,share"), ("top", "2")])
        return made.tables()

    dumps = [(os.fsencode(mlp / "run.etdp"), None), (b"build=7/x", buffers[0][2]), (b"build=8/y", b"damaged")]
    record = _etinspect.Record.open(os.fsencode(mlp / "record.etrecord"), None)
    rows = _etinspect.Rows.new(dumps, record, [("labels_from_path", "true")])
    record_bytes = (mlp / "record.etrecord").read_bytes()

    def read_rows():
        reader = rows.reader()
        while (table := reader.next()) is not None:
            table.rows(0, 2)

    calls = {
        "open": lambda: native.open([("target_time_scale", "us")], inputs),
        "open a buffer": lambda: native.open([], buffers),
        "blocks": inspector.blocks,
        "columns": lambda: inspector.columns(True),
        "notes": inspector.notes,
        "events_table": lambda: inspector.events_table([("include_units", "true")]).write("table"),
        "tsv": lambda: inspector.events_table([]).write("tsv"),
        "report": selected,
        "columns": table.columns,
        "rows": lambda: table.rows(0, 1000),
        "write": lambda: report.write("csv", []),
        "text": lambda: report.write(None, [("width", "100")]),
        "save": lambda: report.save("csv", out, []),
        "page": lambda: inspector.page(out, []),
        "numerics": lambda: inspector.numerics(inspector, []),
        "samples, unread": inspector.samples_stream,
        "samples": lambda: consume(inspector.samples_stream()),
        "table, unread": table.arrow_stream,
        "table": lambda: consume(table.arrow_stream()),
        "a record": lambda: _etinspect.Record.open(b"(memory)", record_bytes),
        "rows of many": lambda: _etinspect.Rows.new(dumps, (b"(memory)", record_bytes), [("filter", "run == 0")]),
        "rows of many, unread": rows.arrow_stream,
        "rows of many, consumed": lambda: consume(rows.arrow_stream()),
        "rows of many, by tables": read_rows,
        "rows of many, written": lambda: rows.report().write("ndjson", []),
        "profile": lambda: inspector.profile([]),
        "save a profile": lambda: profile.save(out, [("samples", "true")]),
        "read a profile": lambda: _etinspect.Profile.read(baseline, []),
        "merge profiles": lambda: _etinspect.Profile.merge([profile], []),
        "diff": lambda: _etinspect.diff(profile, profile, [("one_process", "true")]),
        "gate": lambda: _etinspect.gate(None, profile, [("fail_on", "total:p50>1s")]),
        "summarize": lambda: _etinspect.summarize([1.0, 2.0, 3.0]),
        "holm_adjust": lambda: _etinspect.holm_adjust([0.25, 0.5]),
        "capture": lambda: record_runs(_etinspect.Capture, os.fsencode(out)),
        "capture, refused": lambda: refuse(_etinspect.Capture, os.fsencode(out)),
        "option_types": _etinspect.option_types,
        "view_names": _etinspect.view_names,
    }
    walked_tensors.append(memoryview(bytes(range(12))).cast("B", (3, 4)))
    walked_tensors.append(memoryview(bytes(range(12)))[::2])
    wanted = sys.argv[2:]
    for name, call in calls.items():
        if not wanted or name in wanted:
            walk(name, call)
    print(f"memory: {n_passed} passed, {n_failed} failed, 0 skipped")
    return n_failed > 0


if __name__ == "__main__":
    sys.exit(main())
