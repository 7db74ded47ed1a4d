"""Checks `graph` and `ops` for a record made after lowering, whose operators are in lowered modules.

The nodes of each module follow their call, in torch's order. Times and calls of operators are the same as with the record
made before lowering and the program, except for operators with a node whose debug handle another node shares, which may
belong to another operator or not be delegated: only the record made after lowering shows which of these ran where. An operator
without a node, which `to_executorch` adds, such as aten.copy_, is named by the program only: without it, it has the name of
its kernel.
"""

import json
import re
import subprocess
from collections import defaultdict
from pathlib import Path

SAME = ("p50", "share", "total", "events", "calls", "nodes", "delegated", "executed", "kernels")
CALL = "executorch_call_delegate"


def ask(build, directory, view, method, files):
    command = [str(Path(build).resolve() / "etinspect"), view, "run.etdp", *files, "--method", method, "--columns", "all", "-f", "json"]
    command += ["--all"] if view == "graph" else []
    done = subprocess.run(command, cwd=directory, capture_output=True, encoding="utf-8")
    if done.returncode:
        return None, [f"{view} {' '.join(files)}: exit {done.returncode}: {done.stderr.strip()}"]
    return json.loads(done.stdout)["tables"]["nodes" if view == "graph" else "ops"], []


def op_of(node):
    target = node["target"]
    return target.split(": ")[1].split(">")[0] if target.startswith("<EdgeOpOverload: ") else target


def operators(nodes):
    return [node for node in nodes if node["op"] == "call_function" and "getitem" not in node["target"] and "alloc" not in node["target"]]


def stem(name):
    """Without the call, and without the number that torch adds: operators of several results have it anew in each module."""
    return re.sub(r"_\d+$", "", name.split("/")[-1])


def check_graph(rows, calls):
    """Returns each call, with the nodes after it."""
    found, wrong = [], []
    for row in rows:
        if row["op"] == CALL:
            found.append((row, []))
        elif row["delegate_call"] is not None:
            if not found or row["delegate_call"] != found[-1][0]["node"]:
                wrong.append(f"{row['node']} is not behind its call {row['delegate_call']}")
            else:
                found[-1][1].append(row)
    if len(found) != len(calls):
        return wrong + [f"{len(found)} calls, not {len(calls)}"]
    for (row, inside), call in zip(found, calls):
        expected = operators(call["nodes"])
        if [stem(r["node"]) for r in inside] != [stem(node["name"]) for node in expected]:
            wrong.append(f"nodes of {row['node']} are {[r['node'] for r in inside]}, not {[node['name'] for node in expected]}")
            continue
        for r, node in zip(inside, expected):
            module = next((path or kind for path, kind in reversed(node["modules"])), None)
            said = (r["op"], r["debug_handle"], r["backend"])
            if said != (op_of(node), node["debug_handle"], call["backend"]):
                wrong.append(f"{r['node']}: {said}")
            if r["module"] is not None and module is not None and ".Wrapper" not in module and r["module"] != module:
                wrong.append(f"{r['node']}: in {r['module']}, not {module}")
    names = [row["node"] for row in rows if "(" not in row["node"]]
    return wrong + [f"{len(names) - len(set(names))} nodes share names"] * (len(names) != len(set(names)))


def open_operators(before, after, calls):
    """Returns the operators with a node whose handle another node shares."""
    fates = defaultdict(set)
    kernels = [node for node in operators(after) if not node["is_call"]]
    for node in operators(before):
        fates[node["debug_handle"]].add((op_of(node), None))
    for is_delegated, nodes in ((False, kernels), *((True, operators(call["nodes"])) for call in calls)):
        for node in nodes:
            fates[node["debug_handle"]].add((op_of(node), is_delegated))
    found = set()
    for fate in fates.values():
        if len({op for op, _ in fate}) > 1 or {True, False} <= {is_delegated for _, is_delegated in fate}:
            found |= {op for op, _ in fate}
    return found


def without_program(rows, known):
    """Returns rows by operator, those of operators without a node by the name that their kernel logs."""
    renamed = {}
    for row in rows:
        is_added = row["op"].startswith("aten.") and row["op"] not in known
        renamed[f"native_call_{row['op'].split('.')[1]}" if is_added else row["op"]] = row
    return renamed


def check(build, directory, totals):
    nodes = json.loads((directory / "nodes.json").read_text())
    wrong = []
    for method, after in nodes["after"].items():
        calls = [call for call in nodes["calls"][method] if call["graph"] == ""]
        top = [node for node in after if node["graph"] == ""]
        if not calls or len(calls) != len(nodes["calls"][method]):
            continue  # nodes of branches and loops are in no displayed graph
        rows, said = ask(build, directory, "graph", method, ["lowered.etrecord"])
        wrong += said or check_graph(rows, calls)
        leave_out = open_operators(nodes["before"][method], top, calls)
        expected, said = ask(build, directory, "ops", method, ["model.etrecord", "model.pte"])
        wrong += said
        for files in (["lowered.etrecord"], ["lowered.etrecord", "model.pte"]):
            rows, said = ask(build, directory, "ops", method, files)
            wrong += said
            if said or expected is None:
                continue
            old, new = ({row["op"]: row for row in table} for table in (expected, rows))
            if "model.pte" not in files:
                old = without_program(expected, {op_of(node) for node in operators(nodes["before"][method])})
            for op in sorted((set(old) | set(new)) - leave_out):
                totals["operators"] += 1
                for column in SAME:
                    values = tuple(table.get(op, {}).get(column, "no row") for table in (old, new))
                    if values[0] != values[1]:
                        wrong.append(f"ops {' '.join(files)}, {method}: {op}: {column} {values[1]}, before lowering {values[0]}")
            totals["left out"] += len((set(old) | set(new)) & leave_out)
    return wrong
