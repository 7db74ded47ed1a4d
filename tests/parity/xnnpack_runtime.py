"""Computes the operators that XNNPACK's runtime runs and logs for a payload's nodes, in order.

Follows xnn_subgraph_optimize, as far as exported graphs use it: limits of binary nodes become clamps, clamps are merged
into nodes that can clamp, 8-bit chains of unary nodes become one table look-up, conversions are merged into dynamically
quantised products, reshapes of reshapes and transposed right sides are removed. `operators` is right if its kinds equal the
logged names, one by one.
"""

import dataclasses
import re

INVALID = 0xFFFFFFFF
EXTERNAL_OUTPUT = 2

UNARY = ("Abs", "Ceiling", "Clamp", "Convert", "Cos", "ELU", "Exp", "Floor", "Gelu", "Hardswish", "LeakyReLU", "Log", "Negate",
         "ReciprocalSquareRoot", "Sigmoid", "Sin", "Square", "SquareRoot", "Tanh")
BINARY = ("Add", "Div", "Maximum", "Minimum", "Multiply", "PReLU", "Subtract")
CLAMPING = ("Clamp", "AvgPooling2d", "Conv2d", "ConvTranspose2d", "DepthwiseConv2d", "FullyConnected", "MaxPooling2d")

# Beginning of a logged name, for each kind of operator.
NAMES = {
    "Abs": "Abs", "Add": "Add", "ArgMaxPooling2d": "ArgMax Pooling", "AvgPooling2d": "Average Pooling",
    "BatchMatrixMultiply": "Batch Matrix Multiply", "Ceiling": "Ceiling", "Clamp": "Clamp", "Concatenate2": "Copy",
    "Concatenate3": "Copy", "Concatenate4": "Copy", "Concatenate5": "Copy", "Conv2d": "Convolution|Fully Connected",
    "ConvTranspose2d": "Deconvolution", "Convert": "Convert", "Copy": "Copy", "Cos": "Cosine", "DepthwiseConv2d": "Convolution",
    "Div": "Divide", "ELU": "ELU", "Exp": "Exp", "Floor": "Floor", "FullyConnected": "Fully Connected", "Gelu": "GELU",
    "GlobalAvgPooling2d": "Mean", "Hardswish": "HardSwish", "LeakyReLU": "LeakyReLU", "Log": "Log", "LookUp": "Invalid Unary Op",
    "MaxPooling2d": "Max Pooling", "Maximum": "Maximum", "Minimum": "Minimum", "Multiply": "Multiply|Square", "Negate": "Negate",
    "PReLU": "PReLU", "ReciprocalSquareRoot": "Reciprocal Square Root", "Sigmoid": "Sigmoid", "Sin": "Sine", "Softmax": "Softmax",
    "Square": "Square", "SquareRoot": "Square Root", "StaticConstantPad": "Constant Pad", "StaticReshape": "Static Reshape",
    "StaticResizeBilinear2D": "Resize Bilinear", "StaticSlice": "Slice", "StaticTranspose": "Transpose", "Subtract": "Subtract",
    "Tanh": "TanH",
}


def fits(kind, logged):
    """Returns whether a logged name, "Mean (ND) Reduce2 #1", is that of an operator of this kind."""
    return re.match(rf"({NAMES[kind]})( \(|$)", re.sub(r" #\d+$", "", logged)) is not None


@dataclasses.dataclass
class Operator:
    """An operator of the runtime: the payload's nodes whose work it does, starting with the one that names it."""

    kind: str
    nodes: list
    inputs: list
    outputs: list
    fields: dict
    limits: tuple = None

    def fits(self, logged):
        return fits(self.kind, logged)


def inputs_of(kind, fields):
    names = [name for name in fields if re.fullmatch(r"(input\d?|filter|bias|query|key|value|scale|mask)_id", name)]
    if kind.startswith("Concatenate"):
        names = [f"input{i}_id" for i in range(1, int(kind[-1]) + 1)]
    return [fields[name] for name in names if fields[name] != INVALID]


def kind_of(xnode):
    return xnode["xnode_union_type"].removeprefix("XNN")


def limits_of(xnode):
    """Returns (low, high), None if there is none; flatc writes infinities, which as_json makes null."""
    limits = xnode.get("output_min_max")
    return (limits.get("output_min"), limits.get("output_max")) if limits else None


class Graph:
    def __init__(self, payload):
        self.values = {}
        for value in payload["xvalues"]:
            tensor = value["xvalue_union"].get("tensor_value", value["xvalue_union"])
            self.values[tensor["id_out"]] = tensor
        self.operators = []
        for i, xnode in enumerate(payload["xnodes"]):
            self.add(i, kind_of(xnode), xnode["xnode_union"], limits_of(xnode))

    def add(self, i, kind, fields, limits):
        outputs = [fields[name] for name in fields if re.fullmatch(r"output(_value|_index)?_id", name)]
        operator = Operator(kind, [i], inputs_of(kind, fields), outputs, fields, limits)
        self.operators.append(operator)
        if kind in BINARY and limits and limits != (None, None):
            inner = ("inner", i)
            self.values[inner] = dict(self.values[outputs[0]], flags=0)
            operator.outputs = [inner]
            self.operators.append(Operator("Clamp", [i], [inner], outputs, fields, limits))

    def is_output(self, value):
        return bool(self.values[value]["flags"] & EXTERNAL_OUTPUT)

    def consumers(self, value):
        return [o for o in self.operators if value in o.inputs]

    def producer(self, value):
        return next((o for o in self.operators if value in o.outputs), None)

    def only_consumer(self, value):
        found = self.consumers(value)
        return found[0] if len(found) == 1 and not self.is_output(value) else None

    def is_constant(self, value):
        return self.values[value]["constant_buffer_idx"] != 0

    def is_scalar_constant(self, value):
        elements = 1
        for size in self.values[value]["dims"] or []:
            elements *= size
        return self.is_constant(value) and elements == 1

    def is_8_bit(self, value):
        return self.values[value]["datatype"] in ("xnn_datatype_qint8", "xnn_datatype_quint8")

    def absorb(self, kept, gone):
        kept.nodes += [n for n in gone.nodes if n not in kept.nodes]
        self.operators.remove(gone)


# ---------------------------------------------------------------- the rules, in the runtime's order


def fuse_pads_and_copies(graph):
    for operator in list(graph.operators):
        after = graph.only_consumer(operator.outputs[0])
        if operator.kind == "StaticConstantPad" and after and after.kind in ("Conv2d", "DepthwiseConv2d"):
            before, behind = operator.fields["pre_paddings"], operator.fields["post_paddings"]
            if operator.fields["padding_value"] == 0 and len(before) == 4 and not any((before[0], behind[0], before[3], behind[3])):
                after.inputs[0] = operator.inputs[0]
                graph.absorb(after, operator)
        elif after and after.kind == "Copy":
            operator.outputs = [after.outputs[0]]
            graph.absorb(operator, after)
        elif operator.kind == "Copy" and after:
            after.inputs = [operator.inputs[0] if v == operator.outputs[0] else v for v in after.inputs]
            graph.absorb(after, operator)


def unary_input(graph, operator, chain=()):
    """Returns the only input that is not a constant of one element, or any if all come from `chain`, where elements are
    processed separately."""
    if operator.kind in UNARY:
        return operator.inputs[0]
    if operator.kind in BINARY:
        variable = [v for v in operator.inputs if not graph.is_scalar_constant(v)]
        values = {v for o in chain for v in o.inputs + o.outputs}
        return variable[0] if len(variable) == 1 or values.issuperset(operator.inputs) else None
    return None


def fuse_into_look_ups(graph):
    for operator in list(graph.operators):
        start = unary_input(graph, operator) if operator in graph.operators else None
        if start is None or not graph.is_8_bit(start):
            continue
        chain = [operator]
        while len(chain) < 10:
            after = graph.only_consumer(chain[-1].outputs[0])
            if after is None or unary_input(graph, after, chain) is None:
                break
            chain.append(after)
        while len(chain) > 1 and not graph.is_8_bit(chain[-1].outputs[0]):
            chain.pop()
        if len(chain) > 1:
            last = chain[-1]
            working = [o for o in chain if o.kind != "Convert"] or chain
            rest = [o for o in chain if o not in working]
            last.kind, last.inputs = "LookUp", [start]
            last.nodes = list(dict.fromkeys(n for o in working + rest for n in o.nodes))
            for gone in chain[:-1]:
                graph.operators.remove(gone)


def simplify(graph, operator):
    """Returns whether anything changed."""
    before = graph.producer(operator.inputs[0])
    is_alone = before is not None and graph.only_consumer(operator.inputs[0]) is operator
    if operator.kind == "Multiply" and operator.inputs[0] == operator.inputs[1]:
        operator.kind, operator.inputs = "Square", operator.inputs[:1]
    elif operator.kind in ("Maximum", "Minimum") and any(map(graph.is_scalar_constant, operator.inputs)):
        operator.kind, operator.inputs = "Clamp", [unary_input(graph, operator)]
    elif operator.kind == "Clamp" and is_alone and before.kind in CLAMPING:
        before.outputs = operator.outputs
        graph.absorb(before, operator)
    elif operator.kind == "StaticReshape" and 0 not in operator.fields["new_shape"] and is_alone and before.kind == "StaticReshape":
        operator.inputs = before.inputs
        graph.absorb(operator, before)
    else:
        return False
    return True


def drop_transposed_right_side(graph, operator):
    if operator.kind not in ("FullyConnected", "BatchMatrixMultiply"):
        return
    right = operator.inputs[1]
    before = graph.producer(right)
    if before is None or before.kind != "StaticTranspose" or graph.only_consumer(right) is not operator:
        return
    order = before.fields["perm"]
    if order == [*range(len(order) - 2), len(order) - 1, len(order) - 2]:
        operator.inputs[1] = before.inputs[0]
        graph.absorb(operator, before)


def pack_left_sides(graph):
    for operator in graph.operators[:]:
        if operator.kind not in ("FullyConnected", "BatchMatrixMultiply"):
            continue
        left = operator.inputs[0]
        before = graph.producer(left)
        if graph.values[left]["datatype"] == "xnn_datatype_qdint8" and before is not None and before.kind == "Convert":
            operator.inputs[0] = before.inputs[0]
            operator.nodes += before.nodes
            if not graph.consumers(left):
                graph.operators.remove(before)


def operators(payload):
    """Returns the Operators of a payload that flatc read."""
    graph = Graph(payload)
    fuse_pads_and_copies(graph)
    fuse_into_look_ups(graph)
    while any(simplify(graph, operator) for operator in graph.operators[:] if operator in graph.operators):
        pass
    for operator in graph.operators[:]:
        drop_transposed_right_side(graph, operator)
    pack_left_sides(graph)
    return graph.operators
