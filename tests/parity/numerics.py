"""Compares the command `numerics` with the Inspector's calculate_numeric_gap(), and two exports of one model with each other.

    numerics.py [--build BUILD] [--only NAME ... | --quick]

The models of numeric_models.py are exported and run once, in float without and with XNNPACK, and in int8 with it;
examples/aot_intermediates.py writes the outputs of their graphs. The tests check
  - gaps: of each export, with 2 reference graphs and 3 metrics, rows, handles, operators and every number (1e-9 relative). Where the
    Inspector raises for a pair, or for the whole table, all other rows must be present: it is called for each component of
    handles separately. For delegates with several outputs it pairs the wrong ones: then etinspect's pair must be closer,
    and in float within 120 dB.
  - pairs: portable with XNNPACK, float with int8: the compared nodes are those that both sides show, found here without
  etinspect; in float all of them are within 120 dB.
  - inputs: the minimum and the median of snr and the maximum of mse over several inputs are those of the Inspector's gaps for each,
    for runs in one ETDump and for ETDumps with a reference each.
Ends in "numerics: N passed, N failed, 0 skipped"; a case is an export with a graph and a metric, or a pair of exports.
"""

import argparse
import json
import math
import subprocess
import warnings
from pathlib import Path
from unittest import mock

import numpy
from numeric_models import GRAPHS, NETS, QUICK, directory_of, files_of, make_all, with_floats

METRICS = ("MSE", "L1", "SNR")
TOLERANCE = 1e-9
NEAR = 120  # dB, float


# ---------------------------------------------------------------- gaps

def numerics(build, *arguments):
    done = subprocess.run([build / "etinspect", "numerics", *arguments, "-f", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
    return with_floats(json.loads(done.stdout))["tables"]


def inspector_of(directory):
    """The Inspector reads elements as if they were in row-major order, which would give wrong gaps; it gets reordered
    tensors."""
    from executorch.devtools.inspector import Inspector, _inspector_utils

    def with_strides(tensor, buffer):
        value = parse(tensor, buffer)
        return value.as_strided(tensor.sizes, tensor.strides) if value.numel() and tensor.strides else value

    paths = {"etdump_path": "run.etdp", "etrecord": "record.etrecord", "debug_buffer_path": "debug_buffer.bin"}
    parse = _inspector_utils._parse_tensor_value
    with mock.patch.object(_inspector_utils, "_parse_tensor_value", with_strides):
        return Inspector(**{name: str(directory / path) for name, path in paths.items()})


def comparator(metric):
    """Calls the Inspector's own distance; returns no number if it raises for a pair."""
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
    """Returns None for infinities and NaN, which the Inspector mixes."""
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


def by_component(mapping, failed):
    """Returns the Inspector's `mapping` of outputs by handles, for each component separately; handles of failing ones go
    into `failed`."""
    from executorch.devtools.inspector import _inspector_utils as utils

    def mapped(aot, runtime):
        pairs = {}
        nodes, edges = utils._create_debug_handle_overlap_graph(aot, runtime)
        for component in utils._find_connected_components(nodes, edges):
            of = [nodes[i] for i in component]
            of_aot = {node.debug_handle: aot[node.debug_handle] for node in of if node.source == utils.NodeSource.AOT}
            of_runtime = {node.debug_handle: runtime[node.debug_handle] for node in of if node.source == utils.NodeSource.RUNTIME}
            try:
                pairs.update(mapping(of_aot, of_runtime))
            except (ValueError, TypeError, IndexError):
                failed.update(of_runtime)
        return pairs

    return mapped


def gaps_of_inspector(inspector, metric, graph):
    """Returns the Inspector's rows, and the handles of events for which it raises as a whole."""
    from executorch.devtools.inspector import _inspector

    failed = set()

    def rows():
        return inspector.calculate_numeric_gap(comparator(metric), reference_graph=GRAPHS[graph]).to_dict("records")

    try:
        return rows(), failed
    except (ValueError, TypeError, IndexError):
        name = "map_runtime_aot_intermediate_outputs"
        with mock.patch.object(_inspector, name, by_component(getattr(_inspector, name), failed)):
            found = rows()
        if not failed:
            raise
        return found, failed


def check_gaps(build, directory, inspector, graph, metric, totals):
    tables = numerics(build, *files_of(directory), "--reference", directory / f"{graph}.npz", "--metric", metric.lower())
    ours = tables["numeric_gap"]
    theirs, failed = gaps_of_inspector(inspector, metric, graph)
    totals["raised for all"] += bool(failed)
    several = {tuple(e.debug_handles) for b in inspector.event_blocks for e in b.events
               if e.name == "DELEGATE_CALL" and e.num_outputs > 1} | failed
    wrong = check_several(metric, several, ours, theirs, totals, metric == "SNR" and not directory.name.endswith("-int8"))
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


def check_several(metric, several, ours, theirs, totals, is_near):
    """For calls with several outputs the Inspector lacks some, and pairs others wrongly."""
    wrong = []
    for handles in several:
        gaps = [row["gap"][0] if row["gap"] else None for row in ours if tuple(row["runtime_debug_handle"]) == handles]
        expected = [row["gap"][0] for row in theirs if tuple(row["runtime_debug_handle"]) == handles]
        if len(gaps) < len(expected):
            wrong.append(f"{handles}: {len(gaps)} rows, not {len(expected)}")
        for gap in expected:
            if gap is None:
                totals["raised"] += 1
            elif any(near(own, gap) for own in gaps):
                totals["rows"] += 1
            elif all(is_nearer(metric, own, gap) for own in gaps):
                totals["paired better"] += 1
            else:
                wrong.append(f"{handles}: gaps are {gaps}, not {gap!r}")
        totals["added"] += max(0, len(gaps) - len(expected))
        wrong += [f"{handles}: gap is {gap}" for gap in gaps if is_near and gap is not None and gap < NEAR]
    return wrong


# ---------------------------------------------------------------- pairs


def handles_of(event):
    return (event.debug_handles,) if isinstance(event.debug_handles, int) else tuple(event.debug_handles)


def visible(directory):
    """Returns the sources of the outputs that a run shows, by the graph alone."""
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
    last = {handle: node for node, handle in handle_of.items() if "getitem" not in node.name}
    for handles, (_, n_outputs) in inspector._get_runtime_intermediate_outputs_and_op_names()[0].items():
        # of events with common handles, which count as one, the last has given the values
        all_events = [e for b in inspector.event_blocks for e in b.events if e.debug_handles and e.debug_data]
        events = [e for e in all_events if set(handles_of(e)) <= set(handles)]
        event = max(events, key=lambda e: e._instruction_id)
        is_call = event.name == "DELEGATE_CALL"
        handles = handles_of(event) if is_call else handles
        inside = set(handles)
        values = []  # nodes whose results leave the call, repeated for each such result
        for node, handle in handle_of.items():
            if handle in inside and "getitem" not in node.name:
                items = [user for user in node.users if "getitem" in str(user.target)] or [node]
                values += [node for item in items if any(handle_of.get(user) not in inside for user in users(item))]
        boundary = {handle_of[node] for node in values}
        if is_call and len(boundary) == n_outputs:
            shown |= boundary
        elif is_call and len(values) == n_outputs:
            shown |= {handle_of[node] for node in values if last[handle_of[node]] == node}
        else:
            shown |= set(handles[-n_outputs:]) if is_call else {handles[-1]}
    return {sources[handle] for handle in shown}


def check_pair(build, base, new, is_float, totals):
    rows = numerics(build, *files_of(base), *files_of(new), "--columns", "all")["numerics"]
    compared = [row for row in rows if row["status"] not in ("only base", "only new") and row["source_node"]]
    found, expected = {row["source_node"] for row in compared}, visible(base) & visible(new)
    wrong = [] if found == expected else [f"compares {sorted(found)}, not {sorted(expected)}"]
    for row in compared:
        totals["pairs"] += 1
        if row["status"] not in (None, "view"):
            wrong.append(f"{row['source_node']}: {row['status']}")
        elif row["snr"] is None or math.isinf(row["snr"]) != (row["mse"] == 0):
            wrong.append(f"{row['source_node']}: snr is {row['snr']}, mse is {row['mse']}")
        elif is_float and row["snr"] < NEAR:
            wrong.append(f"{row['source_node']}: snr is {row['snr']}")
    return wrong


# ---------------------------------------------------------------- inputs


N_INPUTS = 5
WITH_INPUTS = ("layers", "convolutions")


def run_inputs(directory, made, net):
    """Runs an export with several inputs: in one ETDump, and in one per input, with the intermediates of each."""
    import aot_intermediates
    import executorch.kernels.quantized  # noqa: F401  its operators
    import torch
    from executorch.devtools.etrecord import parse_etrecord
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    directory.mkdir(parents=True, exist_ok=True)
    _, inputs = net.build()
    torch.manual_seed(1)
    all_inputs = [inputs, *(tuple(torch.randn_like(i) for i in inputs) for _ in range(N_INPUTS - 1))]
    program = (made / "model.pte").read_bytes()
    together = load(program, enable_etdump=True, debug_buffer_size=1 << 20)
    for number, one in enumerate(all_inputs):
        record = parse_etrecord(str(made / "record.etrecord"))
        record.update_representative_inputs(list(one))
        record.save(str(directory / f"record-{number}.etrecord"))
        with open(directory / f"{number}.npz", "wb") as file:
            numpy.savez(file, **aot_intermediates.intermediates(str(directory / f"record-{number}.etrecord"), GRAPHS["aten"]))
        module = load(program, enable_etdump=True, debug_buffer_size=1 << 20)
        module.run_method("forward", one)
        module.write_etdump_result_to_file(str(directory / f"{number}.etdp"), str(directory / f"{number}.bin"))
        together.run_method("forward", one)
    together.write_etdump_result_to_file(str(directory / "all.etdp"), str(directory / "all.bin"))


def gaps_of_inputs(directory, metric):
    """Returns the Inspector's gaps by debug handles, one for each input."""
    from executorch.devtools.inspector import Inspector

    gaps = {}
    for number in range(N_INPUTS):
        inspector = Inspector(etdump_path=str(directory / f"{number}.etdp"), etrecord=str(directory / f"record-{number}.etrecord"),
                              debug_buffer_path=str(directory / f"{number}.bin"))
        rows = inspector.calculate_numeric_gap(comparator(metric), reference_graph=GRAPHS["aten"]).to_dict("records")
        for row in rows:
            gaps.setdefault(tuple(row["runtime_debug_handle"]), []).append(row["gap"][0])
    return {handles: [g for g in of if g is not None] for handles, of in gaps.items()}


def check_inputs(made, net, totals):
    """Checks that minimum, median and maximum over inputs are those of the Inspector's tables for each input."""
    directory = made.with_name(made.name + "-inputs")
    run_inputs(directory, made, net)
    references = [text for i in range(N_INPUTS) for text in ("--reference", directory / f"{i}.npz")]
    together = [directory / "all.etdp", directory / "record-0.etrecord", "--debug_buffer_path", directory / "all.bin", "--run", "all"]
    apart = [directory / "record-0.etrecord", *(directory / f"{i}.etdp" for i in range(N_INPUTS)),
             *(text for i in range(N_INPUTS) for text in ("--debug_buffer_path", directory / f"{i}.bin"))]
    snr, mse = gaps_of_inputs(directory, "SNR"), gaps_of_inputs(directory, "MSE")
    wrong = []
    for files in (together, apart):
        rows = numerics(made.parents[1], *files, *references, "--columns", "debug_handles,output,inputs,snr_min,snr_p50,mse")["numerics"]
        by_handles = {}
        for row in rows:
            by_handles.setdefault(tuple(row["debug_handles"] or ()), []).append(row)
        for handles, expected in snr.items():
            if len(expected) != N_INPUTS or len(by_handles.get(handles, [])) != 1:
                continue  # an operator with several outputs
            (row,) = by_handles[handles]
            ratios = numpy.where(numpy.isnan(expected), numpy.inf, expected)
            wanted = {"inputs": N_INPUTS, "snr_min": ratios.min(), "snr_p50": numpy.median(ratios), "mse": max(mse[handles])}
            totals["inputs"] += 1
            wrong += [f"{handles}: {column} is {row[column]}, not {value}" for column, value in wanted.items()
                      if not near(row[column], value)]
    return wrong or ([] if totals["inputs"] else ["nothing was compared"])


def check_record(build, directory):
    """Checks that the record of an export is not accepted as that of another one."""
    said = subprocess.run([build / "etinspect", "check", *files_of(directory)[:2]], capture_output=True, text=True).stdout
    return [line for line in said.splitlines() if line.startswith("warning:") and "export" in line]


# ---------------------------------------------------------------- all


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--quick", action="store_const", dest="only", const=QUICK, help="the models that differ most")
    options = parser.parse_args()
    build = options.build.resolve()
    warnings.simplefilter("ignore")
    n_passed, failures = 0, []
    totals = dict.fromkeys(("rows", "raised", "raised for all", "paired better", "added", "pairs", "inputs"), 0)

    def check(name, wrong):
        nonlocal n_passed
        n_passed += not wrong
        failures.extend(f"FAILED {name}: {text}" for text in wrong[:5])
        return bool(wrong)

    nets = [NETS[name] for name in options.only or NETS]
    make_all([(directory_of(build, net.name, way), net.name, way) for net in nets for way in net.ways])
    n_failed = 0
    for net in nets:
        made = {way: directory_of(build, net.name, way) for way in net.ways}
        for directory in made.values():
            inspector = inspector_of(directory)
            n_failed += check(f"{directory.name}, check", check_record(build, directory))
            for graph in GRAPHS:
                for metric in METRICS:
                    wrong = check_gaps(build, directory, inspector, graph, metric, totals)
                    n_failed += check(f"{directory.name}, {graph}, {metric}", wrong)
        for way in net.ways[1:]:
            wrong = check_pair(build, made["portable"], made[way], way == "xnnpack", totals)
            n_failed += check(f"{net.name}, portable and {way}", wrong)
            if net.name in WITH_INPUTS:
                n_failed += check(f"{net.name} {way}, several inputs", check_inputs(made[way], net, totals))
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{totals['rows']} gaps, of which the Inspector raises for {totals['raised']}; of calls with several outputs it lacks {totals['added']} and"
          f" pairs {totals['paired better']} with another one; {totals['raised for all']} tables for which it raises as a whole;"
          f" {totals['pairs']} outputs of two exports;"
          f" {totals['inputs']} rows of {N_INPUTS} inputs")
    print(f"numerics: {n_passed} passed, {n_failed} failed, 0 skipped")
    return 1 if n_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
