"""Tests of etinspect.Capture: both Inspectors, executorch's and etinspect's, read its recordings back.

    capture.py BUILD

Prints "capture: N passed, N failed, N skipped".
"""

import array
import gc
import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy

import etinspect
from etinspect import Capture, Error, Inspector

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
has_peer = importlib.util.find_spec("executorch") is not None


def events_of(source, block=0, **options):
    """Returns {name: [samples]} of a capture, or of a file."""
    if isinstance(source, Capture):
        inspector = Inspector(etdump_data=source.tobytes(), **options)
    else:
        inspector = Inspector(source, **options)
    return {event.name: event.perf_data.raw for event in inspector.event_blocks[block].events if event.perf_data}


def names_of(inspector):
    return [[event.name for event in block.events] for block in inspector.event_blocks]


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Recording(InFolder):
    def test_events_are_read_back(self):
        path = self.folder / "run.etdp"
        with Capture(path) as capture:
            conv = capture.span("conv")
            longest = []
            for _ in range(3):
                with capture.run("Execute"):
                    with conv:
                        begin = time.monotonic_ns()
                        while time.monotonic_ns() - begin < 2_000_000:
                            pass
                    begin = time.monotonic_ns()
                    with capture.span("softmax"):
                        pass
                    longest.append((time.monotonic_ns() - begin) / 1e6)
        inspector = Inspector(path)
        self.assertEqual(names_of(inspector), [["conv", "softmax"]])
        conv, softmax = inspector.event_blocks[0].events
        self.assertEqual((len(conv.perf_data.raw), len(softmax.perf_data.raw)), (3, 3))
        self.assertGreaterEqual(conv.perf_data.min, 2)  # ms
        for elapsed, most in zip(softmax.perf_data.raw, longest):
            self.assertLessEqual(elapsed, most)
        with self.assertRaisesRegex(Error, "the capture is closed"):
            capture.stats()

    def test_times_are_those_of_the_monotonic_clock(self):
        capture = Capture()
        with capture.run():
            before = time.monotonic_ns()
            with capture.span("a"):
                pass
            after = time.monotonic_ns()
            capture.log_event("b", 2_000_000, 5_000_000)
            capture.log_event("c", 7, 2**64 - 1)
        inspector = Inspector(etdump_data=capture.tobytes(), target_time_scale=etinspect.TimeScale.NS, exact_time=True)
        a, b, c = inspector.event_blocks[0].events
        self.assertTrue(before <= a.start_time[0] <= after)
        self.assertEqual((b.start_time, b.perf_data.raw), ([2_000_000], [3_000_000]))
        self.assertEqual((c.start_time, c.name), ([7], "c"))

    def test_equal_names_in_a_run_remain_apart(self):
        for auto_handles, wanted in ((True, ["a", "a"]), (False, ["a"])):
            capture = Capture(auto_handles=auto_handles)
            for _ in range(2):
                with capture.run():
                    for _ in range(2):
                        with capture.span("a"):
                            pass
            self.assertEqual(names_of(Inspector(etdump_data=capture.tobytes())), [wanted])

    def test_spans_without_a_handle_are_apart_from_those_with_one(self):
        capture = Capture(debug_bytes=1 << 12)
        lane = capture.lane(debug_bytes=1 << 12)
        with capture.run():
            for recorder in (capture, lane):
                for i in range(9):
                    with recorder.span("before"):
                        recorder.log_value(float(i))
                with recorder.span("model", handle=7):
                    recorder.log_value(0.5)
                    with recorder.span("inner"):
                        recorder.log_value(1.5)
        events = Inspector(etdump_data=capture.tobytes()).event_blocks[0].events
        found = [(event.name, event.debug_data) for event in events if event.name == "before"]
        self.assertEqual(found, [("before", [float(i)]) for i in range(9)] * 2)
        found = [event.debug_data for event in events if event.name in ("model", "inner")]
        self.assertTrue(found and all(values == [0.5, 1.5] * (len(values) // 2) for values in found), found)

    def test_handles_are_those_of_the_innermost_span(self):
        capture = Capture(debug_bytes=1 << 12)
        outer, inner = capture.span("outer", handle=7, chain=1), capture.span("inner", handle=8)
        with capture.run():
            with outer:
                with inner:
                    capture.log_value(1.5)
                capture.log_value(2.5)
            outer.__enter__(), inner.__enter__()  # including spans that do not nest
            outer.__exit__(None, None, None)
            capture.log_value(3.5)
            inner.__exit__(None, None, None)
        events = Inspector(etdump_data=capture.tobytes()).event_blocks[0].events
        self.assertEqual([(event.name, event._instruction_id, event.debug_data) for event in events],
                         [("inner", 8, [1.5, 3.5]), ("outer", 7, [2.5])])

    def test_spans_that_are_dropped_leave_no_handle(self):
        capture = Capture(auto_handles=False)
        with capture.run(), capture.span("outer", handle=3):
            inner = capture.span("inner", handle=7)
            inner.__enter__()
            del inner
            with capture.span("after"):
                pass
        events = Inspector(etdump_data=capture.tobytes()).event_blocks[0].events
        self.assertEqual([(event.name, event._instruction_id) for event in events], [("after", 3), ("outer", 3)])

    def test_delegates_have_names_ids_and_metadata(self):
        capture = Capture()
        with capture.run():
            with capture.span("DELEGATE_CALL", handle=1):
                with capture.delegate("matmul", metadata=b"\0tile=4"):
                    pass
                with capture.delegate(3) as span:
                    span.metadata = b"later"
                with capture.delegate("softmax"):
                    pass
        events = Inspector(etdump_data=capture.tobytes()).event_blocks[0].events
        found = [(event.delegate_debug_identifier, event.delegate_debug_metadatas) for event in events if event.is_delegated_op]
        self.assertEqual(found, [("matmul", [b"\0tile=4"]), (3, [b"later"]), ("softmax", [])])

    def test_counters_and_marks(self):
        capture = Capture()
        lane = capture.lane()
        with capture.run():
            with capture.span("conv") as span:
                span.counters = {"cycles": 12, "energy [uJ]": -(1 << 63)}
            with capture.delegate("node") as span:
                span.counters = {"bytes": 5}
            capture.mark("clock changes", {"frequency [Hz]": 600})
            lane.mark("input arrives")
            with self.assertRaisesRegex(Error, "at most 16"):
                capture.mark("many", {str(number): number for number in range(17)})
            for wrong, error in (({"a": 1.5}, TypeError), ({1: 1}, TypeError), ([1], TypeError), ({"a": 1 << 63}, OverflowError)):
                with self.assertRaises(error):
                    span.counters = wrong
                with self.assertRaises(error):
                    capture.mark("wrong", wrong)
            with self.assertRaisesRegex(Error, "either counters or metadata"):
                span.metadata = b"x"
            span.counters = None
            span.metadata = b"x"
            with self.assertRaisesRegex(Error, "either counters or metadata"):
                span.counters = {"a": 1}
        events = Inspector(etdump_data=capture.tobytes()).event_blocks[0].events
        self.assertEqual([event.delegate_debug_metadatas for event in events],
                         [[b"etcapture: cycles=12; energy [uJ]=-9223372036854775808"], [b"etcapture: bytes=5"],
                          [b"etcapture mark: frequency [Hz]=600"], [b"etcapture mark: "]])
        self.assertEqual([event.name for event in events if not event.is_delegated_op], ["conv", "clock changes", "input arrives"])

    def test_exceptions_end_what_is_open_and_pass(self):
        path = self.folder / "run.etdp"
        with self.assertRaisesRegex(KeyError, "mine"):
            with Capture(path) as capture:
                with capture.run():
                    with capture.span("a"):
                        raise KeyError("mine")
        self.assertEqual(list(events_of(path)), ["a"])
        with self.assertRaisesRegex(KeyError, "mine"):  # no message says that there was no run
            with Capture(self.folder / "none.etdp"):
                raise KeyError("mine")
        self.assertFalse((self.folder / "none.etdp").exists())

    def test_allocations(self):
        capture = Capture()
        with capture.run():
            capture.allocation(capture.allocator("pool"), 4096)
            with capture.span("a"):
                pass
        rows = Inspector(etdump_data=capture.tobytes()).report("alloc").dicts()
        self.assertEqual([row["allocator"] for row in rows], ["pool"])
        self.assertIn(4096, rows[0].values())
        self.assertEqual(len(Inspector(etdump_data=capture.tobytes(no_allocations=True)).report("alloc")), 0)

    def test_bundled_inputs(self):
        capture = Capture()
        for index in (0, 1, None):
            with capture.run("Execute", bundled_input_index=index):
                with capture.span("a"):
                    pass
        indices = [block.bundled_input_index for block in Inspector(etdump_data=capture.tobytes()).event_blocks]
        self.assertEqual(sorted(indices, key=str), [-1, 0, 1])


class Values(InFolder):
    def read_back(self, values):
        """Records values as those of an operator each, and reads them with etinspect."""
        path, debug_path = self.folder / "run.etdp", self.folder / "debug.bin"
        with Capture(path, debug_path=debug_path, debug_bytes=1 << 20) as capture:
            with capture.run():
                for number, value in enumerate(values):
                    with capture.span("op", handle=number):
                        self.assertTrue(capture.log_value(value))
        events = Inspector(path, debug_buffer_path=debug_path).event_blocks[0].events
        self.assertEqual(len(events), len(values))
        return [event.debug_data for event in events]

    def test_arrays_of_all_types_and_layouts(self):
        types = ["bool", "float16", "float32", "float64"]
        types += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
        base = numpy.arange(24).reshape(2, 3, 4)
        arrays = [base.astype(name) for name in types]
        arrays += [base.T, base[:, ::2, ::-1], numpy.asfortranarray(base), base.astype("float32")[:, :, 1], base[:0],
                   numpy.float32(2.5), numpy.array(7, "int16"), numpy.zeros((1,) * 16, "uint8")]
        for array_, found in zip(arrays, self.read_back(arrays)):
            (tensor,) = found
            wanted = numpy.ascontiguousarray(array_) if numpy.ndim(array_) else numpy.asarray(array_)
            self.assertEqual((tensor.dtype, tensor.shape), (str(wanted.dtype), wanted.shape))
            self.assertEqual(tensor.tobytes(), wanted.tobytes())

    def test_other_buffers_and_numbers(self):
        found = self.read_back([b"abc", array.array("f", [1, 2]), memoryview(b"12345678").cast("i", (2,)), True, -5, 2.25])
        self.assertEqual([tensor.tolist() for (tensor,) in found[:3]], [[97, 98, 99], [1, 2], [0x34333231, 0x38373635]])
        self.assertEqual(found[3:], [[True], [-5], [2.25]])

    def test_lists_of_tensors(self):
        ((tensors,),) = self.read_back([[numpy.ones(2, "float32"), numpy.zeros((2, 2), "int64")]])
        self.assertEqual([tensor.tolist() for tensor in tensors], [[1, 1], [[0, 0], [0, 0]]])

    @unittest.skipUnless(has_peer, "torch is not installed")
    def test_tensors_of_torch(self):
        import torch

        tensor = torch.arange(6.0).reshape(2, 3).requires_grad_()
        ((found,),) = self.read_back([tensor.t()])
        self.assertEqual(found.tolist(), tensor.t().tolist())

    def test_outputs_of_the_program_and_operators_of_delegates(self):
        path, debug_path = self.folder / "run.etdp", self.folder / "debug.bin"
        with Capture(path, debug_path=debug_path, debug_bytes=1 << 12) as capture:
            with capture.run():
                with capture.delegate("gemm", handle=1):
                    capture.log_value(numpy.ones(3, "float32"), operator="gemm")
                capture.log_value(numpy.full(2, 9, "int32"), output=True)
        (block,) = Inspector(path, debug_buffer_path=debug_path).event_blocks
        self.assertEqual([tensor.tolist() for tensor in block.run_output], [[9, 9]])
        self.assertEqual([tensor.tolist() for tensor in block.events[0].debug_data], [[1, 1, 1]])

    @unittest.skipIf(sys.version_info < (3, 12), "classes have no __buffer__() before Python 3.12")
    def test_buffers_that_close_the_capture(self):
        class Closing:
            def __buffer__(self, flags):
                capture.close()
                return memoryview(bytes(16))

        capture = Capture(debug_bytes=1 << 12)
        with self.assertRaisesRegex(Error, "the capture is closed"):
            capture.log_value(Closing())

    def test_what_is_not_recorded_is_said(self):
        capture = Capture(debug_bytes=64)
        self.assertFalse(capture.log_value(1))  # no run
        with capture.run():
            self.assertFalse(capture.log_value(numpy.zeros(64)))  # 512 bytes
            self.assertTrue(capture.log_value(1))
            for wrong, error in ((numpy.zeros(2, ">f4"), TypeError), (numpy.zeros(2, "complex64"), TypeError),
                                 ("text", TypeError), (2**63, OverflowError), ([1, 2], TypeError), (None, TypeError)):
                with self.assertRaises(error):
                    capture.log_value(wrong)
            with self.assertRaises(Error):
                capture.log_value(1, output=True)
        self.assertEqual(capture.stats()["debug_values_without_contents"], 1)


class Keeping(InFolder):
    def record(self, n, **options):
        capture = Capture(**options)
        for number in range(n):
            with capture.run():
                capture.log_event("a", 0, number)
        return capture

    def samples(self, capture, **options):
        inspector = Inspector(etdump_data=capture.tobytes(**options), target_time_scale="ns")
        return inspector.event_blocks[0].events[0].perf_data.raw

    def test_rings_windows_and_last_runs(self):
        self.assertEqual(self.samples(self.record(5)), [0, 1, 2, 3, 4])
        self.assertEqual(self.samples(self.record(50, ring=True, keep_runs=3)), [47, 48, 49])
        self.assertEqual(self.samples(self.record(9, skip_runs=2, max_runs=3)), [2, 3, 4])
        self.assertEqual(self.samples(self.record(9), last_runs=2), [7, 8])
        self.assertEqual(self.samples(self.record(9, window_name="Other", skip_runs=2)), list(range(9)))
        full = self.record(500, limit_bytes=2048)
        self.assertGreater(full.stats()["runs_dropped"] + full.stats()["events_lost_full"], 300)
        ring = self.record(500, limit_bytes=2048, ring=True)
        self.assertEqual(self.samples(ring)[-1], 499)
        self.assertLess(ring.stats()["memory_bytes"], 2049)

    def test_reset_forgets_runs_and_keeps_names(self):
        capture = self.record(3)
        span = capture.span("b")
        capture.reset()
        with self.assertRaisesRegex(Error, "there is no run to save"):
            capture.tobytes()
        with capture.run(), span:
            pass
        self.assertEqual(list(events_of(capture)), ["b"])

    def test_journals_survive_the_process(self):
        journal, path = self.folder / "run.etj", self.folder / "run.etdp"
        script = ("import etinspect, os, signal, sys\n"
                  "capture = etinspect.Capture(journal=sys.argv[1])\n"
                  "for i in range(4):\n"
                  "    with capture.run():\n"
                  "        with capture.span('a'):\n"
                  "            pass\n"
                  "capture.sync()\n"
                  "os.kill(os.getpid(), signal.SIGKILL)\n")
        died = subprocess.run([sys.executable, "-c", script, journal])
        self.assertEqual(died.returncode, -signal.SIGKILL)
        subprocess.run([BUILD / "etinspect", "recover", journal, "-o", path], check=True, capture_output=True)
        self.assertEqual(len(events_of(path)["a"]), 4)
        with self.assertRaises(FileExistsError) as caught:
            Capture(journal=journal)
        self.assertIsInstance(caught.exception, Error)
        with self.assertRaisesRegex(Error, "is not a journal"):
            Capture().sync()


class Lanes(unittest.TestCase):
    def test_threads_record_into_runs_of_one_capture(self):
        capture = Capture()
        lanes = [capture.lane() for _ in range(3)]

        def work(lane, number):
            for _ in range(100):
                with lane.span(f"part {number}"):
                    pass

        for _ in range(2):
            with capture.run():
                threads = [threading.Thread(target=work, args=(lane, number)) for number, lane in enumerate(lanes)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        (names,) = names_of(Inspector(etdump_data=capture.tobytes()))
        self.assertEqual(names, [f"part {number}" for number in range(3) for _ in range(100)])

    def test_names_of_lanes_are_in_the_trace(self):
        capture = Capture()
        capture.name_queue(0, "host")
        capture.name_queue(20, "matrix unit")
        lane = capture.lane("decoder")
        with capture.run(), capture.span("lane 1: no name"), lane.span("a"):
            pass
        data = capture.tobytes()
        for name in (b"etcapture lane 0: host", b"etcapture lane 1: decoder", b"etcapture lane 20: matrix unit"):
            self.assertIn(name + bytes(1), data)
        self.assertNotIn(b"etcapture lane 1: no name", data)
        with self.assertRaises(TypeError):
            capture.lane(7)
        with self.assertRaises(OverflowError):
            capture.name_queue(-1, "a")

    def test_lanes_need_their_capture(self):
        capture = Capture(debug_bytes=256)
        lane = capture.lane(debug_bytes=256)
        span = lane.span("a")
        with capture.run():
            with span:
                self.assertTrue(lane.log_value(numpy.zeros(4)))
        with self.assertRaisesRegex(Error, "a lane has no lanes"):
            lane._native.lane(0, 0)
        with self.assertRaisesRegex(Error, "opens none"):
            lane._native.run("x", -1)
        del lane
        gc.collect()
        self.assertEqual(list(events_of(capture)), ["a"])
        capture.close()
        capture.close()
        with self.assertRaisesRegex(Error, "the capture is closed"):
            capture.span("a")

    def test_spans_and_lanes_of_a_closed_capture_record_nothing(self):
        capture = Capture()
        lane = capture.lane()
        spans = [capture.span("a"), capture.span("b", handle=1), capture.delegate("c", metadata=b"x"), lane.span("d")]
        lasting = capture.span("e", handle=2)
        with lasting:
            capture.close()
        for span in [*spans, lasting, lane.span("f", handle=3), lane.delegate("g")]:
            for _ in range(2):
                with span:
                    with self.assertRaisesRegex(Error, "open already"):
                        span.__enter__()
            with self.assertRaisesRegex(Error, "the span is not open"):
                span.__exit__(None, None, None)
        lane.log_event("a", 1, 2)
        self.assertFalse(lane.log_value(1))


class Misuse(InFolder):
    def test_wrong_order_raises(self):
        capture = Capture()
        span, run = capture.span("a"), capture.run()
        with self.assertRaisesRegex(Error, "the span is not open"):
            span.__exit__(None, None, None)
        with self.assertRaisesRegex(Error, "the run is not open"):
            run.__exit__(None, None, None)
        with run:
            with self.assertRaisesRegex(Error, "runs do not nest"):
                capture.run().__enter__()
            with span:
                with self.assertRaisesRegex(Error, "open already"):
                    span.__enter__()
        self.assertEqual(list(events_of(capture)), ["a"])

    def test_events_without_a_run_are_counted(self):
        capture = Capture()
        with capture.span("a"):
            pass
        self.assertEqual(capture.stats()["events_lost_state"], 1)
        with self.assertRaisesRegex(Error, "there is no run to save"):
            capture.save(self.folder / "x")
        self.assertEqual(os.listdir(self.folder), [])

    def test_wrong_arguments_raise(self):
        capture = Capture()
        for call, error in ((lambda: capture.span(3), TypeError), (lambda: capture.span("a\0b"), Error),
                            (lambda: capture.span("\ud800"), ValueError), (lambda: capture.span("a", handle=-1), OverflowError),
                            (lambda: capture.span("a", handle=2**32), OverflowError), (lambda: capture.delegate(-2), Error),
                            (lambda: capture.delegate("a", metadata="text"), TypeError), (lambda: capture.run(None), TypeError),
                            (lambda: Capture(limit_bytes=10), Error), (lambda: Capture(keep_runs=-1), OverflowError),
                            (lambda: capture.log_event("a", -1, 2), OverflowError),
                            (lambda: capture.lane(limit_bytes=3), MemoryError),
                            (lambda: capture.save(), TypeError), (lambda: capture.tobytes(bogus=1), TypeError),
                            (lambda: Capture(debug_bytes=2**62), MemoryError)):
            with self.assertRaises(error):
                call()

    def test_options_without_effect_are_refused(self):
        for options, message in (({"keep_runs": 3}, "keep_runs has no effect without ring=True"),
                                 ({"debug_path": "x.bin"}, "debug_path has no effect without path"),
                                 ({"window_name": "a"}, "window_name has no effect without skip_runs or max_runs"),
                                 ({"limit_bytes": 1}, "limit_bytes: 1 is less than a capture needs: 1024"),
                                 ({"limit_bytes": 1023, "journal": self.folder / "j"}, "limit_bytes: 1023 is less")):
            with self.assertRaisesRegex(Error, message):
                Capture(**options)
        self.assertEqual(os.listdir(self.folder), [])
        Capture(limit_bytes=1024, window_name="a", max_runs=1)

    def test_paths_may_be_bytes(self):
        journal, saved, debug = (os.fsencode(self.folder / name) for name in ("journal", "run", "debug"))
        capture = Capture(journal=journal + b"\xff", debug_bytes=100)
        with capture.run(), capture.span("a"):
            pass
        capture.save(saved + b"\xff", debug + b"\xff")
        self.assertEqual(sorted(os.listdir(os.fsencode(self.folder))), [b"debug\xff", b"journal\xff", b"run\xff"])
        for path in ("a\0b", b"a\0b"):
            with self.assertRaises(ValueError):
                capture.save(saved, path)
            with self.assertRaises(ValueError):
                Capture(journal=path)

    def test_files_that_cannot_be_written_remain(self):
        capture = Capture()
        with capture.run(), capture.span("a"):
            pass
        with self.assertRaises(FileNotFoundError) as caught:
            capture.save(self.folder / "missing/run.etdp")
        self.assertIsInstance(caught.exception, Error)
        with self.assertRaises(FileNotFoundError) as caught:
            capture.save(self.folder / "run.etdp", self.folder / "missing/debug.bin")
        self.assertEqual(pathlib.Path(caught.exception.filename2), self.folder / "missing/debug.bin")
        capture.save(self.folder / "run.etdp")
        before = (self.folder / "run.etdp").read_bytes()
        with self.assertRaises(Error):
            capture.save(self.folder / "run.etdp", self.folder / "run.etdp")
        self.assertEqual((self.folder / "run.etdp").read_bytes(), before)
        self.assertEqual(os.listdir(self.folder), ["run.etdp"])

    def test_many_captures_leave_memory_flat(self):
        import resource

        for i in range(600):
            if i == 200:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            capture = Capture(debug_bytes=1 << 14, limit_bytes=1 << 20)
            lane = capture.lane(debug_bytes=1 << 12)
            with capture.run(), capture.span("a", handle=1), lane.span("b"), capture.delegate("c", metadata=b"x" * 100):
                capture.log_value([numpy.zeros((9, 9)).T] * 3)
            capture.tobytes()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2048)


@unittest.skipUnless(has_peer, "executorch is not installed")
class BothInspectors(InFolder):
    def test_they_read_the_same(self):
        import pandas
        from executorch.devtools import Inspector as Peer

        path, debug_path = self.folder / "run.etdp", self.folder / "debug.bin"
        with Capture(path, debug_path=debug_path, debug_bytes=1 << 16) as capture:
            spans = [capture.span(f"native_call_{number}.out", handle=number) for number in range(20)]
            for run in range(7):
                with capture.run("Execute"):
                    for number, span in enumerate(spans):
                        with span:
                            with capture.delegate(f"part {number}", metadata=b"%d" % run):
                                pass
                            if number % 3 == 0:
                                capture.log_value(numpy.full((2, number + 1), number, "float32"))
        files = {"etdump_path": str(path), "debug_buffer_path": str(debug_path)}
        ours, theirs = Inspector(**files), Peer(**files)
        frames = [inspector.to_dataframe(True, True).assign(debug_data=None) for inspector in (theirs, ours)]
        pandas.testing.assert_frame_equal(*frames)
        self.assertEqual(len(frames[0]), 40)
        values = [[tensor.tolist() for event in inspector.event_blocks[0].events for tensor in event.debug_data]
                  for inspector in (theirs, ours)]
        self.assertEqual(*values)
        self.assertGreaterEqual(len(values[0]), 7)

    def test_counters_change_nothing_that_executorch_shows(self):
        from executorch.devtools import Inspector as Peer

        def record(path, has_counters):
            with Capture(path) as capture:
                for run in range(3):
                    with capture.run():
                        with capture.span("native_call_conv.out", handle=0) as span:
                            span.counters = {"cycles": run, "energy [uJ]": 5} if has_counters else None
                        with capture.span("clock changes", handle=1) as span:
                            span.counters = {"frequency [Hz]": 600} if has_counters else None
                        with capture.delegate("node", handle=2) as span:
                            span.counters = {"bytes": run} if has_counters else None

        frames = []
        for has_counters in (False, True):
            path = self.folder / f"{has_counters}.etdp"
            record(path, has_counters)
            frames.append(Peer(etdump_path=str(path)).to_dataframe())
        self.assertEqual(*(list(frame.columns) for frame in frames))
        for column in ("event_block_name", "event_name", "is_delegated_op", "delegate_debug_identifier", "op_types"):
            self.assertEqual(*(list(frame[column]) for frame in frames))
        self.assertEqual(*(list(map(len, frame["raw"])) for frame in frames))


def main():
    warnings.simplefilter("ignore")
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    for test, text in result.failures + result.errors:
        print(f"FAILED {test}: {text.splitlines()[-1]}")
    print(f"capture: {result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
