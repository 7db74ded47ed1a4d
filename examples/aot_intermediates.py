"""Writes the outputs of an ETRecord's graph nodes on its representative inputs, for `etinspect numerics --reference`.

    aot_intermediates.py MODEL.etrecord OUT.npz [--graph NAME] [--method NAME]

Needs executorch; the Python package etinspect contains this script, too: python -m etinspect.aot_intermediates. The
Inspector's own functions choose the graph and run it, so that nodes have the debug handles with which
calculate_numeric_gap() compares: each array is called HANDLE:NAMES, where NAMES are the nodes with this handle, separated
by commas; if there are several outputs, each is called HANDLE:NAMES#NUMBER. The graph is the exported program, or else the
edge program, unless --graph names another; --method chooses one of the methods of the ETRecord. bfloat16 is converted to float32, which can represent all its values.
"""

import argparse
import copy
import os

import numpy
import torch
from executorch.devtools.etrecord import parse_etrecord
from executorch.devtools.inspector import Inspector


def as_array(value):
    tensor = torch.as_tensor(value).detach().cpu()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).contiguous().numpy()


def choose_method(etrecord, path, method):
    """Leaves the programs of one method in a record; records of several methods have them in dictionaries."""
    for name in ("exported_program", "edge_dialect_program"):
        programs = getattr(etrecord, name)
        if not isinstance(programs, dict):
            continue
        if method is None and len(programs) > 1:
            raise ValueError(f"{path} has the methods {', '.join(programs)}: choose the one that has the representative inputs (option method)")
        if method is not None and method not in programs:
            raise ValueError(f"{path} has no method {method}; it has: {', '.join(programs)}")
        setattr(etrecord, name, programs[method or next(iter(programs))])


def inspector_of(record, method=None):
    """Returns an Inspector without an ETDump that can execute the graphs of an ETRecord, a path or an object. ValueError: the
    record has no representative inputs, lacks the method, or has several methods but none was chosen."""
    is_path = isinstance(record, (str, os.PathLike))
    inspector = Inspector.__new__(Inspector)
    inspector._etrecord = parse_etrecord(record) if is_path else copy.copy(record)
    name = record if is_path else "the ETRecord"
    if inspector._etrecord._representative_inputs is None:
        raise ValueError(f"{name} has no representative inputs: call update_representative_inputs() before saving it")
    choose_method(inspector._etrecord, name, method)
    return inspector


def intermediates(record, graph=None, disable_validation=False, method=None):
    """Returns the arrays by their names. ValueError: inspector_of() raises it, the record lacks the graph, or, unless
    `disable_validation`, a node has no debug handle."""
    inspector = inspector_of(record, method)
    module, _ = inspector._resolve_reference_graph(graph, disable_validation)
    values, names = inspector._get_aot_intermediate_outputs_and_op_names(module)
    arrays = {}
    for handles, value in values.items():
        stem = f"{handles[0]}:{','.join(names[handles])}"
        if not isinstance(value, (list, tuple)):
            arrays[stem] = value
            continue
        for number, element in enumerate(value):
            arrays[f"{stem}#{number}"] = element
    return {name: as_array(value) for name, value in arrays.items() if value is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record")
    parser.add_argument("out")
    parser.add_argument("--graph", help="exported_program, edge_dialect_exported_program, or another one of the record")
    parser.add_argument("--method", help="the method that has the representative inputs")
    options = parser.parse_args()
    try:
        arrays = intermediates(options.record, options.graph, method=options.method)
    except (OSError, ValueError) as error:
        parser.exit(1, f"aot_intermediates.py: {error}\n")
    with open(options.out, "wb") as file:  # numpy would append .npz to a path
        numpy.savez(file, **arrays)


if __name__ == "__main__":
    main()
