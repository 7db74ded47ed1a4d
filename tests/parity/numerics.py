"""Compares the command `numerics` with the Inspector's calculate_numeric_gap(), and two exports of one model with each other.

    numerics.py [--build BUILD] [--only NAME ...]

Models are exported and run once, in float without and with XNNPACK, and in int8 with it; what their graphs give is written by
examples/aot_intermediates.py. Checked are
  - gaps: of each export, with 2 reference graphs and 3 metrics, rows, handles, operators and every number (1e-9 relative). Where the
    Inspector raises for a pair, the others must be there. Of delegates with several outputs it pairs the wrong ones: then ours must
    be the nearer pair.
  - pairs: portable with XNNPACK, float with int8: the nodes that are compared are those that both sides show, found here without
    etinspect; in float all of them are within 120 dB.
  - faults: a weight that is changed, a layer whose weights are rounded to bfloat16, a weight that is NaN. The row with the largest
    snr_drop must be of that layer, in 19 of 20 of them.
Ends in "numerics: N passed, N failed, 0 skipped"; a case is an export with a graph and a metric, a pair of exports, or all faults.
"""

import argparse
import json
import math
import subprocess
import sys
import warnings
from pathlib import Path

import numpy

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "examples"))
GRAPHS = {"aten": "exported_program", "edge": "edge_dialect_exported_program"}
METRICS = ("MSE", "L1", "SNR")
TOLERANCE = 1e-9
NEAR = 120  # dB, float


# ---------------------------------------------------------------- models


def models():
    """Name: model, inputs, the ways in which it is exported."""
    import torch
    from torch import nn

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(16)
            self.qkv = nn.Linear(16, 48)
            self.out = nn.Linear(16, 16)

        def forward(self, x):
            q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
            return x + self.out(torch.softmax(q @ k.transpose(-1, -2) / 4, -1) @ v)

    class TwoOutputs(nn.Module):
        """XNNPACK gives both operands of what it does not take."""

        def __init__(self):
            super().__init__()
            self.a = nn.Linear(8, 8)
            self.b = nn.Linear(8, 8)

        def forward(self, x):
            y = torch.relu(self.a(x))
            return torch.cumsum(y, 1) * 2 + torch.cumsum(self.b(y), 1)

    class Lstm(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 8)

        def forward(self, x):
            return self.lstm(x)[0]

    class Batches(nn.Module):
        """Views that the runtime does not run, of another shape than what it records."""

        def __init__(self):
            super().__init__()
            self.first = nn.Linear(6, 12)
            self.second = nn.Linear(12, 6)

        def forward(self, x):
            return self.second(torch.tanh(self.first(x)).reshape(3, 4, 12))

    class Several(nn.Module):
        """Operators with several outputs, integers, and what becomes infinite."""

        def forward(self, x):
            top, at = torch.topk(x, 3)
            return torch.log(top) + at, torch.split(x, 2, 1)[1] * 3, torch.exp(x * 200)

    torch.manual_seed(0)
    convolutions = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)
    )
    layers = nn.Sequential(nn.LayerNorm(12), nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 12), nn.Sigmoid())
    all_ways = ("portable", "xnnpack", "int8")
    return {
        "attention": (Attention(), (torch.randn(1, 5, 16),), all_ways),
        "two_outputs": (TwoOutputs(), (torch.randn(3, 8),), all_ways),
        "convolutions": (convolutions, (torch.randn(1, 3, 8, 8),), all_ways),
        "layers": (layers, (torch.randn(4, 12),), all_ways),
        "lstm": (Lstm(), (torch.randn(5, 1, 4),), all_ways[:2]),
        "batches": (Batches(), (torch.randn(2, 6, 6),), all_ways[:2]),
        "several": (Several(), (torch.randn(2, 4),), all_ways[:1]),
    }


def quantize(model, inputs):
    import torch
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config())
    prepared = prepare_pt2e(torch.export.export(model, inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def export(directory, model, inputs, way, graphs=tuple(GRAPHS)):
    """Exports the model, and runs it in ExecuTorch's runtime with a debug buffer."""
    import aot_intermediates
    import executorch.kernels.quantized  # noqa: F401  its operators
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    directory.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        model = quantize(model.eval(), inputs) if way == "int8" else model.eval()
        exported = torch.export.export(model, inputs)
    partitioner = None if way == "portable" else [XnnpackPartitioner()]
    program = to_edge_transform_and_lower(exported, partitioner=partitioner, generate_etrecord=True).to_executorch()
    record = program.get_etrecord()
    record.update_representative_inputs(list(inputs))
    record.save(str(directory / "record.etrecord"))
    module = load(program.buffer, enable_etdump=True, debug_buffer_size=1 << 22)
    module.run_method("forward", inputs)
    module.write_etdump_result_to_file(str(directory / "run.etdp"), str(directory / "debug_buffer.bin"))
    for graph in graphs:
        name = GRAPHS[graph]
        with open(directory / f"{graph}.npz", "wb") as file:
            numpy.savez(file, **aot_intermediates.intermediates(str(directory / "record.etrecord"), name))
    (directory / "done").touch()


# ---------------------------------------------------------------- gaps


def numerics(build, *arguments):
    done = subprocess.run([build / "etinspect", "numerics", *arguments, "-f", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)["tables"]


def files_of(directory):
    return [directory / "run.etdp", directory / "record.etrecord", "--debug_buffer_path", directory / "debug_buffer.bin"]


def inspector_of(directory):
    from executorch.devtools.inspector import Inspector

    paths = {"etdump_path": "run.etdp", "etrecord": "record.etrecord", "debug_buffer_path": "debug_buffer.bin"}
    return Inspector(**{name: str(directory / path) for name, path in paths.items()})


def comparator(metric):
    """The Inspector's own, without a number where it raises for a pair."""
    from executorch.devtools.inspector.numerical_comparator import L1Comparator, MSEComparator, SNRComparator

    of = {"MSE": MSEComparator, "L1": L1Comparator, "SNR": SNRComparator}[metric]

    class Tolerant(of):
        def element_compare(self, a, b):
            try:
                return super().element_compare(a, b)
            except ValueError:
                return None

    return Tolerant()


def as_number(value):
    """JSON has no infinities and no NaN: numbers of ours are without a value there."""
    return value if value is not None and math.isfinite(value) else None


def near(ours, theirs):
    ours, theirs = as_number(ours), as_number(theirs)
    if ours is None or theirs is None:
        return ours is theirs
    return abs(ours - theirs) <= TOLERANCE * max(abs(ours), abs(theirs))


def is_nearer(metric, ours, theirs):
    ours, theirs = as_number(ours), as_number(theirs)
    if ours is None or theirs is None:
        return ours is None and metric == "SNR"
    return ours > theirs if metric == "SNR" else ours < theirs


def check_gaps(build, directory, graph, metric, totals):
    inspector = inspector_of(directory)
    tables = numerics(build, *files_of(directory), "--reference", directory / f"{graph}.npz", "--metric", metric.lower())
    ours = tables["numeric_gap"]
    try:
        theirs = inspector.calculate_numeric_gap(comparator(metric), reference_graph=GRAPHS[graph]).to_dict("records")
    except (ValueError, TypeError, IndexError) as error:
        totals["raised for all"] += 1
        return [] if ours else [f"no row, where the Inspector raises {error!r}"]
    several = {tuple(e.debug_handles) for b in inspector.event_blocks for e in b.events
               if e.name == "DELEGATE_CALL" and e.num_outputs > 1}
    wrong = check_several(metric, several, ours, theirs, totals)
    ours = [row for row in ours if tuple(row["runtime_debug_handle"]) not in several]
    theirs = [row for row in theirs if tuple(row["runtime_debug_handle"]) not in several]
    if len(ours) != len(theirs):
        return [*wrong, f"{len(ours)} rows, not {len(theirs)}"]
    for row, expected in zip(ours, theirs):
        totals["rows"] += 1
        for name in ("aot_debug_handle", "runtime_debug_handle", "aot_ops", "runtime_ops"):
            if list(row[name]) != list(expected[name]):
                wrong.append(f"{expected['aot_ops']}: {name} is {row[name]}, not {expected[name]}")
        if row["stacktraces"] != repr(expected["stacktraces"]):
            wrong.append(f"stacktraces are {row['stacktraces']}, not {expected['stacktraces']!r}")
        (gap,), (their_gap,) = row["gap"] or [None], expected["gap"]
        if their_gap is None:
            totals["raised"] += 1
        elif not near(gap, their_gap):
            wrong.append(f"{expected['aot_ops']}: gap is {gap!r}, not {their_gap!r}")
    return wrong


def check_several(metric, several, ours, theirs, totals):
    """Of calls with several outputs the Inspector lacks some, and pairs others with what they are not."""
    wrong = []
    for handles in several:
        gaps = [row["gap"][0] if row["gap"] else None for row in ours if tuple(row["runtime_debug_handle"]) == handles]
        expected = [row["gap"][0] for row in theirs if tuple(row["runtime_debug_handle"]) == handles]
        if len(gaps) < len(expected):
            wrong.append(f"{handles}: {len(gaps)} rows, not {len(expected)}")
        for gap in expected:
            if any(near(own, gap) for own in gaps):
                totals["rows"] += 1
            elif all(is_nearer(metric, own, gap) for own in gaps):
                totals["paired better"] += 1
            else:
                wrong.append(f"{handles}: gaps are {gaps}, not {gap!r}")
        totals["added"] += max(0, len(gaps) - len(expected))
    return wrong


# ---------------------------------------------------------------- pairs


def visible(directory):
    """Sources of the outputs that a run shows, by the graph alone."""
    from executorch.devtools.inspector._inspector_utils import get_ancestor_node_identifiers

    inspector = inspector_of(directory)
    graph = inspector._etrecord.edge_dialect_program.module().graph
    handle_of, sources = {}, {}
    for node in graph.nodes:
        handle = node.meta.get("debug_handle")
        if node.op == "call_function" and handle:
            handle_of[node] = handle
            ancestors = get_ancestor_node_identifiers(node)
            if ancestors:
                sources[handle] = ancestors[-1].rsplit(".", 1)[0]

    def users(node):
        for user in node.users:
            if user.op == "call_function" and "getitem" in str(user.target):
                yield from users(user)
            else:
                yield user

    shown = set()
    for handles, (_, n_outputs) in inspector._get_runtime_intermediate_outputs_and_op_names()[0].items():
        inside = set(handles)
        boundary = {handle for node, handle in handle_of.items() if handle in inside and "getitem" not in node.name
                    and any(handle_of.get(user) not in inside for user in users(node))}
        is_call = any(e.name == "DELEGATE_CALL" and tuple(e.debug_handles or ()) == handles
                      for b in inspector.event_blocks for e in b.events)
        shown |= boundary if is_call and len(boundary) == n_outputs else {handles[-1]}
    return {sources[handle] for handle in shown}


def check_pair(build, base, new, is_float, totals):
    rows = numerics(build, *files_of(base), *files_of(new))["numerics"]
    compared = [row for row in rows if row["status"] not in ("only base", "only new") and row["source_node"]]
    found, expected = {row["source_node"] for row in compared}, visible(base) & visible(new)
    wrong = [] if found == expected else [f"compares {sorted(found)}, not {sorted(expected)}"]
    for row in compared:
        totals["pairs"] += 1
        if row["status"] not in (None, "view"):
            wrong.append(f"{row['source_node']}: {row['status']}")
        elif is_float and row["snr"] is not None and row["snr"] < NEAR:
            wrong.append(f"{row['source_node']}: snr is {row['snr']}")
    return wrong


# ---------------------------------------------------------------- faults


LAYERS = {
    "attention": ("norm", "qkv", "out"), "convolutions": ("0", "1", "5"), "layers": ("0", "1", "3"), "batches": ("first", "second"),
    "two_outputs": ("a", "b"),
}
N_FAULTS = 20


def plant(model, layer, fault):
    import torch

    with torch.no_grad():
        weight = model.get_submodule(layer).weight
        if fault == "rounded":
            weight.copy_(weight.bfloat16())
        else:
            weight.view(-1)[0] = math.nan if fault == "nan" else weight.view(-1)[0] * 1.5 + 0.1


def check_faults(build, made, totals):
    import copy

    layers = [(name, layer) for name, all_layers in LAYERS.items() for layer in all_layers]
    wrong = []
    for number in range(N_FAULTS):
        name, layer = layers[number % len(layers)]
        fault = ("changed", "rounded", "nan")[number % 3]
        model, inputs, _ = made[name]
        directory = build / "numerics" / f"fault-{name}-{layer}-{fault}"
        if not (directory / "done").exists():
            model = copy.deepcopy(model)
            plant(model, layer, fault)
            export(directory, model, inputs, "portable", [])
        base = files_of(build / "numerics" / f"{name}-portable")
        row = numerics(build, *base, *files_of(directory), "--sort", "snr_drop:desc", "--top", "1")["numerics"][0]
        totals["faults"] += 1
        if row["module"] != layer:
            wrong.append(f"{name}, {layer} {fault}: found in {row['module']} ({row['source_node']}, {row['snr_drop']} dB)")
    totals["found"] += totals["faults"] - len(wrong)
    return wrong if len(wrong) > N_FAULTS // 20 else []


# ---------------------------------------------------------------- all


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--only", nargs="+")
    options = parser.parse_args()
    build = options.build.resolve()
    warnings.simplefilter("ignore")
    n_passed, failures = 0, []
    totals = dict.fromkeys(("rows", "raised", "raised for all", "paired better", "added", "pairs", "faults", "found"), 0)

    def check(name, wrong):
        nonlocal n_passed
        n_passed += not wrong
        failures.extend(f"FAILED {name}: {text}" for text in wrong[:5])
        return bool(wrong)

    n_failed, all_models = 0, models()
    for name, (model, inputs, ways) in all_models.items():
        if options.only and name not in options.only:
            continue
        made = {way: build / "numerics" / f"{name}-{way}" for way in ways}
        for way, directory in made.items():
            if not (directory / "done").exists():
                export(directory, model, inputs, way)
            for graph in GRAPHS:
                for metric in METRICS:
                    wrong = check_gaps(build, directory, graph, metric, totals)
                    n_failed += check(f"{directory.name}, {graph}, {metric}", wrong)
        for way in ways[1:]:
            wrong = check_pair(build, made["portable"], made[way], way == "xnnpack", totals)
            n_failed += check(f"{name}, portable and {way}", wrong)
    if not options.only:
        n_failed += check("faults", check_faults(build, all_models, totals))
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{totals['rows']} gaps, of which the Inspector raises for {totals['raised']}; of calls with several outputs it lacks {totals['added']} and"
          f" pairs {totals['paired better']} with another one; {totals['raised for all']} tables for which it raises as a whole;"
          f" {totals['pairs']} outputs of two exports; {totals['found']} of {totals['faults']} faults found first")
    print(f"numerics: {n_passed} passed, {n_failed} failed, 0 skipped")
    return 1 if n_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
