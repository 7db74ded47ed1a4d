"""Tests of the package alone, and those two of the Inspector's own tests that use only its public classes.

    package.py BUILD

Prints "package: N passed, N failed, N skipped".
"""

import array
import copy
import dataclasses
import gc
import importlib.util
import io
import json
import mmap
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
import warnings

import etinspect
from etinspect import Error, Event, EventBlock, GateResult, Inspector, PerfData, Profile, TimeScale

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata"
TRANSFORMER = TESTDATA / "transformer"


def transformer(**options):
    return Inspector(etdump_path=TRANSFORMER / "run.etdp", etrecord=str(TRANSFORMER / "record.etrecord"), **options)


def program(*words):
    return subprocess.run([BUILD / "etinspect", *words], capture_output=True, check=True, text=True, cwd=TRANSFORMER).stdout


class Importing(unittest.TestCase):
    def test_nothing_is_imported_before_it_is_used(self):
        script = "import etinspect, sys; print([name for name in sys.modules if name.startswith('etinspect')])"
        found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        self.assertEqual(found, "['etinspect']\n")

    def test_printing_needs_neither_pandas_nor_numpy(self):
        script = ("import etinspect, sys; etinspect.Inspector(sys.argv[1]).print_data_tabular();"
                  "assert not {'pandas', 'numpy', 'torch', 'tabulate'} & set(sys.modules)")
        subprocess.run([sys.executable, "-c", script, TRANSFORMER / "run.etdp"], stdout=subprocess.DEVNULL, check=True)

    def test_all_names_are_there(self):
        for name in etinspect.__all__:
            self.assertIsNotNone(getattr(etinspect, name))
        self.assertEqual(etinspect.__version__, program("--version").split()[1])
        with self.assertRaises(AttributeError):
            etinspect.Inspektor

    def test_programs_change_only_the_line_of_their_imports(self):
        from etinspect.inspector import Event, EventBlock, Inspector, PerfData, TimeScale, compare_results
        from etinspect.inspector._inspector_utils import TimeScale as Scale

        names = [Event, EventBlock, Inspector, PerfData, TimeScale, compare_results]
        self.assertEqual(names, [getattr(etinspect, one.__name__) for one in names])
        self.assertIs(Scale, TimeScale)


class Paths(unittest.TestCase):
    def test_bytes_that_are_not_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            base = os.fsencode(folder) + b"/n\xff"
            for suffix, name in ((b".etdp", "run.etdp"), (b".etrecord", "record.etrecord"), (b".pte", "model.pte")):
                pathlib.Path(os.fsdecode(base + suffix)).write_bytes((TESTDATA / "xnnpack-conv" / name).read_bytes())
            for named in (lambda suffix: base + suffix, lambda suffix: os.fsdecode(base + suffix)):
                inspector = Inspector(named(b".etdp"), etrecord=named(b".etrecord"), program=named(b".pte"))
                Profile(named(b".etdp")).save(named(b".csv"))
                self.assertEqual(len(etinspect.diff(named(b".csv"), named(b".etdp"))["files"]), 2)
                inspector.report("ops").write(named(b".tsv"))
                inspector.save_page(named(b".html"))
                inspector.save_data_to_tsv(named(b".txt"))
                etinspect.rows([named(b".etdp")], program=named(b".pte")).write(named(b".ndjson"))
                for suffix in (b".csv", b".tsv", b".html", b".txt", b".ndjson"):
                    os.unlink(base + suffix)
                with self.assertRaisesRegex(Error, "found an ExecuTorch program"):
                    Inspector(named(b".pte"))

    def test_a_text_that_cannot_be_a_path(self):
        for call in (lambda: Inspector("\ud800"), lambda: Profile("\ud800"), lambda: transformer().save_page("\ud800")):
            with self.assertRaises(Error):
                call()


class OptionsOfOpening(unittest.TestCase):
    def test_reports_refuse_them(self):
        inspector = transformer()
        for name in ("skip_first", "method", "target_time_scale", "source_time_scale", "clock_hz", "debug_buffer_path"):
            calls = [lambda: inspector.report("ops", **{name: "1"}), lambda: inspector.save_page("never.html", **{name: "1"}),
                     lambda: inspector.numerics(inspector, **{name: "1"})]  # fmt: skip
            for call in calls:
                with self.assertRaisesRegex(Error, rf"^{name} applies when an Inspector is made: give it to Inspector\(\)") as caught:
                    call()
                self.assertEqual(caught.exception.status, 1)
        with self.assertRaisesRegex(Error, "^skip_first applies"):
            inspector.report("ops").text(skip_first=0)

    def test_comparisons_make_their_sides_with_them(self):
        path = TRANSFORMER / "run.etdp"
        self.assertIn("base (us)", etinspect.diff(path, path, target_time_scale="us")["events"].columns)
        for compare in (etinspect.diff, lambda *sides, **options: etinspect.gate(*sides, "op:p50>+5%", **options)):
            with self.assertRaisesRegex(Error, "no block is called nope"):
                compare(path, path, block="nope")
            with self.assertRaisesRegex(Error, r"^block applies when a Profile is made: give it to Profile\(\)"):
                compare(Profile(path), path, block="Execute")
            with self.assertRaisesRegex(Error, "^target_time_scale applies when an Inspector is made"):
                compare(Inspector(path), path, target_time_scale="us")

    def test_labels_are_kept(self):
        labels = [
            transformer(label="a=b").report("ops").text("json"),
            transformer(label=["a=c", "d=e"]).report("ops", label="a=b").text("json"),
            etinspect.rows(TRANSFORMER / "run.etdp", labels={"a": "b"}).text("json"),
            etinspect.rows(TRANSFORMER / "run.etdp", label="a=b").text("json"),
        ]
        self.assertEqual([json.loads(text)["labels"] for text in labels], 4 * [{"a": "b"}])


class Threads(unittest.TestCase):
    def test_two_inspectors_compared_in_both_directions(self):
        script = """if True:
            import sys, threading, etinspect
            a, b = (etinspect.Inspector(f"{sys.argv[1]}/run.etdp", debug_buffer_path=f"{sys.argv[1]}/debug_buffer.bin") for _ in "ab")
            def compare(one, other):
                for _ in range(500):
                    one.numerics(other, match="instruction")
            threads = [threading.Thread(target=compare, args=pair) for pair in ((a, b), (b, a))]
            for thread in threads: thread.start()
            for thread in threads: thread.join()"""
        found = subprocess.run([sys.executable, "-c", script, TESTDATA / "small"], capture_output=True, text=True, timeout=60)
        self.assertEqual(found.stderr, "")


class Copies(unittest.TestCase):
    def test_recorded_tensors(self):
        blocks = Inspector(TESTDATA / "small/run.etdp", debug_buffer_path=TESTDATA / "small/debug_buffer.bin").event_blocks
        tensors = [value for block in blocks for event in block.events for value in event.debug_data if isinstance(value, etinspect.Tensor)]
        self.assertTrue(any(tensor.is_recorded for tensor in tensors))
        for copied in (copy.deepcopy(blocks), pickle.loads(pickle.dumps(blocks))):
            self.assertEqual(copied, blocks)
        dataclasses.asdict(blocks[0])
        unrecorded = pickle.loads(pickle.dumps(etinspect.Tensor("float32", (2, 3))))
        self.assertEqual((unrecorded.is_recorded, unrecorded.shape), (False, (2, 3)))


class Strides(unittest.TestCase):
    def test_elements_are_found_by_dense_strides(self):
        def tensor(shape, strides):
            size = 1
            for n in shape:
                size *= n
            return etinspect.Tensor("uint8", shape, bytes(range(size)), strides)

        for shape, strides, wanted in (((2, 3), (1, 2), [[0, 2, 4], [1, 3, 5]]), ((2, 3), (3, 1), [[0, 1, 2], [3, 4, 5]]),
                                       ((2, 1, 3), (1, 9, 2), [[[0, 2, 4]], [[1, 3, 5]]]), ((2, 3), None, [[0, 1, 2], [3, 4, 5]]),
                                       ((2, 2, 2), (4, 1, 2), [[[0, 2], [1, 3]], [[4, 6], [5, 7]]]),
                                       ((2, 3), (1, 4), [[0, 1, 2], [3, 4, 5]]), ((2, 3), (0, 1), [[0, 1, 2], [3, 4, 5]]),
                                       ((2, 0), (1, 2), [[], []]), ((), (), 0)):  # fmt: skip
            found = tensor(shape, strides)
            self.assertEqual(found.tolist(), wanted)
            self.assertFalse(found.numpy().flags.writeable)
            self.assertEqual(list(found.tobytes()), found.numpy().reshape(-1).tolist())
            copied = pickle.loads(pickle.dumps(found))
            self.assertEqual((copied, copied.tolist()), (found, wanted))


class Errors(unittest.TestCase):
    def test_a_missing_file_is_both(self):
        for arguments in ({"etdump_path": "missing.etdp"}, {"etdump_data": b"", "etrecord": "missing.etdp"}):
            with self.assertRaises(FileNotFoundError) as caught:
                Inspector(**arguments)
            self.assertIsInstance(caught.exception, Error)
            self.assertEqual(caught.exception.filename, "missing.etdp")
            self.assertEqual(str(caught.exception), "[Errno 2] No such file or directory: 'missing.etdp'")

    def test_errors_are_pickled(self):
        for arguments in ({"etdump_path": "missing.etdp"}, {"etdump_path": TESTDATA / "README.md"}, {"etdump_path": TESTDATA}):
            with self.assertRaises(Error) as caught:
                Inspector(**arguments)
            error = caught.exception
            for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertEqual((type(copied).__mro__[1:], str(copied), copied.status), (type(error).__mro__[1:], str(error), error.status))
                self.assertEqual(getattr(copied, "filename", None), getattr(error, "filename", None))

    def test_damaged_files_are_errors_with_a_status(self):
        with self.assertRaises(Error) as caught:
            Inspector(etdump_data=b"\x08\x00\x00\x00ED00")
        self.assertEqual(caught.exception.status, 3)
        self.assertIn("etdump_data", str(caught.exception))

    def test_cycles_are_a_runtime_error_too(self):
        with self.assertRaises(RuntimeError):
            Inspector(etdump_data=b"", source_time_scale=TimeScale.CYCLES)

    def test_records_that_are_objects_are_refused(self):
        with self.assertRaises(TypeError):
            Inspector(etdump_data=b"", etrecord=object())

    def test_one_dump_is_needed(self):
        for arguments in ({}, {"etdump_path": "x", "etdump_data": b"x"}):
            with self.assertRaisesRegex(ValueError, "exactly one of etdump_path or etdump_data"):
                Inspector(**arguments)

    def test_unknown_options_and_views_are_named(self):
        with self.assertRaisesRegex(Error, "^there is no argument bogus$"):
            transformer(bogus=1)
        with self.assertRaisesRegex(Error, "no view nope"):
            transformer().report("nope")
        with self.assertRaisesRegex(Error, "fail_on: expected METRIC>LIMIT"):
            etinspect.gate(None, TRANSFORMER / "run.etdp", "bogus")


class Arguments(unittest.TestCase):
    """Errors about unknown arguments name the nearest argument."""

    def test_every_call(self):
        run = TRANSFORMER / "run.etdp"
        inspector = Inspector(run)
        for name, nearest, call in (
            ("etdump", "etdump_path", Inspector),
            ("etdump_dta", "etdump_data", Inspector),
            ("etrecords", "etrecord", lambda **given: Inspector(run, **given)),
            ("clock_hzz", "clock_hz", lambda **given: Inspector(run, **given)),
            ("clock-hzz", "clock_hz", lambda **given: Inspector(run, **given)),
            ("topp", "top", lambda **given: inspector.report("ops", **given)),
            ("widht", "width", lambda **given: inspector.report("ops").text(**given)),
            ("csv_saef", "csv_safe", lambda **given: inspector.report("ops").write("x", "csv", **given)),
            ("metrics", "metric", lambda **given: inspector.numerics(**given)),
            ("titel", "title", lambda **given: inspector.save_page("x", **given)),
            ("skip_frst", "skip_first", lambda **given: Profile(run, **given)),
            ("fail_onn", "fail_on", lambda **given: etinspect.gate(run, run, **given)),
            ("alhpa", "alpha", lambda **given: etinspect.diff(run, run, **given)),
            ("modee", "mode", lambda **given: etinspect.rows(run, **given)),
        ):
            with self.assertRaisesRegex(Error, f"^there is no argument {name}: did you mean {nearest}\\?$") as caught:
                call(**{name: "1"})
            self.assertIsInstance(caught.exception, TypeError)
            self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).status, 1)

    def test_other_mistakes_are_no_type_errors(self):
        with self.assertRaisesRegex(Error, "is not a frequency") as caught:
            transformer(clock_hz="x")
        self.assertNotIsInstance(caught.exception, TypeError)


class MissingPackages(unittest.TestCase):
    """Calls in a process without a package name the extra that installs it."""

    CALLS = (
        ("pandas", "pandas", "inspector.to_dataframe()"),
        ("pandas", "pandas", "inspector.event_blocks[0].events[0].to_dataframe()"),
        ("pandas", "pandas", "inspector.report('ops').to_pandas()"),
        ("tabulate", "pandas", "inspector.event_blocks[0].name = 'other'; inspector.print_data_tabular()"),
        ("numpy", "numpy", "etinspect.Tensor('float32', (1,), b'1234').tolist()"),
        ("numpy", "numpy", "etinspect.compare_results([1], [1])"),
        ("matplotlib", "plot", "etinspect.compare_results([etinspect.Tensor('float32', (1,))], [1], plot=True)"),
        ("pyarrow", "arrow", "inspector.report('ops').to_pandas()"),
        ("torch", "executorch", "etinspect.Tensor('float32', (1,)).torch()"),
        ("executorch", "executorch", "inspector.get_exported_program()"),
        ("torch", "executorch", "inspector.get_exported_program()"),
        ("executorch", "executorch", "inspector.calculate_numeric_gap('MSE')"),
        ("torch", "executorch", "inspector.calculate_numeric_gap('SNR')"),
        ("duckdb", "fleet", "etinspect.fleet.regressions('x', 'a', 'b')"),
        ("pyarrow", "fleet", "etinspect.fleet.to_parquet(sys.argv[1], sys.argv[1] + '.parquet')"),
        ("pyspark", "spark", "etinspect.spark.read(None, 'x')"),
        ("pyspark", "spark", "etinspect.spark.register(None)"),
    )

    def test_each_call(self):
        script = """if True:
            import sys
            sys.modules[sys.argv[3]] = None
            import etinspect, etinspect.fleet, etinspect.spark
            inspector = etinspect.Inspector(sys.argv[1], etrecord=sys.argv[2])
            try:
                exec(sys.argv[4])
            except etinspect.Error as error:
                assert isinstance(error, ImportError), error
                print(error)"""
        paths = [TRANSFORMER / "run.etdp", TRANSFORMER / "record.etrecord"]
        extras = tomllib.loads((TESTDATA.parent / "python/pyproject.toml").read_text())["project"]["optional-dependencies"]
        for package, extra, call in self.CALLS:
            with self.subTest(package=package, call=call):
                command = [sys.executable, "-c", script, *paths, package, call]
                found = subprocess.run(command, capture_output=True, text=True)
                self.assertRegex(found.stdout, rf"pip install 'etinspect\[{extra}\]'", found.stderr[-300:])
                self.assertIn(package, found.stdout)
                self.assertIn(package, {re.match("[a-z]+", one)[0] for one in extras[extra]})


class Inputs(unittest.TestCase):
    def test_any_buffer_is_an_etdump(self):
        data = (TRANSFORMER / "run.etdp").read_bytes()
        wanted = [event.name for event in transformer().event_blocks[0].events]
        for buffer in (data, bytearray(data), memoryview(data)):
            inspector = Inspector(etdump_data=buffer)
            self.assertEqual([event.name for event in inspector.event_blocks[0].events], wanted)

    def test_buffers_are_released_when_nothing_reads_them(self):
        with open(TRANSFORMER / "run.etdp", "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        inspector = Inspector(etdump_data=data)
        capsule = inspector.samples().__arrow_c_stream__()
        del inspector
        gc.collect()
        with self.assertRaises(BufferError):
            data.close()
        del capsule
        data.close()

    def test_a_buffer_that_can_be_written_may_be_used_again(self):
        buffer = bytearray(1 << 16)
        inspectors, records, wanted = [], [], []
        for folder in ("transformer", "mlp", "xnnpack-conv"):
            data, record = ((TESTDATA / folder / name).read_bytes() for name in ("run.etdp", "record.etrecord"))
            buffer[: len(data)] = data
            inspectors.append(Inspector(etdump_data=memoryview(buffer)[: len(data)]))
            wanted.append(Inspector(etdump_data=data).report("events").text("csv"))
            rows = etinspect.rows([("one", memoryview(buffer)[: len(data)])])
            changing = bytearray(record)
            records.append((rows, etinspect.Record(changing), data, etinspect.Record(record)))
            buffer[: len(data)] = bytes(len(data))
            changing[:] = bytes(len(changing))
        self.assertEqual([inspector.report("events").text("csv") for inspector in inspectors], wanted)
        for rows, changed, data, record in records:
            self.assertEqual(list(rows), list(etinspect.rows([("one", data)])))
            self.assertEqual(list(etinspect.rows([("one", data)], etrecord=changed)), list(etinspect.rows([("one", data)], etrecord=record)))

    def test_a_view_that_cannot_be_written_may_be_of_a_buffer_that_can(self):
        data, record = ((TESTDATA / "mlp" / name).read_bytes() for name in ("run.etdp", "record.etrecord"))
        with mmap.mmap(-1, len(data)) as mapping:
            mapping[:] = data
            for of_dump in (bytearray(data), array.array("B", data), mapping):
                of_record = bytearray(record)
                view, record_view = (memoryview(buffer).toreadonly() for buffer in (of_dump, of_record))
                inspector = Inspector(etdump_data=view)
                rows = etinspect.rows([("one", view[:])], etrecord=etinspect.Record(record_view))
                for changing in (memoryview(of_dump), memoryview(of_record)):
                    changing[:] = b"\xff" * len(changing)
                self.assertEqual(inspector.report("events").text("csv"), Inspector(etdump_data=data).report("events").text("csv"))
                self.assertEqual(list(rows), list(etinspect.rows([("one", data)], etrecord=record)))
                del view, record_view, changing

    def test_bytes_are_not_copied(self):
        data = b"".join([(TRANSFORMER / "run.etdp").read_bytes()])
        before = sys.getrefcount(data)
        for buffer in (data, memoryview(data)[:]):
            inspector = Inspector(etdump_data=buffer)
            del buffer
            self.assertGreater(sys.getrefcount(data), before)
            del inspector
            gc.collect()
        self.assertEqual(sys.getrefcount(data), before)

    def test_tensors_outlive_their_inspector(self):
        inspector = Inspector(TESTDATA / "mlp/run.etdp", debug_buffer_path=TESTDATA / "mlp/debug_buffer.bin")
        tensors = [value for block in inspector.event_blocks for event in block.events for value in event.debug_data]
        wanted = [tensor.tolist() for tensor in tensors]
        del inspector
        gc.collect()
        self.assertTrue(tensors)
        self.assertEqual([tensor.tolist() for tensor in tensors], wanted)
        self.assertTrue(all(tensor.is_recorded for tensor in tensors))

    def test_many_inspectors_leave_memory_flat(self):
        import resource

        for i in range(400):
            if i == 100:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            inspector = transformer()
            inspector.event_blocks
            inspector.report("ops").rows()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)


class OtherExports(unittest.TestCase):
    """The ETRecord and the program of another export than the one that ran."""

    RUN = TESTDATA / "xnnpack-conv/run.etdp"
    OTHERS = (
        ({"etrecord": TESTDATA / "mlp/record.etrecord"}, "2 of 2 kernels that ran do not belong to the operators"),
        ({"program": TESTDATA / "delegate-ids/model.pte"}, "its instructions do not match the events of block Execute"),
    )
    OWN = {"etrecord": TESTDATA / "xnnpack-conv/record.etrecord", "program": TESTDATA / "xnnpack-conv/model.pte"}

    def test_reports_take_nothing_from_them(self):
        views = "layers", "event_list", "tree", "ops", "source"
        for files, reason in self.OTHERS:
            with self.assertWarnsRegex(UserWarning, reason) as warned:
                inspector = Inspector(self.RUN, **files)
            self.assertEqual(warned.filename, __file__)
            self.assertIn(str(warned.warning), inspector.notes)
            for view in views:
                self.assertEqual(inspector.report(view).rows(), Inspector(self.RUN).report(view).rows(), view)
            alone = Inspector(self.RUN).report("summary")["layers"].rows()
            self.assertEqual(inspector.report("summary")["layers"].rows(), alone)
            # The page says why the sections are missing.
            self.assertNotIn("models.py", inspector.page().html)
        own = Inspector(self.RUN, **self.OWN)
        self.assertIn("first", [row[0] for row in own.report("layers").rows()])
        self.assertIn("models.py", own.page().html)

    def test_files_that_belong_together_have_no_warning(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Inspector(self.RUN)
            Inspector(self.RUN, **self.OWN)

    def test_strict_refuses_them(self):
        Inspector(self.RUN, strict=True, **self.OWN)
        for files, reason in self.OTHERS:
            of_sides = {f"{name}_path" if name == "program" else "etrecord_path": path for name, path in files.items()}
            for refused in (
                lambda: Inspector(self.RUN, strict=True, **files),
                lambda: Profile(self.RUN, strict=True, **of_sides),
                lambda: etinspect.diff(self.RUN, self.RUN, strict=True, **of_sides),
                lambda: etinspect.gate(self.RUN, self.RUN, "op:p50>+5%", strict=True, **of_sides),
                lambda: list(etinspect.rows(self.RUN, strict=True, mode="failfast", **files)),
            ):
                with self.assertRaisesRegex(Error, reason) as caught:
                    refused()
                self.assertEqual(caught.exception.status, 5)  # wrong data

    def test_comparisons_take_nothing_from_them(self):
        alone = etinspect.diff(self.RUN, self.RUN).dicts()
        for files, reason in self.OTHERS:
            of_sides = {f"{name}_path" if name == "program" else "etrecord_path": path for name, path in files.items()}
            with self.assertWarnsRegex(UserWarning, reason):
                found = etinspect.diff(self.RUN, self.RUN, **of_sides).dicts()
            self.assertEqual(found, alone)
            rows = etinspect.rows(self.RUN, **files, columns="event_name,op_types,module,source")
            self.assertEqual(list(rows), list(etinspect.rows(self.RUN, columns="event_name,op_types,module,source")))
            [error] = {row["error"] for row in etinspect.rows(self.RUN, strict=True, **files).dicts()}
            self.assertRegex(error, reason)


class Reports(unittest.TestCase):
    def test_texts_are_those_of_the_program(self):
        for view in ("summary", "ops", "runs", "source"):
            printed = program(view, TRANSFORMER / "run.etdp", TRANSFORMER / "record.etrecord", "--width", "100")
            self.assertEqual(transformer().report(view).text(width=100), printed.replace("--", ""))  # of options

    def test_files_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.csv"
            transformer().report("ops").write(path)
            self.assertEqual(path.read_text(), program("ops", "run.etdp", "record.etrecord", "--format", "csv"))

    def test_lists_are_columns_or_repeated_options(self):
        inspector = transformer()
        wanted = inspector.report("ops", columns="op,share", sort="p50:desc,op", top=3)
        self.assertEqual(wanted.columns, ["op", "share"])
        for options in ({"columns": ["op", "share"], "sort": ["p50:desc", "op"]}, {"columns": ("op", "share"), "sort": ["p50:desc,op"]}):
            self.assertEqual(inspector.report("ops", top=[3], **options).rows(), wanted.rows())
        with self.assertRaisesRegex(Error, "filter: expected one value, found 2"):
            inspector.report("ops", filter=["share > 5%", "share > 6%"])

    def test_formats_that_are_not_texts_are_refused_as_texts(self):
        for of in (transformer().report("ops"), transformer().report("ops")["ops"]):
            with self.assertRaisesRegex(Error, "sqlite is not a text"):
                of.text("sqlite")

    def test_rows_columns_and_dicts_agree(self):
        report = transformer().report("ops", columns="op,share", top=2)
        self.assertEqual(report.columns, ["op", "share"])
        self.assertEqual(report.dicts(), [dict(zip(report.columns, row)) for row in report.rows()])
        self.assertEqual(len(report), 2)
        self.assertEqual(list(report), report.rows())
        self.assertEqual(report["ops"].types, {"op": "string", "share": "double"})

    def test_html_escapes_names(self):
        inspector = transformer()
        self.assertIn("<td>aten.addmm.default</td>", inspector.report("ops")._repr_html_())
        self.assertIn("<table>", inspector._repr_html_())

    def test_numerics_of_two_runs(self):
        runs = [Inspector(TESTDATA / "mlp/run.etdp", etrecord=TESTDATA / "mlp/record.etrecord",
                          debug_buffer_path=TESTDATA / "mlp/debug_buffer.bin") for _ in range(2)]
        report = runs[0].numerics(runs[1])
        self.assertTrue(all(row["max_abs"] == 0 for row in report.dicts()))
        self.assertTrue(len(report) > 0)
        with self.assertRaisesRegex(Error, "fail_on has nothing to judge"):
            runs[0].numerics(transformer(debug_buffer_path=TRANSFORMER / "debug_buffer.bin"), fail_on="snr < 30")
        for wrong, text in (({"distance": "mse"}, "has no representative inputs|cannot be imported"),
                            ({"distance": "bogus", "reference": runs[1]}, "Unsupported distance metric 'bogus'")):
            with self.assertRaisesRegex(Error, text):
                runs[0].calculate_numeric_gap(**wrong)

    def test_pages_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.html")
            transformer().save_page(path)
            self.assertIn("<title>", pathlib.Path(path).read_text())

    def test_notebooks_show_pages_in_a_frame(self):
        from html.parser import HTMLParser

        page = transformer().page(title="<mine> & yours")
        frames = []
        parser = HTMLParser()
        parser.handle_starttag = lambda tag, attributes: frames.append((tag, dict(attributes)))
        parser.feed(page._repr_html_())
        ((tag, attributes),) = frames
        self.assertEqual((tag, attributes["sandbox"], attributes["srcdoc"]), ("iframe", "allow-scripts", page.html))
        self.assertIn("&lt;mine&gt; &amp; yours", page.html)

    def test_gates(self):
        result, report = etinspect.gate(None, TRANSFORMER / "run.etdp", ["total:p50>1us"])
        self.assertEqual((result, len(report["rules"])), (GateResult.FAILED, 1))
        result, _ = etinspect.gate(None, Profile(transformer()), "total:p50>1s")
        self.assertEqual(result, GateResult.PASSED)

    def test_a_list_may_have_a_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "base.csv")
            Profile([TRANSFORMER / "run.etdp"]).save(path)
            wanted = etinspect.gate(None, path, "op:p50>1s")[0]
            for side in ([path], (str(path),), [os.fsencode(path)]):
                self.assertEqual(etinspect.gate(None, side, "op:p50>1s")[0], wanted)
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
            self.assertEqual(etinspect.gate(None, path, "op:p50>1s")[0], wanted)

    def test_a_side_may_have_baselines_and_dumps(self):
        dumps = [TESTDATA / "mlp/run.etdp", TESTDATA / "mlp-many-runs/run.etdp"]
        with tempfile.TemporaryDirectory() as folder:
            base, whole, found = (pathlib.Path(folder, name) for name in ("base.csv", "whole.csv", "found.csv"))
            Profile(dumps[0]).save(base)
            Profile(dumps).save(whole)
            for side in ([base, dumps[1]], (path for path in (base, dumps[1]))):
                Profile(side).save(found)
                self.assertEqual(found.read_bytes(), whole.read_bytes())
            rules = "total:p50>1s"
            for side, error, text in (([base, dumps[0]], Error, "is given twice|are identical"), ([], Error, "there is no file"),
                                      (3, TypeError, "type int"), ([base, 3], TypeError, "expected a path"),
                                      ([base, transformer()], TypeError, "type Inspector")):
                with self.assertRaisesRegex(error, text):
                    etinspect.gate(None, side, rules)
            labelled = pathlib.Path(folder, "labelled.csv")
            Profile(dumps[0], label="device=a").save(labelled)
            with self.assertRaisesRegex(Error, "lacks labels"):
                etinspect.gate(None, [labelled, dumps[1]], rules)
            result, _ = etinspect.gate(None, [labelled, dumps[1]], rules, allow_unlike=True)
            self.assertEqual(result, GateResult.PASSED)

    def test_comparisons_and_baselines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "base.csv")
            Profile(transformer()).save(path, samples=True)
            report = etinspect.diff(path, TRANSFORMER / "run.etdp", one_process=True, all=True)
            self.assertEqual(report["summary"].dicts()[0]["outcome"], "cannot tell")  # 4 runs per side are too few

    def test_operators_and_their_events(self):
        operators = transformer().get_op_list("Execute")
        self.assertEqual(len(operators["aten.addmm.default"]), 8)
        self.assertTrue(all(isinstance(event, Event) for events in operators.values() for event in events))

    @unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
    def test_outputs_are_compared_as_the_inspector_does(self):
        import torch
        from executorch.devtools.inspector import compare_results

        torch.manual_seed(1)
        pairs = [torch.rand(3, 4), torch.rand(7), 5], [torch.rand(3, 4), torch.rand(7), 6]
        wanted = {name: values for name, values in compare_results(pairs[0][:2], pairs[1][:2]).items()}
        found = etinspect.compare_results(*pairs)
        self.assertEqual(found, {name: [*values, None] for name, values in wanted.items()})
        self.assertEqual(etinspect.compare_results([pairs[0][0]], [pairs[0][0]], ["snr"]), {"snr": [float("inf")]})


class ReplacedBlocks(unittest.TestCase):
    def test_what_is_replaced_is_printed(self):
        inspector = transformer()
        inspector.event_blocks = [EventBlock(name="mine", events=[Event(name="one", perf_data=PerfData([1.0, 3.0]))])]
        printed = io.StringIO()
        inspector.print_data_tabular(printed)
        self.assertIn("mine", printed.getvalue())
        self.assertEqual(inspector.find_total_for_module("x"), 0)


class ChangedEvents(unittest.TestCase):
    """Values of other types that the user sets in Events, as programs for ExecuTorch's Inspector do."""

    FILES = {"etdump_path": TESTDATA / "mlp/run.etdp", "debug_buffer_path": TESTDATA / "mlp/debug_buffer.bin", "etrecord": TESTDATA / "mlp/record.etrecord"}

    def table_of(self, inspector):
        printed = io.StringIO()
        inspector.print_data_tabular(printed)
        return printed.getvalue()

    def changed(self, change):
        """Returns the table, the DataFrame and the total of module "model" after a change to an Event of that module."""
        inspector = Inspector(**self.FILES)
        events = [event for block in inspector.event_blocks for event in block.events]
        change(next(event for event in events if event.module_hierarchy and event.perf_data and event.name != "OPERATOR_CALL"))
        return self.table_of(inspector), inspector.to_dataframe(), inspector.find_total_for_module("")

    def test_times_in_an_array(self):
        import numpy

        def double(event):
            event.perf_data.raw = [2 * sample for sample in event.perf_data.raw]

        def double_in_array(event):
            event.perf_data.raw = 2 * numpy.array(event.perf_data.raw)

        table, frame, total = self.changed(double)
        of_array = self.changed(double_in_array)
        self.assertEqual((of_array[0], of_array[2]), (table, total))
        self.assertEqual(of_array[1].dtypes.tolist(), frame.dtypes.tolist())
        unchanged = self.changed(lambda event: None)
        self.assertNotEqual(table, unchanged[0])
        self.assertGreater(total, unchanged[2])

    def test_results_in_arrays(self):
        import numpy

        def to_arrays(event):
            self.assertTrue(event.debug_data)
            event.debug_data = [numpy.zeros(3) for _ in event.debug_data]

        unchanged, changed = self.changed(lambda event: None), self.changed(to_arrays)
        self.assertEqual((changed[0], changed[2]), (unchanged[0], unchanged[2]))
        self.assertEqual(sum(any(isinstance(one, numpy.ndarray) for one in cell) for cell in changed[1]["debug_data"]), 1)

    def test_values_that_do_not_compare_are_changes(self):
        import numpy

        class Refuses(list):
            def __eq__(self, other):
                raise RuntimeError("no answer")

        for op_types in (Refuses(["mine"]), [numpy.zeros(2)], numpy.array(["mine", "yours"])):
            inspector = Inspector(**self.FILES)
            self.assertFalse(inspector._is_changed())
            inspector.event_blocks[0].events[-1].op_types = op_types
            self.assertTrue(inspector._is_changed())

    def test_changes_in_place_are_seen(self):
        for change in (
            lambda events: events[-1].perf_data.raw.__setitem__(0, 1e9),
            lambda events: events[-1].op_types.append("mine"),
            lambda events: setattr(events[-1], "perf_data", None),
            lambda events: events.pop(),
            lambda events: events.reverse(),
        ):
            inspector = Inspector(**self.FILES)
            before = self.table_of(inspector)
            events = inspector.event_blocks[0].events
            self.assertEqual(self.table_of(inspector), before)
            change(events)
            self.assertNotEqual(self.table_of(inspector), before)


def tests_of_the_inspector():
    """Runs the Inspector's own tests, with etinspect in place of its module; none if it is not installed."""
    if not importlib.util.find_spec("executorch"):
        return []
    spec = importlib.util.find_spec("executorch.devtools.inspector.tests.inspector_test")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.PerfData, module.EventBlock, module.Event = PerfData, EventBlock, Event
    return [module.TestInspector(name) for name in ("test_perf_data", "test_event_block_to_dataframe")]


def main():
    warnings.simplefilter("ignore")
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    suite.addTests(tests_of_the_inspector())
    result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    for test, text in result.failures + result.errors:
        print(f"FAILED {test}: {text.splitlines()[-1]}")
    print(f"package: {result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
