"""Compares executorch's and etinspect's Inspectors where executorch is needed: calculate_numeric_gap(), for which torch executes
the exported program, also with comparators; get_exported_program(); ETRecords that are objects; and the statistics of VGF.

    numeric_gap.py DIRECTORY            the folder in which ETRecords are written

Prints "numeric_gap: N passed, N failed, N skipped".
"""

import base64
import json
import logging
import math
import os
import struct
import subprocess
import sys
import types
import unittest
import unittest.mock
import warnings
from pathlib import Path

import numpy
import torch
from executorch.devtools import Inspector as Peer
from executorch.devtools.etdump import schema_flatcc as flatcc
from executorch.devtools.etdump.serialize import serialize_to_etdump_flatcc
from executorch.devtools.etrecord import parse_etrecord
from executorch.devtools.inspector import vgf_neural_statistics as peer_vgf
from executorch.devtools.inspector.numerical_comparator import L1Comparator, MSEComparator, NumericalComparatorBase, SNRComparator
from executorch.exir.scalar_type import ScalarType

import etinspect
from differential import compare_inspectors
from etinspect import Error, Inspector
from etinspect import inspector as drop_in

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
OUT = Path(sys.argv.pop(1))
METRICS = ("MSE", "L1", "SNR", " snr ")
GRAPHS = (None, "exported_program", "edge_dialect_exported_program")
TOLERANCE = 1e-9


def record_with_inputs(folder, seed=1):
    """Writes the ETRecord of a folder with random representative inputs, if it has none."""
    path = TESTDATA / folder / "record.etrecord"
    record = parse_etrecord(str(path))
    if record._representative_inputs is None:
        torch.manual_seed(seed)
        names = set(record.exported_program.graph_signature.user_inputs)
        shapes = [node.meta["val"].shape for node in record.exported_program.graph.nodes if node.name in names]
        record.update_representative_inputs([torch.randn(shape) for shape in shapes])
        path = OUT / f"{folder}-{seed}.etrecord"
        record.save(str(path))
    return str(path)


def files_of(folder, record):
    files = {"etdump_path": str(TESTDATA / folder / "run.etdp"), "etrecord": record}
    buffer = TESTDATA / folder / "debug_buffer.bin"
    return {**files, "debug_buffer_path": str(buffer)} if buffer.exists() else files


class Case(unittest.TestCase):
    def assert_same_frame(self, ours, theirs):
        self.assertEqual(list(ours.columns), list(theirs.columns))
        self.assertEqual(len(ours), len(theirs))
        self.assertEqual(list(ours.dtypes), list(theirs.dtypes))
        for name in theirs.columns:
            for cell, wanted in zip(ours[name], theirs[name]):
                self.assertIs(type(cell), type(wanted), name)
                if name == "gap":
                    self.assertEqual(len(cell), len(wanted))
                    for number, other in zip(cell, wanted):
                        self.assertTrue(number == other or math.isclose(number, other, rel_tol=TOLERANCE), (number, other))
                elif isinstance(wanted, torch.Tensor):
                    self.assertTrue(torch.equal(cell.double(), wanted.double()), name)
                else:
                    self.assertEqual(cell, wanted, name)


class Gaps(Case):
    def test_frames_equal(self):
        n_rows = 0
        for seed in range(3):
            files = files_of("mlp", record_with_inputs("mlp", seed))
            ours, theirs = Inspector(**files), Peer(**files)
            for metric in METRICS:
                for graph in GRAPHS:
                    with self.subTest(seed=seed, metric=metric, graph=graph):
                        frame = theirs.calculate_numeric_gap(metric, reference_graph=graph)
                        self.assert_same_frame(ours.calculate_numeric_gap(metric, reference_graph=graph), frame)
                        n_rows += len(frame)
                frame = theirs.calculate_numeric_gap(metric, True)
                self.assert_same_frame(ours.calculate_numeric_gap(metric, True), frame)
        self.assertGreater(n_rows, 100)

    def test_delegates_with_one_output_are_the_same(self):
        files = files_of("xnnpack-conv", record_with_inputs("xnnpack-conv"))
        ours, theirs = Inspector(**files), Peer(**files)
        for metric in METRICS:
            frame = theirs.calculate_numeric_gap(metric)
            self.assertIn("DELEGATE_CALL", sum(frame["runtime_ops"], []))
            self.assert_same_frame(ours.calculate_numeric_gap(metric), frame)

    def test_gaps_are_those_of_the_tensors_beside_them(self):
        n_rows = 0
        for folder in ("mlp", "xnnpack-conv"):
            frame = Inspector(**files_of(folder, record_with_inputs(folder))).calculate_numeric_gap("MSE")
            for _, row in frame.iterrows():
                made, recorded = row["aot_intermediate_output"].double(), row["runtime_intermediate_output"].double()
                mse = (made.reshape(recorded.shape) - recorded).square().mean().item()
                self.assertTrue(math.isclose(mse, row["gap"][0], rel_tol=TOLERANCE, abs_tol=1e-30), (row["aot_ops"], mse, row["gap"]))
                n_rows += 1
        self.assertGreater(n_rows, 5)

    def test_the_recorded_tensor_is_that_of_the_row(self):
        """A row of the second output of a delegate call that logged its input, too, and an Event of a list."""
        from etinspect import Tensor, _numeric_gap

        tensors = [Tensor("float32", (1,), struct.pack("<f", number)) for number in range(4)]
        call = types.SimpleNamespace(debug_data=[5, tensors[0], [tensors[1], tensors[2]], True, tensors[3]])
        block = types.SimpleNamespace(events=[None, call])
        inspector = types.SimpleNamespace(event_blocks=[None, block])
        cells = {"aot_debug_handle": [3, 5, 2], "aot_ops": ["a", "b", "c"], "runtime_debug_handle": [3, 5, 2]}
        arrays = {"2:c": numpy.float32([7]), "5:b": numpy.float32([8]), "50:d": numpy.float32([9])}
        for i, tensor in enumerate(tensors):
            row = {**cells, "aot_output": 5, "block": 1, "event": 1, "output": i}
            found = _numeric_gap._with_tensors(row, arrays, inspector)
            self.assertEqual(found["runtime_intermediate_output"].tolist(), tensor.tolist())
            self.assertEqual(found["aot_intermediate_output"].tolist(), [8])
        self.assertIsNone(_numeric_gap._with_tensors({**row, "output": 4}, arrays, inspector)["runtime_intermediate_output"])

    def test_recorded_strides_are_those_of_debug_data(self):
        """The Inspector reads the bytes in row-major order."""
        value = dict.fromkeys(("tensor", "tensor_list", "int_value", "float_value", "double_value", "bool_value", "output"))
        tensor = flatcc.Tensor(scalar_type=ScalarType.BYTE, sizes=[1, 2, 3], strides=[6, 1, 2], offset=0)
        entry = flatcc.Value(**{**value, "val": "Tensor", "tensor": tensor})
        event = flatcc.DebugEvent("op", 0, 1, -1, None, entry)
        run = flatcc.RunData("Execute", -1, [], [flatcc.Event(None, None, event)])
        data = serialize_to_etdump_flatcc(flatcc.ETDumpFlatCC(version=0, run_data=[run]))
        path = OUT / "strides.bin"
        path.write_bytes(bytes(range(6)))
        (found,) = Inspector(etdump_data=len(data).to_bytes(4, "little") + data, debug_buffer_path=path).event_blocks[0].events[0].debug_data
        self.assertEqual(found.tolist(), [[[0, 2, 4], [1, 3, 5]]])

    def test_several_runs_without_tensors_have_no_rows(self):
        files = files_of("bundled-inputs", record_with_inputs("bundled-inputs"))
        theirs = Peer(**files).calculate_numeric_gap("MSE")
        self.assertEqual(len(Inspector(**files).calculate_numeric_gap("MSE")), len(theirs))

    def test_a_file_of_intermediates_gives_the_same_without_torch(self):
        from etinspect import aot_intermediates

        record = record_with_inputs("mlp")
        path = OUT / "intermediates.npz"
        with unittest.mock.patch.object(sys, "argv", ["aot_intermediates.py", record, str(path)]):
            aot_intermediates.main()
        inspector = Inspector(**files_of("mlp", record))
        with unittest.mock.patch.dict(sys.modules, {"torch": None}):
            read = inspector.calculate_numeric_gap("SNR", reference=path)
        executed = inspector.calculate_numeric_gap("SNR")
        executed = executed.drop(columns=["aot_intermediate_output", "runtime_intermediate_output"])
        self.assertEqual(read.to_dict("records"), executed.to_dict("records"))

    def test_one_of_several_methods_is_chosen(self):
        from etinspect.aot_intermediates import choose_method

        def record(**programs):
            return types.SimpleNamespace(exported_program=None, edge_dialect_program=programs)

        with self.assertRaisesRegex(ValueError, r"x has the methods enc, dec: choose the one .* \(option method\)"):
            choose_method(record(enc=1, dec=2), "x", None)
        with self.assertRaisesRegex(ValueError, "x has no method run; it has: enc, dec"):
            choose_method(record(enc=1, dec=2), "x", "run")
        for programs, method, wanted in (({"enc": 1, "dec": 2}, "dec", 2), ({"forward": 3}, None, 3)):
            chosen = record(**programs)
            choose_method(chosen, "x", method)
            self.assertEqual((chosen.edge_dialect_program, chosen.exported_program), (wanted, None))

    def test_what_cannot_be_calculated_is_refused(self):
        with_inputs = Inspector(**files_of("mlp", record_with_inputs("mlp")))
        without = Inspector(**files_of("mlp", str(TESTDATA / "mlp/record.etrecord")))
        neither = Inspector(str(TESTDATA / "mlp/run.etdp"))
        for inspector, arguments, text in ((with_inputs, ["bogus"], "Unsupported distance metric 'bogus'"),
                                           (with_inputs, ["MSE", False, "nope"], "Reference graph 'nope/forward' not found"),
                                           (with_inputs, [3], "distance is of type int"),
                                           (with_inputs, [MSEComparator(), False, "nope"], "Reference graph 'nope/forward' not found"),
                                           (without, [MSEComparator()], "has no representative inputs"),
                                           (neither, [MSEComparator()], "needs the ETRecord of the model"),
                                           (without, ["MSE"], "has no representative inputs"),
                                           (neither, ["MSE"], "needs the ETRecord of the model")):
            with self.assertRaisesRegex(Error, text):
                inspector.calculate_numeric_gap(*arguments)
        with self.assertRaisesRegex(Error, "a comparator gets values of the exported program"):
            with_inputs.calculate_numeric_gap(MSEComparator(), reference="x.npz")
        with unittest.mock.patch.dict(sys.modules, {"etinspect.aot_intermediates": None}):
            with self.assertRaisesRegex(Error, "give reference=, a file that python -m etinspect.aot_intermediates writes"):
                with_inputs.calculate_numeric_gap("MSE")


class Largest(NumericalComparatorBase):
    """Returns the largest absolute difference. Keeps the handles that it was given."""

    def preprocessing(self, mapping):
        self.handles = [(key[0], value[0]) for key, value in mapping.items()]
        return mapping

    def element_compare(self, a, b):
        return float((a.double() - b.double().reshape(a.shape)).abs().max())


class Scaled(Largest):
    """Drops every second pair, and scales the run's values."""

    def preprocessing(self, mapping):
        kept = list(super().preprocessing(mapping).items())[::2]
        return {key: (handle, value * 3) for key, (handle, value) in kept}


class Wrong(Largest):
    """Returns wrong results from preprocessing() and element_compare()."""

    def __init__(self, processed=lambda mapping: mapping, gap=0.5):
        super().__init__()
        self.processed, self.gap = processed, gap

    def preprocessing(self, mapping):
        return self.processed(mapping)

    def element_compare(self, a, b):
        if isinstance(self.gap, Exception):
            raise self.gap
        return self.gap


class Comparators(Case):
    FOLDERS = "mlp", "xnnpack-conv"

    def pairs(self):
        for folder in self.FOLDERS:
            files = files_of(folder, record_with_inputs(folder))
            yield folder, Inspector(**files), Peer(**files)

    def test_frames_and_mappings_equal(self):
        n_rows = 0
        for folder, ours, theirs in self.pairs():
            for kind in (Largest, Scaled, MSEComparator, L1Comparator, SNRComparator):
                for arguments in (["edge_dialect_exported_program"], [None], ["exported_program"]):
                    with self.subTest(folder=folder, kind=kind, arguments=arguments):
                        wanted, comparator = kind(), kind()
                        try:
                            frame = theirs.calculate_numeric_gap(wanted, False, *arguments)
                        except ValueError as error:
                            with self.assertRaisesRegex(Error, str(error)[:40]):
                                ours.calculate_numeric_gap(comparator, False, *arguments)
                            continue
                        self.assert_same_frame(ours.calculate_numeric_gap(comparator, False, *arguments), frame)
                        self.assertEqual(getattr(comparator, "handles", 0), getattr(wanted, "handles", 0))
                        n_rows += len(frame)
        self.assertGreater(n_rows, 40)

    def test_half_of_the_pairs_are_compared_with_values_three_times_as_large(self):
        """Calculates the gap of every second row here."""
        _, ours, _ = next(self.pairs())
        all_rows, scaled = ours.calculate_numeric_gap(Largest()), ours.calculate_numeric_gap(Scaled())
        self.assertEqual(len(scaled), (len(all_rows) + 1) // 2)
        for (_, row), (_, found) in zip(all_rows[::2].iterrows(), scaled.iterrows()):
            made, recorded = row["aot_intermediate_output"].double(), (3 * row["runtime_intermediate_output"]).double()
            self.assertEqual(found["gap"], [float((made - recorded.reshape(made.shape)).abs().max())])

    def test_objects_of_other_classes_are_comparators(self):
        class Whole:
            inspector = None

            def compare(self, mapping, aot_names, runtime_names):
                return Largest().compare(mapping, aot_names, runtime_names)

        class Elements:
            def element_compare(self, a, b):
                return Largest().element_compare(a, b)

        for _, ours, _ in self.pairs():
            wanted = ours.calculate_numeric_gap(Largest())
            for comparator in (Whole(), Elements()):
                self.assert_same_frame(ours.calculate_numeric_gap(comparator), wanted)
                self.assertIs(comparator.inspector, ours)

    def test_the_inspector_is_given_unless_there_is_one(self):
        files = files_of("mlp", record_with_inputs("mlp"))
        ours, other, comparator = Inspector(**files), Inspector(**files), Largest()
        ours.calculate_numeric_gap(comparator)
        self.assertIs(comparator.inspector, ours)
        self.assertIsNotNone(comparator.inspector._etrecord.edge_dialect_program)
        other.calculate_numeric_gap(comparator)
        self.assertIs(comparator.inspector, ours)

    def test_wrong_results_and_exceptions_are_those_of_the_inspector(self):
        wrong = [dict(processed=list), dict(processed=lambda mapping: None), dict(processed=lambda mapping: {1: 2}), dict(gap="x"),
                 dict(processed=lambda mapping: {(3, key[1]): value for key, value in mapping.items()}), dict(gap=None),
                 dict(processed=lambda mapping: {key: value[1] for key, value in mapping.items()}), dict(gap=KeyError("mine")),
                 dict(processed=lambda mapping: {}), dict(gap=ValueError("mine")), dict(gap=(1, 2))]  # fmt: skip
        ends = set()
        for _, ours, theirs in self.pairs():
            for arguments in wrong:
                found = [outcome_of(inspector, Wrong(**arguments)) for inspector in (ours, theirs)]
                with self.subTest(arguments=arguments):
                    self.assertEqual(*found)
                ends.add(found[1][0])
        self.assertEqual(ends, {"TypeError", "ValueError", "KeyError", "frame"})


def outcome_of(inspector, comparator):
    try:
        frame = inspector.calculate_numeric_gap(comparator)
    except Exception as error:
        return type(error).__name__, str(error)
    return "frame", list(frame.columns), [] if frame.empty else list(frame["gap"])


class Records(Case):
    """ETRecords that are objects."""

    FOLDERS = "mlp", "transformer", "xnnpack-conv", "bundled-inputs"

    def test_events_and_tables_equal(self):
        for folder in self.FOLDERS:
            record = parse_etrecord(str(TESTDATA / folder / "record.etrecord"))
            files = files_of(folder, record)
            compare_inspectors(Peer(**files), Inspector(**files), Inspector(**files))

    def test_a_record_as_the_export_makes_it_is_read_like_its_file(self):
        """In such a record, instructions are numbers, and executorch's Inspector finds none."""
        for folder in self.FOLDERS:
            path = str(TESTDATA / folder / "record.etrecord")
            record = parse_etrecord(path)
            for name in ("_debug_handle_map", "_delegate_map", "_instruction_id_to_num_outs_map"):
                maps = getattr(record, name)
                if maps is not None:
                    setattr(record, name, {method: {int(key): value for key, value in of.items()} for method, of in maps.items()})
            of_object = files_of(folder, record)
            compare_inspectors(Peer(**files_of(folder, path)), Inspector(**of_object), Inspector(**of_object))
            self.assertEqual({tuple(event.op_types) for block in Peer(**of_object).event_blocks for event in block.events}, {()})

    def test_programs_are_those_of_the_object(self):
        record = parse_etrecord(str(TESTDATA / "mlp/record.etrecord"))
        inspector = Inspector(**files_of("mlp", record))
        self.assertIs(inspector.get_exported_program(), record.edge_dialect_program)
        self.assertIs(inspector._etrecord, record)

    def test_gaps_equal(self):
        record = parse_etrecord(record_with_inputs("mlp"))
        files = files_of("mlp", record)
        for distance in ("MSE", Largest()):
            theirs, ours = (kind(**files).calculate_numeric_gap(distance) for kind in (Peer, Inspector))
            self.assertGreater(len(theirs), 2)
            self.assert_same_frame(ours, theirs)

    def test_no_file_is_left(self):
        files = files_of("mlp", parse_etrecord(str(TESTDATA / "mlp/record.etrecord")))
        before = OUT / "temporary"
        before.mkdir(exist_ok=True)
        with unittest.mock.patch("tempfile.tempdir", str(before)):
            inspector = Inspector(**files)
            self.assertEqual(list(before.iterdir()), [])
        self.assertIn("layers", inspector.report("summary").tables)

    def test_incomplete_records_are_refused(self):
        record = parse_etrecord(str(TESTDATA / "mlp/record.etrecord"))
        record._debug_handle_map = None
        with self.assertRaisesRegex(Error, "etrecord: ETRecord must contain"):
            Inspector(**files_of("mlp", record))

    def test_a_record_that_writes_nothing_is_refused(self):
        class ETRecord:
            def save(self, file):
                pass

        with self.assertRaisesRegex(Error, "^etrecord: its save.. wrote nothing: .*give the path"):
            Inspector(TESTDATA / "mlp/run.etdp", etrecord=ETRecord())

    def test_paths_do_not_import_executorch(self):
        script = ("import etinspect, sys; etinspect.Inspector(sys.argv[1], etrecord=sys.argv[2]);"
                  "assert not {'executorch', 'torch', 'tempfile'} & set(sys.modules)")  # fmt: skip
        paths = TESTDATA / "mlp/run.etdp", TESTDATA / "mlp/record.etrecord"
        subprocess.run([sys.executable, "-c", script, *paths], check=True)


class Programs(unittest.TestCase):
    def test_exported_programs_are_those_of_the_record(self):
        files = files_of("mlp", str(TESTDATA / "mlp/record.etrecord"))
        for graph in (None, "nope"):
            theirs, ours = (kind(**files).get_exported_program(graph) for kind in (Peer, Inspector))
            self.assertEqual(str(ours), str(theirs))
        self.assertIn("aten_addmm_default", str(Inspector(**files).get_exported_program()))
        self.assertIsNone(Inspector(files["etdump_path"]).get_exported_program())

    def test_lists_of_operators_have_all_events_of_a_name_of_blocks(self):
        for folder in ("mlp", "transformer", "xnnpack-conv", "control-flow"):
            files = files_of(folder, str(TESTDATA / folder / "record.etrecord"))
            wanted = {}
            for event in [event for block in Peer(**files).event_blocks if block.name == "Execute" for event in block.events]:
                for op_type in set(event.op_types) if event.name != "OPERATOR_CALL" else ():
                    wanted.setdefault(op_type, []).append(event.perf_data.raw)
            operators = Inspector(**files).get_op_list("Execute")
            found = {op: [event.perf_data.raw for event in events] for op, events in operators.items()}
            self.assertEqual(found, wanted)


def statistics(**changes):
    """Returns statistics as the VGF backend logs them."""
    blob = {"available": True, "is_text": False, "size": 3, "encoding": "base64", "data": base64.b64encode(b"\0\xff1").decode()}
    segment = {"segment_id": 0, "debug_database": blob, "statistics_info": {**blob, "available": False}, "statistics_memory": None}
    whole = {"schema": peer_vgf.SCHEMA, "schema_version": peer_vgf.SCHEMA_VERSION, "backend": "VgfBackend", "segments": [segment]}
    return {**whole, **changes}


def with_blob(**changes):
    made = statistics()
    made["segments"][0]["debug_database"].update(changes)
    return made


class Statistics(unittest.TestCase):
    """Compares the functions for statistics of VGF with executorch's."""

    METADATA = [
        statistics(), statistics(segments=[]), statistics(segments=[{"statistics_memory": {}}, {"other": {"available": True}}]),
        statistics(segments=None), statistics(segments=7), statistics(segments=[3]), statistics(segments={}), statistics(segments=["ab"]),
        statistics(schema_version=2), statistics(schema_version="1"), statistics(schema="other"), statistics(schema=None),
        with_blob(encoding="hex"), with_blob(encoding=None), with_blob(data="not base64!"), with_blob(data="AAA"), with_blob(data=None),
        with_blob(data=5), with_blob(data="\u00e4"), with_blob(data=""), with_blob(available=0), with_blob(available=None),
        with_blob(available=False, raw_data="kept"), [], 3, None, "text", {},
    ]  # fmt: skip

    def forms(self):
        for one in self.METADATA:
            text = json.dumps(one)
            yield from (text, text.encode(), bytearray(text.encode()))
        whole = json.dumps(statistics()).encode()
        yield from (whole[:-1], whole + b"\xff", b"\xff", b"{", "", b"", None, 7, whole.replace(b"executorch", b"execut\xffrch"))
        yield from (whole[:i] for i in range(0, len(whole), 7))
        yield from (whole[:i] + b"~" + whole[i + 1 :] for i in range(len(whole)))

    def assert_same(self, name, argument, ends):
        """Passes if both return the same, or both raise; executorch may raise an exception of its own code."""
        try:
            wanted = getattr(peer_vgf, name)(argument)
        except (ValueError, TypeError, AttributeError) as error:
            ends.append("refused")
            with self.assertRaises(TypeError if isinstance(argument, int) else Error, msg=repr(error)):
                getattr(drop_in, name)(argument)
        else:
            ends.append("answered")
            self.assertEqual(getattr(drop_in, name)(argument), wanted)

    def test_functions_are_the_same(self):
        ends = []
        for metadata in self.forms():
            with self.subTest(metadata=metadata):
                self.assert_same("parse_vgf_neural_statistics_metadata", metadata, ends)
                self.assert_same("parse_vgf_neural_statistics_delegate_metadata", [metadata, b'{"schema": "other"}', metadata], ends)
        self.assertGreater(ends.count("refused"), 100)
        self.assertGreater(ends.count("answered"), 100)

    def test_what_json_cannot_read_is_no_other_exception(self):
        """Metadata of other backends is skipped; executorch raises exceptions of json for some."""
        for metadata in (b"[" * 200_000, b"1" * 5000, b'{"a":' * 100_000, "\ud800", "{\udfff}"):
            self.assertEqual(drop_in.parse_vgf_neural_statistics_delegate_metadata([metadata, json.dumps(statistics())]),
                             peer_vgf.parse_vgf_neural_statistics_delegate_metadata([json.dumps(statistics())]))  # fmt: skip
            with self.assertRaisesRegex(Error, "not JSON"):
                drop_in.parse_vgf_neural_statistics_metadata(metadata)
            marked = metadata[:1] + type(metadata)(peer_vgf.SCHEMA, *["utf-8"] * isinstance(metadata, bytes)) + metadata[1:]
            with self.assertRaisesRegex(Error, "damaged"):
                drop_in.parse_vgf_neural_statistics_delegate_metadata([marked])
        digits = json.dumps(statistics(schema_version=1)).replace('"schema_version": 1', '"schema_version": ' + "1" * 5000)
        with self.assertRaisesRegex(Error, "damaged"):
            drop_in.parse_vgf_neural_statistics_delegate_metadata([digits])

    def test_a_blob_has_its_bytes(self):
        (segment,) = drop_in.parse_vgf_neural_statistics_metadata(json.dumps(statistics()))["segments"]
        self.assertEqual((segment["debug_database"]["raw_data"], segment["statistics_info"]["raw_data"]), (b"\0\xff1", b""))

    def test_those_of_all_events_are_found(self):
        """An ETDump with statistics, with metadata of another backend, and without any."""
        metadata = [list(json.dumps(statistics(number=number)).encode()) for number in range(3)] + [list(b"other"), None]
        events = [flatcc.Event(flatcc.ProfileEvent("VGF", 0, i, -1, "vgf", one, 0, 9), None, None) for i, one in enumerate(metadata)]
        data = serialize_to_etdump_flatcc(flatcc.ETDumpFlatCC(version=0, run_data=[flatcc.RunData("Execute", -1, [], events)]))
        data = len(data).to_bytes(4, "little") + data
        found, wanted = (kind(etdump_data=data).get_vgf_neural_statistics() for kind in (Inspector, Peer))
        self.assertEqual([one["number"] for one in wanted], [0, 1, 2])
        self.assertEqual(found, wanted)
        self.assertEqual(Inspector(str(TESTDATA / "mlp/run.etdp")).get_vgf_neural_statistics(), [])


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    OUT.mkdir(parents=True, exist_ok=True)
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    for test, text in result.failures + result.errors:
        print(f"FAILED {test}: {text.splitlines()[-1]}")
    print(f"numeric_gap: {result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
