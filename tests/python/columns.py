"""Compares the DataFrames of columns that the extension makes with those of Events, cell by cell: all dumps of testdata/, with
and without ETRecord and debug buffer, in all forms and time scales; and made-up profiles of several methods.

Prints "columns: N passed, N failed, 0 skipped".
"""

import gc
import itertools
import pathlib
import sys
import tempfile
import tracemalloc
import unittest
import warnings

import numpy
import pandas

from etinspect import Capture, Error, Inspector, Tensor, TimeScale

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata"
FORMS = list(itertools.product((True, False), repeat=2))
LEAST_COMPARED = 400  # files in all forms
SCALES = [("ns", scale.value) for scale in TimeScale if scale is not TimeScale.CYCLES]
SCALES += [("s", "us"), ("us", "ms"), ("cycles", "cycles")]


def paths(name):
    return sorted(TESTDATA.rglob(name))


def inspectors():
    """Yields a name and arguments of Inspectors."""
    for dump in paths("*.etdp"):
        records = [None, *sorted(dump.parent.glob("*.etrecord"))]
        buffers = [None, *sorted(dump.parent.glob("debug_buffer.bin"))]
        for record, buffer in itertools.product(records, buffers):
            yield f"{dump}, {record}, {buffer}", {"etdump_path": dump, "etrecord": record, "debug_buffer_path": buffer}


def outcome(call):
    try:
        return call()
    except (Error, ValueError) as error:
        return type(error), str(error)


def of_columns(arguments, *form):
    return outcome(lambda: Inspector(**arguments).to_dataframe(*form))


def of_events(arguments, *form):
    def call():
        inspector = Inspector(**arguments)
        assert isinstance(inspector.event_blocks, list)
        return inspector.to_dataframe(*form)

    return outcome(call)


def require_same_cell(test, expected, found):
    test.assertIs(type(expected), type(found))
    if isinstance(expected, (list, tuple)):
        test.assertEqual(len(expected), len(found))
        for one, other in zip(expected, found):
            require_same_cell(test, one, other)
    elif isinstance(expected, dict):
        test.assertEqual(list(expected), list(found))
        for key in expected:
            require_same_cell(test, expected[key], found[key])
    elif isinstance(expected, Tensor):
        test.assertEqual((expected.dtype, expected.shape, expected.is_recorded), (found.dtype, found.shape, found.is_recorded))
        test.assertEqual(expected.tobytes(), found.tobytes())
    elif expected == expected:  # not NaN
        test.assertEqual(expected, found)
    else:
        test.assertNotEqual(found, found)


def require_same(test, expected, found):
    test.assertIs(type(expected), type(found))
    if not isinstance(expected, pandas.DataFrame):
        test.assertEqual(expected, found)
        return
    test.assertEqual(list(expected.columns), list(found.columns))
    test.assertEqual(list(expected.dtypes), list(found.dtypes))
    test.assertTrue(expected.index.equals(found.index))
    for name in expected:
        for one, other in zip(expected[name].tolist(), found[name].tolist()):
            require_same_cell(test, one, other)
    without_values = [frame.assign(debug_data=frame["debug_data"].map(len)) for frame in (expected, found)]
    pandas.testing.assert_frame_equal(*without_values, check_dtype=True, check_exact=True)


class Columns(unittest.TestCase):
    def test_all_dumps_give_the_frames_of_their_events(self):
        n_compared = 0
        for name, arguments in inspectors():
            for form in FORMS:
                with self.subTest(name, form=form):
                    expected = of_events(arguments, *form)
                    require_same(self, expected, of_columns(arguments, *form))
                    n_compared += isinstance(expected, pandas.DataFrame)
        self.assertGreater(n_compared, LEAST_COMPARED)

    def test_all_time_scales(self):
        for case, (source, target) in itertools.product(("transformer", "delegate-ids", "xnnpack-conv"), SCALES):
            arguments = {"etdump_path": TESTDATA / case / "run.etdp", "etrecord": TESTDATA / case / "record.etrecord",
                         "source_time_scale": source, "target_time_scale": target}
            with self.subTest(case, source=source, target=target):
                expected = of_events(arguments)
                self.assertIn(f"avg ({target})", expected)
                require_same(self, expected, of_columns(arguments))

    def test_methods_with_values_of_all_kinds(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = made_up(pathlib.Path(folder))
            for form in FORMS:
                expected = of_events(arguments, *form)
                require_same(self, expected, of_columns(arguments, *form))
        kinds = {type(value) for cell in expected["debug_data"] for value in cell}
        self.assertTrue(kinds >= {Tensor, list, int, float, bool}, kinds)
        self.assertEqual(expected["event_block_name"].nunique(), 3)
        self.assertEqual(set(map(type, expected["delegate_debug_identifier"])), {str, int, type(None)})
        self.assertIn(None, expected["raw"].tolist())

    def test_events_that_the_user_changed_show(self):
        inspector = Inspector(TESTDATA / "mlp/run.etdp")
        inspector.to_dataframe()
        inspector.event_blocks[0].events[0].name = "changed"
        self.assertEqual(inspector.to_dataframe()["event_name"][0], "changed")
        inspector.event_blocks = inspector.event_blocks[:1]
        self.assertEqual(len(inspector.to_dataframe()), len(inspector.event_blocks[0].events))

    def test_functions_of_the_user_take_part(self):
        path = TESTDATA / "delegate-ids/run.etdp"
        inspector = Inspector(path, delegate_time_scale_converter=lambda name, time: 7 * time)
        self.assertFalse(inspector.to_dataframe()["avg (ms)"].equals(Inspector(path).to_dataframe()["avg (ms)"]))
        inspector = Inspector(path, delegate_metadata_parser=lambda metadata: {"parsed": len(metadata)})
        self.assertIn("parsed", inspector.to_dataframe(True, True))

    def test_cells_can_be_changed(self):
        frame = Inspector(TESTDATA / "transformer/run.etdp", etrecord=TESTDATA / "transformer/record.etrecord").to_dataframe()
        for column in ("raw", "op_types", "debug_data", "start_time", "stack_traces", "module_hierarchy"):
            self.assertEqual(len(set(map(id, frame[column]))), len(frame), column)
        frame.loc[0, "avg (ms)"] = 5.5
        self.assertEqual(frame["avg (ms)"].max(), 5.5)

    def test_nothing_is_left_over(self):
        inspector = Inspector(TESTDATA / "transformer/run.etdp", etrecord=TESTDATA / "transformer/record.etrecord",
                              debug_buffer_path=TESTDATA / "transformer/debug_buffer.bin")
        tracemalloc.start()
        grown = []
        for _ in range(2):
            for _ in range(50):
                inspector._native.columns(True)
            gc.collect()
            grown.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        self.assertLess(grown[1] - grown[0], 50 * 40)  # any object of each call would be more


def made_up(folder):
    """Returns arguments for a profile of several EventBlocks, whose columns are of different kinds, with values of all
    kinds."""
    path, debug_path = folder / "run.etdp", folder / "debug.bin"
    with Capture(path, debug_path=debug_path, debug_bytes=1 << 12) as capture:
        for method, values in (("forward", []), ("decode", [numpy.arange(6, dtype="float32").reshape(2, 3)]), ("forward", []),
                               ("encode", [3, 2.5, True, numpy.arange(6).reshape(2, 3).T, [numpy.zeros((2, 0)), numpy.ones(3)]])):
            with capture.run(method):
                for handle, value in enumerate(values):
                    with capture.span("native_call_op", handle=handle):
                        with capture.span("OPERATOR_CALL"):
                            capture.log_value(value)
                with capture.delegate({"decode": 7, "encode": "gemm"}.get(method, 3), metadata=method.encode(), handle=9):
                    pass
                if method == "encode":
                    with capture.delegate(8, handle=10):
                        pass
                with capture.span("no value", handle=11):
                    pass
                if method == "decode":
                    capture.log_value(2.5, operator="untimed")
    return {"etdump_path": path, "debug_buffer_path": debug_path}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    result = unittest.main(exit=False, warnings="ignore").result
    n_failed = len(result.failures) + len(result.errors)
    print(f"columns: {max(result.testsRun - n_failed, 0)} passed, {n_failed} failed, 0 skipped")
    sys.exit(n_failed > 0)
