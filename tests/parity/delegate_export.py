"""Exports and runs the models of delegate_models.py with the peer; results that are up to date are kept.

    delegate_export.py OUT [--quick | --only NAME ...]

OUT/NAME/ gets:
    model.pte         delegate payloads in segments; with model*.ptd where weights are external
    inline.pte        the same program, payloads inside the FlatBuffer
    model.etrecord    made with to_edge_transform_and_lower(..., generate_etrecord=True): operators before lowering
    lowered.etrecord  made with generate_etrecord(path, edge_manager, program): calls of lowered modules
    run.etdp          RUNS runs of model.pte; with several methods those of Model.calls, once each
    nodes.json        all nodes in the exporter's Python objects: handles, modules, stacks; calls in order
    failed.txt        instead of these: the reason why it could not be exported or run
Prints the names of all on the last line.
"""

import argparse
import copy
import hashlib
import json
import logging
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS = 5
PROCESSES = 2


def version_of_sources():
    """Returns everything on which an exported model depends."""
    from importlib.metadata import version

    text = b"".join((HERE / name).read_bytes() for name in ("delegate_models.py", "delegate_export.py"))
    return hashlib.sha256(text + version("executorch").encode() + version("torch").encode()).hexdigest()


def is_current(directory, stamp):
    file = directory / "stamp"
    return file.exists() and file.read_text() == stamp


# ---------------------------------------------------------------- lowering


def quantize(module, inputs, model):
    import torch
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    dynamic = model.quantize == "dynamic"
    quantizer = XNNPACKQuantizer()
    quantizer.set_global(get_symmetric_quantization_config(is_per_channel=True, is_dynamic=dynamic))
    prepared = prepare_pt2e(torch.export.export(module, inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def exported_programs(model, methods):
    """Returns {method: exported program}, after quantisation."""
    import torch
    from executorch.exir.passes.external_constants_pass import delegate_external_constants_pass_unlifted

    programs = {}
    for name, (module, inputs) in methods.items():
        module = module.eval()
        if model.quantize:
            module = quantize(module, inputs, model)
        exported = torch.export.export(module, inputs, dynamic_shapes=model.dynamic_shapes)
        if model.external_weights and model.xnnpack:
            unlifted = exported.module()
            delegate_external_constants_pass_unlifted(unlifted, gen_tag_fn=lambda node: "model")
            exported = torch.export.export(unlifted, inputs, dynamic_shapes=model.dynamic_shapes)
        programs[name] = exported
    return programs


def partitioner_of(model):
    if not model.xnnpack:
        return None
    from executorch.backends.xnnpack.partition.config.xnnpack_config import ConfigPrecisionType
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    if model.quantize == "dynamic":
        return [XnnpackPartitioner(config_precisions=ConfigPrecisionType.DYNAMIC_QUANT, per_op_mode=True), XnnpackPartitioner()]
    return [XnnpackPartitioner(per_op_mode=model.per_op)]


def backend_config(model, segments):
    from executorch.exir import ExecutorchBackendConfig
    from executorch.exir.passes import MemoryPlanningPass
    from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass

    return ExecutorchBackendConfig(
        extract_delegate_segments=segments,
        external_constants=(lambda node: "model") if model.external_weights else False,
        memory_planning_pass=MemoryPlanningPass(alloc_graph_input=model.planned_io, alloc_graph_output=model.planned_io),
        passes=[InitializedMutableBufferPass(["total"])] if model.initial_state else [],
    )


# ---------------------------------------------------------------- contents of the Python objects


def described(node):
    from executorch.exir.delegate import executorch_call_delegate

    stack = (node.meta.get("nn_module_stack") or {}).values()
    value = node.meta.get("val")
    return {
        "name": node.name, "op": node.op, "target": str(node.target), "debug_handle": node.meta.get("debug_handle"),
        "modules": [[path, kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"] for path, kind in stack],
        "stack_trace": node.meta.get("stack_trace"), "inputs": [n.name for n in node.all_input_nodes],
        "shape": [str(size) for size in value.shape] if hasattr(value, "shape") else None,
        "is_call": node.target is executorch_call_delegate,
    }


def graphs_of(module, prefix=""):
    """Returns the graph of a module and those of its branches and loops."""
    from executorch.exir.graph_module import get_control_flow_submodules

    yield prefix, module
    for name, inner, _ in get_control_flow_submodules(module):
        yield from graphs_of(inner, f"{prefix}{name}.")


def nodes_of(program):
    return [dict(described(node), graph=prefix) for prefix, graph in graphs_of(program.graph_module) for node in graph.graph.nodes]


def calls_of(program):
    """Returns the calls of lowered modules: the exported nodes that each got."""
    from executorch.exir.delegate import executorch_call_delegate

    found = []
    for prefix, graph in graphs_of(program.graph_module):
        for node in graph.graph.nodes:
            if node.target is not executorch_call_delegate:
                continue
            lowered = getattr(graph, node.args[0].target)
            found.append({"graph": prefix, "name": node.args[0].target, "backend": lowered.backend_id,
                          "debug_handle": node.meta.get("debug_handle"),
                          "payload_sha256": hashlib.sha256(lowered.processed_bytes).hexdigest(),
                          "nodes": nodes_of(lowered.original_module)})
    return found


def everything(edge, lowered, executorch, calls):
    """Returns methods in the order of a run; per method: nodes before lowering, nodes after, calls, handles of each
    instruction."""
    before = edge.edge_dialect_program
    if not isinstance(before, dict):
        before = {"forward": before}
    return {
        "run": calls,
        "before": {method: nodes_of(program) for method, program in before.items()},
        "after": {method: nodes_of(lowered.exported_program(method)) for method in lowered.methods},
        "calls": {method: calls_of(lowered.exported_program(method)) for method in lowered.methods},
        "debug_handle_map": {method: {str(k): v for k, v in map_.items()}
                             for method, map_ in (executorch.debug_handle_map or {}).items()},
    }


# ---------------------------------------------------------------- one model


def run(program, data, calls, methods, path):
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load
    import executorch.kernels.quantized  # noqa: F401, registers operators

    loaded = load(program, data_map_buffer=data, enable_etdump=True)
    for _ in range(RUNS):
        for method in calls:
            loaded.run_method(method, methods[method][1])
    loaded.write_etdump_result_to_file(str(path))


def export(name, directory):
    import torch
    from delegate_models import model_of
    from executorch.devtools import generate_etrecord
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower

    model = model_of(name)
    torch.manual_seed(1)
    methods = model.make()
    if model.half:
        methods = {m: (module.half(), tuple(x.half() if x.is_floating_point() else x for x in inputs))
                   for m, (module, inputs) in methods.items()}
    edge = to_edge_transform_and_lower(exported_programs(model, methods), partitioner=partitioner_of(model),
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False), generate_etrecord=True)
    record, edge._etrecord = edge._etrecord, None
    kept = copy.deepcopy(edge)
    edge._etrecord = record
    inline = copy.deepcopy(kept).to_executorch(backend_config(model, False))
    (directory / "inline.pte").write_bytes(inline.buffer)
    program = edge.to_executorch(backend_config(model, True))
    (directory / "model.pte").write_bytes(program.buffer)
    program.write_tensor_data_to_file(str(directory))
    program.get_etrecord().save(str(directory / "model.etrecord"))
    generate_etrecord(str(directory / "lowered.etrecord"), kept, program)
    calls = model.calls or list(methods)
    (directory / "nodes.json").write_text(json.dumps(everything(record, kept, program, calls)))
    data = list(directory.glob("*.ptd"))
    run(program.buffer, data[0].read_bytes() if data else None, calls, methods, directory / "run.etdp")


def export_into(name, out, stamp):
    """Replaces the directory, in one step at the end."""
    partial = out / f".{name}"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    started = time.monotonic()
    try:
        export(name, partial)
    except Exception:
        (partial / "failed.txt").write_text(traceback.format_exc())
    (partial / "stamp").write_text(stamp)
    shutil.rmtree(out / name, ignore_errors=True)
    partial.rename(out / name)
    failed = (out / name / "failed.txt").exists()
    print(f"{name}: {time.monotonic() - started:.1f} s{', FAILED' if failed else ''}", flush=True)


def work(out, names):
    logging.disable(logging.WARNING)
    sys.path.insert(0, str(HERE))
    stamp = version_of_sources()
    for name in names:
        if not is_current(out / name, stamp):
            export_into(name, out, stamp)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--quick", action="store_true", help="only those of delegate_models.QUICK")
    parser.add_argument("--worker", action="store_true", help="export --only here, in this process")
    options = parser.parse_args()
    if options.worker:
        return work(options.out, options.only)
    sys.path.insert(0, str(HERE))
    from delegate_models import MODELS, QUICK

    stamp = version_of_sources()
    wanted = options.only or (QUICK if options.quick else list(MODELS))
    names = [name for name in wanted if not is_current(options.out / name, stamp)]
    options.out.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, str(options.out), "--worker", "--only"]
    workers = [subprocess.Popen(command + names[i::PROCESSES]) for i in range(PROCESSES) if names[i::PROCESSES]]
    status = max([worker.wait() for worker in workers], default=0)
    print("delegate_export: " + " ".join(wanted))
    return status


if __name__ == "__main__":
    sys.exit(main())
