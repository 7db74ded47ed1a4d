"""Makes the calls of the programs in ExecuTorch's repository that use the Inspector, once with the names of executorch.devtools and
once with those of etinspect, and compares the results: these programs change only the lines of their imports.

    upstream_calls.py FOLDER            writes its files into FOLDER

Each function below makes the calls of one program, which its decorator names. The programs themselves need devices, compilers of vendors
or models, so the functions use ETDumps of testdata/. Of devtools/inspector/tests/inspector_test.py, only the calls of the public class are
here; its other tests replace private functions of executorch. Prints "upstream_calls: N passed, N failed, N skipped".
"""

import csv
import json
import logging
import os
import pprint
import sys
import tempfile
import types
import unittest.mock
import warnings
from pathlib import Path

import executorch.devtools
import executorch.devtools.inspector._inspector
import executorch.devtools.inspector._inspector_utils
import executorch.devtools.inspector.vgf_neural_statistics
import torch
from executorch.devtools.etrecord import parse_etrecord
from executorch.devtools.inspector.numerical_comparator import MSEComparator, NumericalComparatorBase

import etinspect
import etinspect.inspector._inspector
import etinspect.inspector._inspector_utils
import etinspect.inspector.vgf_neural_statistics

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
OUT = Path(sys.argv[1])
PROGRAMS = {}


def of(path):
    def add(function):
        PROGRAMS[path] = function
        return function

    return add


def files(folder):
    """Returns the paths of an ETDump, its ETRecord and its debug buffer, which may not exist. executorch cannot read the ETRecords of
    testdata/backends/, which lack the weights."""
    folder = TESTDATA / folder
    return str(folder / "run.etdp"), str(folder / "record.etrecord"), str(folder / "debug_buffer.bin")


def printed(function, *arguments, **named):
    """Returns the output of a call. Replaces file descriptor 1, because executorch's functions keep sys.stdout."""
    with tempfile.TemporaryFile() as file:
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            function(*arguments, **named)
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read().decode()


@of("backends/arm/scripts/etdump_to_chrome_trace.py")
def chrome_trace(kit):
    dump, record, _ = files("xnnpack-conv")
    found = []
    for scale in [scale.value for scale in kit.inspector.TimeScale if scale.value != "cycles"]:
        inspector = kit.Inspector(etdump_path=dump, etrecord=record, source_time_scale=kit.inspector.TimeScale(scale),
                                  target_time_scale=kit.inspector.TimeScale.US)  # fmt: skip
        for block in inspector.event_blocks:
            for event in block.events:
                if event.perf_data is not None and event.start_time is not None:
                    times = list(zip(map(float, event.start_time), event.perf_data.raw))
                    found.append((block.name, event.name, times, event.is_delegated_op, event.delegate_backend_name, event.op_types))
    return json.dumps(found)


@of("backends/cadence/runtime/etdump.py")
def cadence(kit):
    dump, record, buffer = files("mlp")
    cycles = kit.utils.TimeScale.CYCLES
    inspector = kit.Inspector(etdump_path=dump, debug_buffer_path=buffer, etrecord=record, source_time_scale=cycles, target_time_scale=cycles)
    blocks: list[kit.inspector.EventBlock] = [block for block in inspector.event_blocks if block.name == "Execute"]
    events: list[kit.inspector.Event] = [event for event in blocks[0].events if event.name != "OPERATOR_CALL"]
    total = [event.perf_data.avg for event in events if event.name == "Method::execute"]
    tensors = [(event._instruction_id, [f"{value!s}\n\n" for value in event.debug_data]) for event in events if event.debug_data]
    assert tensors and total and kit.inspector.PerfData([1.0]).avg == 1
    outputs = [[str(value) for value in block.run_output or []] for block in blocks]
    return f"{sum(event.perf_data.avg for event in events if event.perf_data):,.0f}", total, tensors, outputs, printed(inspector.print_data_tabular)


def kernels_of(metadata):
    return [f"kernel {one[0]}" if len(one) == 1 else "other" for one in metadata]


@of("backends/nxp/tests/generic_tests/test_profiling.py")
def nxp_test(kit):
    dump, _, _ = files("backends/nxp_cnn")
    inspector = kit.inspector._inspector.Inspector(etdump_path=dump, etrecord=None, delegate_metadata_parser=kernels_of)
    text = printed(inspector.print_data_tabular, include_delegate_debug_data=True)
    numbered = [event for block in inspector.event_blocks for event in block.events if str(event.name).isdigit()]
    return text, [(str(event.delegate_debug_metadatas), event.op_types) for event in numbered]


@of("examples/nxp/analyzing_with_inspector.py")
def nxp_example(kit):
    """Assigns to op_types of Events before printing them."""
    texts = []
    for folder, named in (("backends/nxp_cnn", {"delegate_metadata_parser": kernels_of}), ("mlp", {})):
        dump, record, _ = files(folder)
        inspector = kit.Inspector(etdump_path=dump, etrecord=record if os.path.exists(record) else None, **named)
        for block in inspector.event_blocks:
            for event in block.events:
                if hasattr(event, "op_types") and isinstance(event.op_types, list):
                    event.op_types = [op for op in event.op_types if "quantized_decomposed" not in op][:1] or event.op_types
        texts += [printed(inspector.print_data_tabular, include_delegate_debug_data=True), printed(inspector.print_data_tabular)]
    assert "aten.permute_copy" in texts[3] and "aten.addmm" not in texts[3]
    return texts


class Cosine(NumericalComparatorBase):
    def __init__(self, edge_ep, threshold=0.9):
        super().__init__()
        self.edge_ep, self.threshold = edge_ep, threshold

    def element_compare(self, a, b):
        pair = [torch.as_tensor(one).double().flatten() for one in (a, b)]
        return torch.nn.functional.cosine_similarity(*pair, dim=0).item()


def record_of_debugger(name):
    """Writes an ETRecord with the graph after the passes of a backend, and representative inputs."""
    path = OUT / f"{name}.etrecord"
    record = parse_etrecord(files("mlp")[1])
    torch.manual_seed(1)
    names = set(record.exported_program.graph_signature.user_inputs)
    shapes = [node.meta["val"].shape for node in record.exported_program.graph.nodes if node.name in names]
    record.update_representative_inputs([torch.randn(shape) for shape in shapes])
    record.graph_map = {name: record.edge_dialect_program}
    path.parent.mkdir(parents=True, exist_ok=True)
    record.save(str(path))
    return str(path)


@of("backends/qualcomm/debugger/qnn_intermediate_debugger.py")
def qnn_debugger(kit):
    graph = "edge_after_transform/forward"
    dump, _, buffer = files("mlp")
    record = record_of_debugger(graph)
    inspector = kit.Inspector(etdump_path=dump, debug_buffer_path=buffer, etrecord=record, reference_graph_name=graph)
    comparator = Cosine(edge_ep=inspector.get_exported_program(), threshold=0.5)
    gaps = inspector.calculate_numeric_gap(distance=comparator, reference_graph=graph).set_index("runtime_debug_handle")
    assert len(gaps) and comparator.inspector is inspector
    return inspector.to_dataframe().to_csv(), [(index, row.gap, row.aot_ops, row.runtime_ops) for index, row in gaps.iterrows()]


@of("backends/qualcomm/tests/rework/src/feature.py")
def qnn_features(kit):
    dump, record, _ = files("xnnpack-conv")
    cycles = kit.utils.TimeScale.CYCLES
    inspector = kit.Inspector(etdump_path=dump, etrecord=record, source_time_scale=cycles, target_time_scale=cycles)
    dump, _, buffer = files("mlp")
    recorded = kit.Inspector(etdump_path=dump, debug_buffer_path=buffer)
    return len(inspector.to_dataframe().index), [len(block.events) for block in recorded.event_blocks if block.name == "Execute"]


@of("backends/qualcomm/tests/utils.py")
def qnn_tests(kit):
    dump, record, _ = files("xnnpack-conv")
    cycles = kit.utils.TimeScale.CYCLES
    profiled = kit.Inspector(etdump_path=dump, etrecord=record, source_time_scale=cycles, target_time_scale=cycles)
    graph = "edge_after_transform/forward"
    dump, _, buffer = files("mlp")
    inspector = kit.Inspector(etdump_path=dump, debug_buffer_path=buffer, etrecord=record_of_debugger(graph), reference_graph_name=graph)
    gaps = inspector.calculate_numeric_gap(distance=Cosine(None), reference_graph=graph).set_index("runtime_debug_handle")
    return len(profiled.to_dataframe().index), [row.gap[0] for _, row in gaps.iterrows()]


@of("devtools/inspector/inspector_cli.py")
def inspector_cli(kit):
    dump, record, buffer = files("bundled-inputs")
    inspector = kit.Inspector(etdump_path=dump, etrecord=record, debug_buffer_path=buffer if os.path.exists(buffer) else None,
                              source_time_scale=kit.inspector.TimeScale("us"), target_time_scale=kit.inspector.TimeScale("s"))  # fmt: skip
    path = OUT / "cli.tsv"
    texts = [printed(inspector.print_data_tabular)]
    inspector.save_data_to_tsv(str(path))
    blocks = [block for block in inspector.event_blocks if block.name == "Execute" and block.reference_output and block.run_output]
    pyplot = unittest.mock.MagicMock()
    with unittest.mock.patch.dict(sys.modules, {"matplotlib": pyplot, "matplotlib.pyplot": pyplot.pyplot}):
        for block in blocks:
            kit.inspector.compare_results(reference_output=block.reference_output, run_output=block.run_output, plot=True)
    return texts, path.read_text(encoding="utf-8")


@of("devtools/scripts/generate_profiling_csv.py")
def profiling_csv(kit):
    return [kit.Inspector(files(folder)[0]).to_dataframe().to_csv() for folder in ("mlp", "transformer")]


@of("docs/source/tutorials_source/devtools-debugging-tutorial.py")
def debugging_tutorial(kit):
    dump, record, buffer = files("mlp")
    inspector = kit.Inspector(etdump_path=dump, etrecord=record_of_debugger("tutorial/forward"), debug_buffer_path=buffer)
    gaps = inspector.calculate_numeric_gap("MSE")
    largest = gaps.loc[[gap[0] for gap in gaps["gap"]].index(max(gap[0] for gap in gaps["gap"]))]
    return [str(cell) for cell in (largest["aot_ops"], largest["runtime_ops"], largest["stacktraces"])], [f"{gap[0]:.6e}" for gap in gaps["gap"]]


@of("docs/source/tutorials_source/devtools-integration-tutorial.py")
def integration_tutorial(kit):
    dump, record, _ = files("mlp")
    inspector = kit.Inspector(etdump_path=dump, etrecord=record)
    texts = [printed(inspector.print_data_tabular)]
    for block in inspector.event_blocks:
        rows = block.to_dataframe()
        rows = rows[rows.event_name == "native_call_addmm.out"]
        for event in block.events:
            if event.name == "native_call_addmm.out":
                texts.append(str(event.perf_data.raw if event.perf_data else ""))
        if len(rows) > 0:
            texts.append(str(rows[["event_name", "raw"]]))
            slowest = rows.loc[rows["p50"].idxmax()]
            texts += [slowest.event_name, pprint.pformat(slowest.stack_traces), pprint.pformat(slowest.module_hierarchy)]
    assert len(texts) > 3
    return texts, [float(inspector.find_total_for_module(name)) for name in ("L__self__", "L__self___layers", "")]


@of("examples/apple/coreml/scripts/inspector_cli.py")
def coreml_cli(kit):
    dump, _, _ = files("backends/coreml_cnn")
    inspector = kit.Inspector(etdump_path=dump, etrecord=None, debug_buffer_path=None, delegate_metadata_parser=coreml_metadata,
                              delegate_time_scale_converter=lambda name, time: time / 1000)  # fmt: skip
    return printed(inspector.print_data_tabular, include_delegate_debug_data=True)


def coreml_metadata(metadata):
    """Returns the number of pieces of metadata, and their keys."""
    return {"n": len(metadata), "keys": sorted({key for one in metadata for key in (json.loads(one) if one else {})})} if metadata else {}


@of("examples/apple/coreml/scripts/inspector_utils.py")
def coreml_utilities(kit):
    """Compares recorded tensors of two Inspectors by functions of torch."""
    dump, record, buffer = files("mlp")
    inspectors = [kit.Inspector(etdump_path=dump, etrecord=record, debug_buffer_path=buffer, enable_module_hierarchy=True,
                                delegate_metadata_parser=coreml_metadata, delegate_time_scale_converter=None) for _ in range(2)]  # fmt: skip
    maps = []
    for inspector in inspectors:
        events = {}
        for block in inspector.event_blocks:
            for event in block.events if block.name == "Execute" else ():
                handles = [event.debug_handles] if isinstance(event.debug_handles, int) else event.debug_handles or []
                events.update((handle, event) for handle in sorted(handles) if len(event.debug_data) > 0)
        maps.append(events)
    found = []
    for handle, event in maps[0].items():
        one, other = event.debug_data[0], maps[1][handle].debug_data[0]
        assert one.size() == other.size()
        unlike = torch.isclose(one, torch.add(other, 1), atol=1e-3, rtol=1e-3).logical_not()
        largest = torch.max(torch.abs(torch.masked_select(one, unlike) - torch.masked_select(other, unlike))).item()
        found.append((handle, event.name, torch.count_nonzero(unlike).item(), largest, [tuple(one.size()), one.sum().item()]))
    assert found
    return found


@of("examples/qualcomm/util_scripts/cli.py")
def qnn_cli(kit):
    path = str(OUT / "etdump.csv")
    kit.Inspector(etdump_path=files("backends/qnn_cnn")[0]).save_data_to_tsv(path)
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@of("examples/qualcomm/util_scripts/gen_etrecord.py")
def qnn_etrecord(kit):
    dump, record, _ = files("xnnpack-conv")
    cycles = kit.utils.TimeScale.CYCLES
    rows = kit.Inspector(etdump_path=dump, etrecord=record, source_time_scale=cycles, target_time_scale=cycles).to_dataframe()
    return rows.head(5).to_string(index=False)


@of("examples/riscv/etdump_summary.py")
def riscv_summary(kit):
    inspector = kit.Inspector(etdump_path=files("xnnpack-conv")[0])
    raws = [(event.name or "", event.perf_data.raw if event.perf_data else []) for block in inspector.event_blocks for event in block.events]
    return [(name, sum(raw), max(raw, default=0)) for name, raw in raws]


@of("extension/llm/custom_ops/test_gated_delta.py")
def gated_delta(kit):
    dump, _, buffer = files("mlp")
    inspector = kit.Inspector(etdump_path=dump, debug_buffer_path=buffer)
    return [event.name for block in inspector.event_blocks for event in block.events if event.name is not None]


@of("devtools/inspector/tests/inspector_test.py")
def inspector_test(kit):
    found = []
    for arguments in ({}, {"etdump_path": "x", "etdump_data": b"x"}, {"etdump_path": "missing.etdp"}, {"etdump_data": b"", "etrecord": 3}):
        try:
            kit.Inspector(**arguments)
        except (ValueError, TypeError, FileNotFoundError) as error:
            kinds = [kind for kind in (FileNotFoundError, TypeError, ValueError) if isinstance(error, kind)]
            found.append(kinds[0].__name__)
    dump, _, buffer = files("mlp")
    inspector = kit.Inspector(etdump_path=dump, etrecord=record_of_debugger("test/forward"), debug_buffer_path=buffer)
    found.append([type(one).__name__ for one in (inspector.get_exported_program(), inspector._etrecord, inspector._etrecord.exported_program)])
    found.append([tuple(inspector.calculate_numeric_gap(distance=distance)["aot_debug_handle"]) for distance in ("L1", MSEComparator())])
    for event in inspector.event_blocks[0].events:
        found += [str(value) for value in event.debug_data if torch.allclose(value, torch.zeros(1)) or value.data_ptr() != 0]
    block = kit.inspector.EventBlock(name="mine", events=[kit.inspector.Event(name="op", perf_data=kit.inspector.PerfData([1.0, 2.0]))])
    inspector.event_blocks = [block]
    return found, printed(inspector.print_data_tabular), inspector.to_dataframe().to_csv(), float(inspector.find_total_for_module("x"))


def kit_of(package, inspector):
    return types.SimpleNamespace(Inspector=package.Inspector, inspector=inspector, utils=inspector._inspector_utils)


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    OUT.mkdir(parents=True, exist_ok=True)
    theirs, ours = kit_of(executorch.devtools, executorch.devtools.inspector), kit_of(etinspect, etinspect.inspector)
    n_failed = 0
    for path, program in PROGRAMS.items():
        wanted = program(theirs)
        try:
            found = program(ours)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found != wanted:
            n_failed += 1
            print(f"FAILED {path}: {str(found)[:500]!r}, not {str(wanted)[:500]!r}")
    print(f"upstream_calls: {len(PROGRAMS) - n_failed} passed, {n_failed} failed, 0 skipped")
    return n_failed > 0


if __name__ == "__main__":
    sys.exit(main())
