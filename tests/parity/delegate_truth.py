"""What each event that XNNPACK logged stands for, found without etinspect: flatc reads programs and payloads.

    delegate_truth.py DIRECTORY ...     writes DIRECTORY/truth.json of what delegate_export.py made

The operators that the runtime makes of a payload (xnnpack_runtime.py) are put beside the events of every call, one by one: an
event that does not fit by name ends in an error here, not in a wrong truth. Handles lead to nodes of the exporter's own Python
objects (nodes.json), which hold modules and lines.
"""

import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import executorch
import xnnpack_runtime
from places import common_frames, common_modules

WHEEL = Path(list(executorch.__path__)[0])
SCHEMAS = {"program": WHEEL / "schema/program.fbs", "payload": WHEEL / "backends/xnnpack/serialization/schema.fbs"}
NOT_JSON = re.compile(r"(: |^ *)-?(inf|nan)(?=,?$)", re.M)  # numbers that flatc writes, but JSON does not allow
INSERTED = (0, 65535, 0xFFFFFFFF)  # handles of nodes that lowering inserted
# Operators of a graph that XNNPACK lowers to a kind of node; for missing kinds, any operator.
LOWERED = {
    "Add": "add", "AvgPooling2d": "avg_pool2d", "BatchMatrixMultiply": "bmm|matmul|mm", "Clamp": "relu|relu6|hardtanh|clamp",
    "Concatenate2": "cat", "Concatenate3": "cat", "Concatenate4": "cat", "Concatenate5": "cat", "Conv2d": "convolution",
    "ConvTranspose2d": "convolution", "Convert": "quantize_.*|dequantize_.*|choose_qparams", "DepthwiseConv2d": "convolution",
    "Div": "div",
    "ELU": "elu", "Exp": "exp", "FullyConnected": "linear|addmm|mm|convolution", "Gelu": "gelu", "GlobalAvgPooling2d": "mean",
    "Hardswish": "hardswish", "LeakyReLU": "leaky_relu", "Log": "log", "MaxPooling2d": "max_pool2d.*", "Maximum": "maximum",
    "Minimum": "minimum", "Multiply": "mul", "PReLU": "_prelu_kernel|prelu", "ReciprocalSquareRoot": "rsqrt", "Sigmoid": "sigmoid",
    "Softmax": "_softmax", "Square": "mul|pow|square", "StaticReshape": "view_copy|reshape|unsqueeze_copy|squeeze_copy",
    "StaticSlice": "slice_copy",
    "StaticTranspose": "permute_copy|transpose_copy", "Subtract": "sub", "Tanh": "tanh",
}
WRAPPER = re.compile(r"<locals>\.Wrapper$")  # the root of nodes that a quantizer inserted


def as_json(schema, contents):
    """Returns flatc's output for each of `contents`, bytes."""
    with tempfile.TemporaryDirectory() as directory:
        paths = []
        for i, content in enumerate(contents):
            paths.append(Path(directory) / f"{i}.bin")
            paths[-1].write_bytes(content)
        if paths:
            subprocess.run([WHEEL / "data/bin/flatc", "--json", "--strict-json", "--defaults-json", "--raw-binary", "-o", directory,
                            str(SCHEMAS[schema]), "--", *map(str, paths)], check=True, stdout=subprocess.DEVNULL)
        return [json.loads(NOT_JSON.sub(r"\1null", path.with_suffix(".json").read_text())) for path in paths]


def as_binary(schema, document):
    """Returns the bytes of a changed result of as_json()."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "document.json"
        path.write_text(json.dumps(document))
        subprocess.run([WHEEL / "data/bin/flatc", "--binary", "--force-defaults", "-o", directory, str(SCHEMAS[schema]), str(path)],
                       check=True, stdout=subprocess.DEVNULL)
        return next(file for file in Path(directory).iterdir() if file != path).read_bytes()


# ---------------------------------------------------------------- program and payloads


def segment_base(data):
    return struct.unpack_from("<Q", data, 24)[0] if data[8:12] == b"eh00" else 0


def payload_bytes(program, data, delegate):
    """Returns the bytes that a delegate got."""
    processed = delegate["processed"]
    if processed["location"] == "INLINE":
        return bytes(program["backend_delegate_data"][processed["index"]]["data"])
    segment = program["segments"][processed["index"]]
    start = segment_base(data) + segment["offset"]
    return data[start:start + segment["size"]]


def graph_bytes(payload):
    """Returns the FlatBuffer inside an XNNPACK payload."""
    if payload[4:8] == b"XH00":
        start, size = struct.unpack_from("<II", payload, 10)
        return payload[start:start + size]
    return payload


def payloads_of(path):
    """Returns the program, and {method: [payload of each delegate, or None for a backend other than XNNPACK]}."""
    data = path.read_bytes()
    (program,) = as_json("program", [data])
    delegates = [(plan["name"], d) for plan in program["execution_plan"] for d in plan["delegates"]]
    ours = [d for _, d in delegates if d["id"] == "XnnpackBackend"]
    graphs = iter(as_json("payload", [graph_bytes(payload_bytes(program, data, d)) for d in ours]))
    payloads = {plan["name"]: [] for plan in program["execution_plan"]}
    for method, delegate in delegates:
        payloads[method].append(next(graphs) if delegate["id"] == "XnnpackBackend" else None)
    return program, payloads


# ---------------------------------------------------------------- handles, modules, lines


def continues(xnodes, i):
    """Returns whether node i adds inputs to the concatenation before it, which has too many for one node."""
    if i == 0 or not all(xnode["xnode_union_type"].startswith("XNNConcatenate") for xnode in xnodes[i - 1:i + 1]):
        return False
    inputs = (xnodes[i]["xnode_union"].get(f"input{k}_id") for k in range(1, 6))
    return xnodes[i - 1]["xnode_union"]["output_id"] in inputs


BITS = {"fp32": 32, "fp16": 16, "qint8": 8, "quint8": 8, "qint32": 32, "qcint8": 8, "qcint32": 32, "qdint8": 8, "qpint8": 8,
        "int32": 32, "pfp32": 32, "bf16": 16}


def tensor_of(payload, value):
    """Returns bits of the numbers and number of dimensions of a value."""
    for xvalue in payload["xvalues"]:
        tensor = xvalue["xvalue_union"].get("tensor_value", xvalue["xvalue_union"])
        if tensor["id_out"] == value:
            return BITS.get(tensor["datatype"].removeprefix("xnn_datatype_"), 0), tensor["num_dims"]
    return 0, 0


def ends_of(xnode):
    """Returns the ids of the values that a node takes, without filter and bias, and of the one that it gives."""
    names = [name for name in xnode["xnode_union"] if re.fullmatch(r"input\d*_id|query_id|key_id|value_id|mask_id", name)]
    output = xnode["xnode_union"].get("output_id", xnode["xnode_union"].get("output_value_id"))
    return [xnode["xnode_union"][name] for name in sorted(names)], output


def change_of(payload, xnode):
    """Returns "into" if an inserted node prepares a value for its users, "out of" if it takes back what its producer needs."""
    (first, *_), output = ends_of(xnode)
    kind = xnode["xnode_union_type"]
    if kind == "XNNStaticTranspose":
        return {(0, 2, 3, 1): "into", (0, 3, 1, 2): "out of"}.get(tuple(xnode["xnode_union"]["perm"]))
    if kind not in ("XNNConvert", "XNNStaticReshape"):
        return None
    which = 0 if kind == "XNNConvert" else 1
    before, after = tensor_of(payload, first)[which], tensor_of(payload, output)[which]
    more, less = ("out of", "into") if kind == "XNNConvert" else ("into", "out of")
    return None if not before or not after or before == after else more if after > before else less


def is_inserted(payload, i):
    return payload["xnodes"][i]["debug_handle"] in INSERTED


def makers_of(payload, i):
    """Returns the node with a handle that made what node i takes first, through inserted nodes, as a list."""
    before = [j for j in range(i) if ends_of(payload["xnodes"][j])[1] == ends_of(payload["xnodes"][i])[0][0]]
    return [] if not before else makers_of(payload, before[-1]) if is_inserted(payload, before[-1]) else before[-1:]


def readers_of(payload, i):
    """Returns the numbers of the nodes that take the result of node i."""
    output = ends_of(payload["xnodes"][i])[1]
    return [j for j in range(i + 1, len(payload["xnodes"])) if output in ends_of(payload["xnodes"][j])[0]]


def users_of(payload, i):
    """Returns the nodes with handles that use the result of node i, through inserted nodes."""
    found = {k for j in readers_of(payload, i) for k in (users_of(payload, j) if is_inserted(payload, j) else [j])}
    return sorted(found)


def owners_of(payload, i):
    """Returns the numbers of the nodes that node i belongs to, and whether that is certain: itself; for inserted nodes, the
    concatenation that it continues, the users of its result, or the node that produced what it takes."""
    xnode = payload["xnodes"][i]
    if not is_inserted(payload, i):
        return [i], True
    if continues(payload["xnodes"], i):
        return owners_of(payload, i - 1)
    moves = xnode["xnode_union_type"] in ("XNNStaticTranspose", "XNNConvert", "XNNStaticReshape", "XNNCopy")
    change, makers, users = change_of(payload, xnode), makers_of(payload, i), users_of(payload, i)
    is_used = any(not is_inserted(payload, j) for j in readers_of(payload, i))
    is_layout = xnode["xnode_union_type"] == "XNNStaticTranspose"
    is_open = bool(makers and users) and (change is None or is_layout and change == "out of" and is_used)
    first, second = (users, makers) if change == "into" or not moves else (makers, users)
    owners = {payload["xnodes"][j]["debug_handle"]: j for j in reversed(first or second)}
    return sorted(owners.values()), moves and not is_open and len(owners) == 1


def handles_of(payload, i):
    return [payload["xnodes"][j]["debug_handle"] for j in owners_of(payload, i)[0]]


def nodes_by_handle(nodes):
    found = {}
    for node in nodes:
        if node["op"] == "call_function" and "getitem" not in node["target"]:
            found.setdefault(node["debug_handle"], []).append(node)
    return found


def target_of(node):
    """Returns a name like aten.relu.default."""
    match = re.match(r"<EdgeOpOverload: (.*?)>", node["target"])
    return match[1] if match else node["target"]


def fitting(kind, nodes):
    """Returns the operators that a node of this kind may have been; empty if none fits, as for inserted nodes."""
    found = {target_of(n) for n in nodes}
    return sorted(t for t in found if re.fullmatch(LOWERED.get(kind, "(?!)"), t.split(".")[1] if "." in t else t))


def is_wrapped(node):
    return len(node["modules"]) < 2 and all(WRAPPER.search(kind) for _, kind in node["modules"])


def place_of(nodes):
    """Returns the module and line that all nodes share; nodes inserted by a quantizer count only if there are no others."""
    nodes = [n for n in nodes if not is_wrapped(n)] or nodes
    modules = common_modules([dict(enumerate(map(tuple, n["modules"]))) for n in nodes])
    frames = common_frames([n["stack_trace"] for n in nodes])
    source = None if frames is None else ":".join(frames[-1]) if frames else "(several lines)"
    return {"module": modules[-1][0] if modules else None, "source": source}


def served_places(nodes, by_name):
    """Returns modules and lines of the operators before and after nodes that a quantizer inserted, and those that all
    share."""
    served, seen = [], set()
    work = list(nodes)
    while work:
        node = work.pop()
        if node["name"] in seen:
            continue
        seen.add(node["name"])
        if node["op"] != "call_function":
            continue
        if not is_wrapped(node):
            served.append(node)
            continue
        work += [by_name[name] for name in node["inputs"]] + [n for n in by_name.values() if node["name"] in n["inputs"]]
    return [place_of([node]) for node in served] + ([place_of(served)] if served else [])


# ---------------------------------------------------------------- events


def calls_of(run):
    """Returns (chain, instruction, [(name, ticks) of its events]) of each call of a delegate in a run of the ETDump."""
    logged = {}
    for event in (e.profile_event for e in run.events if e.profile_event):
        key = (event.chain_index, event.instruction_id)
        if event.delegate_debug_id_str:
            logged.setdefault(key, []).append((event.delegate_debug_id_str, event.end_time - event.start_time))
        elif event.name == "DELEGATE_CALL":
            yield *key, logged.pop(key, [])


def kernels_of(run):
    """Returns (instruction, name) of the kernels that a run called."""
    events = (e.profile_event for e in run.events if e.profile_event)
    return {(e.instruction_id, e.name) for e in events if (e.name or "").startswith("native_call_")}


class Method:
    """The expected attribution of a call's events."""

    def __init__(self, plan, payloads, before):
        self.plan, self.payloads = plan, payloads
        self.nodes = nodes_by_handle(before)
        self.by_name = {n["name"]: n for n in before}
        self.operators = [xnnpack_runtime.operators(p) if p else None for p in payloads]
        self.events, self.kernels = {}, set()

    def delegate_of(self, chain, instruction):
        return self.plan["chains"][chain]["instructions"][instruction]["instr_args"]["delegate_index"]

    def add(self, chain, instruction, logged):
        delegate = self.delegate_of(chain, instruction)
        operators, payload = self.operators[delegate], self.payloads[delegate]
        if operators is None:
            return
        names = [name for name, _ in logged]
        if len(names) != len(operators) or not all(o.fits(name) for o, name in zip(operators, names)):
            raise ValueError(f"instruction {instruction}: {[o.kind for o in operators]} are not {names}")
        kinds = [xnnpack_runtime.kind_of(xnode) for xnode in payload["xnodes"]]
        is_exact = len(kinds) == len(names) and all(xnnpack_runtime.fits(k, name) for k, name in zip(kinds, names))
        if is_exact and [o.nodes[0] for o in operators] != list(range(len(kinds))):
            raise ValueError(f"instruction {instruction}: one to one by kind, and yet not in truth")
        for operator, (name, ticks) in zip(operators, logged):
            key = (chain, instruction, name)
            if key not in self.events:
                self.events[key] = self.event(key, operator, payload, "exact" if is_exact else "aligned", delegate)
            self.events[key]["ticks"] += ticks
            self.events[key]["calls"] += 1

    def served(self, kind, nodes):
        """Returns places of operators that nodes inserted by a quantizer serve; they are alone in their handle, or convert."""
        inserted = [n for n in nodes if is_wrapped(n)]
        if inserted and len(inserted) == len(nodes):
            return served_places(nodes, self.by_name)
        return [place_of(nodes), *(place_of([n]) for n in inserted)] if kind == "Convert" and inserted else None

    def event(self, key, operator, payload, attribution, delegate):
        owners, is_sure = owners_of(payload, operator.nodes[0])
        own = handles_of(payload, operator.nodes[0])
        handles = own + [h for i in operator.nodes[1:] for h in handles_of(payload, i)] or [None]
        nodes = [n for h in own for n in self.nodes.get(h, [])]
        kind = xnnpack_runtime.kind_of(payload["xnodes"][owners[0] if owners else operator.nodes[0]])
        together = [n for h in dict.fromkeys(handles) for n in self.nodes.get(h, [])]
        return {
            "chain": key[0], "instruction": key[1], "name": key[2], "delegate": delegate, "kind": operator.kind,
            "nodes": operator.nodes, "handle": handles[0], "handles": sorted(set(filter(None, handles))),
            "attribution": attribution if is_sure or not owners else "inferred", "calls": 0, "ticks": 0,
            "n_nodes": len(nodes), "operators": sorted({target_of(n) for n in nodes}), "fitting": fitting(kind, nodes),
            "all_operators": sorted({target_of(n) for n in together}),
            **place_of(nodes), "together": place_of(together),
            "served": self.served(kind, nodes),
        }


def truth_of(directory):
    from executorch.devtools.etdump.serialize import deserialize_from_etdump_flatcc

    nodes = json.loads((directory / "nodes.json").read_text())
    program, payloads = payloads_of(directory / "model.pte")
    methods = {plan["name"]: Method(plan, payloads[plan["name"]], nodes["before"].get(plan["name"], []))
               for plan in program["execution_plan"]}
    dump = deserialize_from_etdump_flatcc((directory / "run.etdp").read_bytes())
    runs = [run for run in dump.run_data if run.name == "Execute"]
    for i, run in enumerate(runs):
        method = methods[nodes["run"][i % len(nodes["run"])]]
        method.kernels |= kernels_of(run)
        for chain, instruction, logged in calls_of(run):
            method.add(chain, instruction, logged)
    return {"run": nodes["run"], "runs": len(runs),
            "methods": {name: {"events": list(method.events.values()), "kernels": sorted(method.kernels),
                               "delegates": [p and [[xnnpack_runtime.kind_of(n), n["debug_handle"]] for n in p["xnodes"]]
                                             for p in method.payloads]}
                        for name, method in methods.items()}}


def main():
    for directory in map(Path, sys.argv[1:]):
        truth = truth_of(directory)
        (directory / "truth.json").write_text(json.dumps(truth, indent=1))
        events = [e for m in truth["methods"].values() for e in m["events"]]
        print(f"{directory.name}: {len(events)} events, {sum(e['attribution'] == 'exact' for e in events)} exact")


if __name__ == "__main__":
    main()
