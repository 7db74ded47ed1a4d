"""Writes what the nodes of an ETRecord's graph give on its representative inputs, for `etinspect numerics --reference`.

    aot_intermediates.py MODEL.etrecord OUT.npz [--graph NAME]

Needs executorch. The Inspector's own functions choose the graph and run it, so that nodes have the debug handles with which
calculate_numeric_gap() compares: each array is called HANDLE:NAMES, where NAMES are the nodes with this handle, with commas between
them; of several outputs each is called HANDLE:NAMES#NUMBER. The graph is the exported program, or else the edge program, unless --graph
says another. bfloat16 becomes float32, which holds all of its numbers.
"""

import argparse

import numpy
import torch
from executorch.devtools.etrecord import parse_etrecord
from executorch.devtools.inspector import Inspector


def as_array(value):
    tensor = torch.as_tensor(value).detach().cpu()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).contiguous().numpy()


def intermediates(record, graph=None):
    """The arrays by their names."""
    inspector = Inspector.__new__(Inspector)  # without an ETDump
    inspector._etrecord = parse_etrecord(record)
    module, _ = inspector._resolve_reference_graph(graph)
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
    options = parser.parse_args()
    with open(options.out, "wb") as file:  # numpy would append .npz to a path
        numpy.savez(file, **intermediates(options.record, options.graph))


if __name__ == "__main__":
    main()
