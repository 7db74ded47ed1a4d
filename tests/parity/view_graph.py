"""Compares `etinspect graph` and `ops` with the graph that the Inspector's get_exported_program() gives.

    view_graph.py [--build BUILD]

Nodes in order, their operators, debug handles, inputs, types and shapes are those of torch's own graph; getitem nodes,
which the file does not have, stand for their inputs. Ends in "view_graph: N passed, N failed, N skipped".
"""

import argparse
import ast
import collections
import csv
import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import torch
from executorch.devtools import Inspector


def printed(build, *arguments):
    command = [f"{build}/etinspect", *arguments, "--format", "tsv", "--no_include_units"]
    text = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def is_getitem(node):
    return node.op == "call_function" and getattr(node.target, "__name__", "") == "getitem"


def origin(node):
    return node.args[0] if is_getitem(node) else node


def tensor_of(node):
    value = node.meta.get("val")
    while isinstance(value, (tuple, list)) and value:
        value = value[0]
    return value if isinstance(value, torch.Tensor) else None


def expected_nodes(program):
    for node in program.graph.nodes:
        if node.op not in ("placeholder", "call_function") or is_getitem(node):
            continue
        tensor = tensor_of(node)
        yield {
            "node": node.name,
            "debug_handle": str(node.meta.get("debug_handle", "")) if node.op == "call_function" else "",
            "dtype": str(tensor.dtype).replace("torch.", "") if tensor is not None else "",
            "shape": str(list(tensor.shape)) if tensor is not None else "",
            "inputs": [origin(n).name for n in node.all_input_nodes if n.op != "get_attr"],
        }


def check_graph(build, case, record, program):
    wanted = list(expected_nodes(program))
    rows = printed(build, "graph", f"{case}/run.etdp", str(record), "--columns", "all")
    found = [row for row in rows if "(" not in row["node"]]  # without "(…)" and "… (2 nodes)", which are no single nodes
    if [row["node"] for row in found] != [row["node"] for row in wanted]:
        return [f"nodes {[row['node'] for row in found]}, not {[row['node'] for row in wanted]}"]
    wrong = []
    for row, want in zip(found, wanted):
        inputs = list(dict.fromkeys(ast.literal_eval(row["inputs"]))) if row["inputs"] else []
        if sorted(inputs) != sorted(set(want["inputs"])):
            wrong.append(f"{row['node']}: inputs {inputs}, not {want['inputs']}")
        for column in ("debug_handle", "dtype", "shape"):
            if row[column] != want[column]:
                wrong.append(f"{row['node']}: {column} is {row[column]}, not {want[column]}")
    return wrong


def check_ops(build, case, record, program):
    """Returns the number of nodes per target, which the operators' rows count."""
    calls = [n for n in program.graph.nodes if n.op == "call_function" and not is_getitem(n)]
    wanted = sorted(collections.Counter(str(n.target) for n in calls).values())
    rows = printed(build, "ops", f"{case}/run.etdp", str(record))
    found = sorted(int(row["nodes"]) for row in rows if row["nodes"] not in ("", "0"))
    return [] if found == wanted else [f"{found} nodes per operator, not {wanted}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    build = parser.parse_args().build
    passed = failed = skipped = 0
    for case in sorted(Path("testdata").glob("*/")):
        record = case / "record-forward.etrecord"
        record = record if record.exists() else case / "record.etrecord"
        # The Inspector accepts no record without a method forward, and none as old as that of "outlier"; etinspect takes
        # nothing from a record of another export.
        if not record.exists() or case.name in ("prefill-decode", "outlier", "control-flow-chains"):
            skipped += 1
            continue
        with redirect_stdout(sys.stderr):
            program = Inspector(etdump_path=str(case / "run.etdp"), etrecord=str(record)).get_exported_program()
        for what, check in (("graph", check_graph), ("ops", check_ops)):
            wrong = check(build, case, record, program)
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
            for line in wrong:
                print(f"FAILED {case.name} {what}: {line}")
    print(f"view_graph: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
