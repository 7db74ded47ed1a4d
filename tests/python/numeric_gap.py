"""Compares calculate_numeric_gap() of both Inspectors, executorch's and etinspect's, where torch executes the exported program,
and get_exported_program().

    numeric_gap.py DIRECTORY            the folder in which ETRecords are written

Prints "numeric_gap: N passed, N failed, N skipped".
"""

import logging
import math
import struct
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
from executorch.devtools.inspector.numerical_comparator import MSEComparator
from executorch.exir.scalar_type import ScalarType

import etinspect
from etinspect import Error, Inspector

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


class Gaps(unittest.TestCase):
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
                                           (with_inputs, [MSEComparator()], "distance is of type MSEComparator"),
                                           (without, ["MSE"], "has no representative inputs"),
                                           (neither, ["MSE"], "needs the ETRecord of the model")):
            with self.assertRaisesRegex(Error, text):
                inspector.calculate_numeric_gap(*arguments)
        with unittest.mock.patch.dict(sys.modules, {"etinspect.aot_intermediates": None}):
            with self.assertRaisesRegex(Error, "give reference=, a file that python -m etinspect.aot_intermediates writes"):
                with_inputs.calculate_numeric_gap("MSE")


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


class Refused(unittest.TestCase):
    def test_statistics_of_vgf(self):
        with self.assertRaisesRegex(Error, "executorch.devtools.Inspector decodes"):
            etinspect.Inspector(str(TESTDATA / "mlp/run.etdp")).get_vgf_neural_statistics()


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
