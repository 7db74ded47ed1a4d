"""Random ETDumps, one function per family of rules, built with the Inspector's own schema classes.

Each function takes a random.Random and returns a Dump; the same seed gives the same bytes.
"""

import dataclasses
import random
import struct

from executorch.devtools.etdump import schema_flatcc as schema
from executorch.devtools.etdump.serialize import serialize_to_etdump_flatcc
from executorch.exir.scalar_type import ScalarType

import nasty_text

U32 = 2**32
U64 = 2**64
BUFFER_SIZE = 2048


@dataclasses.dataclass
class Dump:
    runs: list
    buffer: bytes = None  # the debug buffer
    options: list = dataclasses.field(default_factory=list)
    wants_record: bool = False
    expected: str = None  # see cases.py
    container: str = "prefixed"  # one of CONTAINERS

    def to_bytes(self):
        body = serialize_to_etdump_flatcc(schema.ETDumpFlatCC(0, self.runs))
        return CONTAINERS[self.container](struct.pack("<I", len(body)), body)


# Changes of the size and the buffer. Truncated or damaged buffers are not included: the Inspector does not verify them.
CONTAINERS = {
    "prefixed": lambda size, body: size + body,
    "wrong size": lambda size, body: bytes(4) + body,
    "bytes behind": lambda size, body: size + body + b"ED00" * 5,
    "unprefixed": lambda size, body: body,
    "empty": lambda size, body: b"",
    "short": lambda size, body: (size + body)[:11],
    "other identifier": lambda size, body: size + body[:4] + b"ET12" + body[8:],
}


# ---------------------------------------------------------------- single events


@dataclasses.dataclass
class Instruction:
    """An item of each run: timed, logged for debugging, or both."""

    name: str = ""
    instruction_id: int = -1
    chain_index: int = 0
    int_id: int = -1
    string_id: str = None
    metadata: list = None  # one of these bytes per run, at random
    values: list = dataclasses.field(default_factory=list)  # debug values
    debug_name: str = None
    timed: bool = True

    def events(self, rng, clock):
        events = []
        if self.timed:
            start, end = clock(rng)
            metadata = rng.choice(self.metadata) if self.metadata else None
            events.append(schema.Event(schema.ProfileEvent(
                self.name, self.chain_index, self.instruction_id, self.int_id, self.string_id, metadata, start, end),
                None, None))
        for value in self.values:
            events.append(debug_event(value, self.debug_name, self.instruction_id, max(self.chain_index, 0), self.int_id,
                                      self.string_id))
        return events


def debug_event(value, name=None, instruction_id=-1, chain_index=0, int_id=-1, string_id=None):
    return schema.Event(None, None, schema.DebugEvent(name, chain_index, instruction_id, int_id, string_id, value))


def run(rng, name, instructions, clock, index=-1):
    events = [event for instruction in instructions for event in instruction.events(rng, clock)]
    return schema.RunData(name, index, None, events)


# ---------------------------------------------------------------- clocks: (start, end) of one sample


def typical(rng):
    start = rng.randint(10**9, 10**13)
    return start, start + int(rng.lognormvariate(9, 3))


def tiny(rng):
    start = rng.randint(0, 3)
    return start, start + rng.randint(0, 5)


def huge(rng):
    start = rng.choice((rng.randint(2**53, U64 - 1), U64 - 1 - rng.randint(0, 5000)))
    return start, rng.choice((rng.randint(start, U64 - 1), min(start + rng.randint(0, 100), U64 - 1)))


def wrapping(rng):
    """Beyond the end of 32 bits; the Inspector's difference is one tick short."""
    start, end = U32 - 1 - rng.choice((0, 1, rng.randint(0, 10**6))), rng.choice((0, 1, rng.randint(0, 10**6)))
    return start, end


def seconds(rng):
    start = rng.randint(0, 10**4)
    return start, start + rng.randint(0, 9)


def broken(rng):
    """Backwards, and too large to have wrapped."""
    start = rng.choice((U32, U32 + rng.randint(1, 10**9), U64 - 1))
    return start, rng.randint(0, start - 1)


CLOCKS = (typical, typical, tiny, huge, wrapping, seconds)


def mixed(rng):
    return rng.choice(CLOCKS)(rng)


# ---------------------------------------------------------------- debug values


NO_VALUE = dict(tensor=None, tensor_list=None, int_value=None, float_value=None, double_value=None, bool_value=None,
                output=None)
WIDTHS = {ScalarType.BYTE: 1, ScalarType.CHAR: 1, ScalarType.BOOL: 1, ScalarType.SHORT: 2, ScalarType.UINT16: 2,
          ScalarType.BITS16: 2, ScalarType.HALF: 2, ScalarType.INT: 4, ScalarType.FLOAT: 4, ScalarType.LONG: 8,
          ScalarType.DOUBLE: 8}


def value(kind, output=None, **members):
    if output is not None:
        members["output"] = schema.Bool(output)
    return schema.Value(val=kind, **{**NO_VALUE, **members})


def tensor(rng, scalar_type=None):
    scalar_type = scalar_type or rng.choice([*WIDTHS])
    sizes = [rng.choice((0, 1, 1, 2, 3, 4)) for _ in range(rng.randint(0, 4))]
    count = 1
    for size in sizes:
        count *= size
    room = BUFFER_SIZE - count * WIDTHS[scalar_type]
    offset = rng.randint(0, room)
    if rng.random() < 0.1:
        offset -= BUFFER_SIZE  # counted from the end
        if offset + count * WIDTHS[scalar_type] >= 0:
            offset += BUFFER_SIZE
    return schema.Tensor(scalar_type, sizes, [rng.randint(0, 4) for _ in sizes], offset)


def float_value(rng):
    """Exact values: the Inspector gets them rounded to 6 decimals, doubles to 12."""
    return struct.unpack("<f", struct.pack("<f", rng.choice((0.0, -0.0, 1.5, rng.gauss(0, 1), rng.gauss(0, 1e-6),
                                                             rng.gauss(0, 1e12), 3.4e38))))[0]


def debug_value(rng, output=None):
    kind = rng.choice(("Int", "Bool", "Float", "Double", "Tensor", "Tensor", "Tensor", "TensorList", "Null", "String"))
    if kind == "Int":
        return value(kind, output, int_value=schema.Int(rng.choice((0, 1, -1, 2**63 - 1, -(2**63), rng.randint(-99, 99)))))
    if kind == "Bool":
        return value(kind, output, bool_value=schema.Bool(rng.random() < 0.5))
    if kind == "Float":
        return value(kind, output, float_value=schema.Float(float_value(rng)))
    if kind == "Double":
        return value(kind, output, double_value=schema.Double(rng.choice((1 / 3, 1e-20, 1e300, 1.23456789e-7, rng.gauss(0, 1)))))
    if kind == "Tensor":
        return value(kind, output, tensor=tensor(rng))
    if kind == "TensorList":
        return value(kind, output, tensor_list=schema.TensorList([tensor(rng) for _ in range(rng.randint(0, 3))]))
    return value(kind, output)


# Bytes that cannot make a half, a float or a double infinite or NaN, wherever it starts.
FINITE_BYTES = bytes(byte for byte in range(256) if byte & 0x7C != 0x7C)


def debug_buffer(rng):
    return bytes(rng.choices(FINITE_BYTES, k=BUFFER_SIZE))


# ---------------------------------------------------------------- families


EVERY_SCALE = ("ns", "us", "ms", "s", "cycles")


def scale_options(rng):
    """Compatible scales: four fifths of all pairs would fail."""
    if rng.random() < 0.5:
        return []
    pairs = [(s, t) for s in ("ns", "us", "ms", "s") for t in ("ns", "us", "ms", "s")] + [("cycles", "cycles")]
    source, target = rng.choice(pairs)
    return ["--source_time_scale", source, "--target_time_scale", target]


def delegate_scale_options(rng, options):
    """Any scale, but cycles only with cycles: etinspect rejects other pairs, whose ratio is undefined."""
    target = options[-1] if options else "ms"
    return ["--delegate_time_scale", "cycles" if target == "cycles" else rng.choice(EVERY_SCALE)]


def names(rng):
    """Text of every kind in the names of blocks, events and string identifiers."""
    flavour = rng.choice(("ordinary", "nasty", "nasty", "mixed", "mixed"))
    runs = []
    for _ in range(rng.randint(1, 4)):
        instructions = []
        for i in range(rng.randint(1, 6)):
            name = nasty_text.name(rng, flavour)
            delegated = rng.random() < 0.3
            instructions.append(Instruction(None if rng.random() < 0.05 else "" if delegated else name, rng.choice((-1, i, 0)),
                                            string_id=name if delegated else None))
        runs.append(run(rng, nasty_text.name(rng, flavour), instructions, typical))
    return Dump(runs, options=scale_options(rng))


def numeric_columns(rng):
    """Tables in which whole text columns look like numbers or truth values."""
    event_flavour, block_flavour = rng.choice(("numeric", "numeric", "truth", "mixed")), rng.choice(("numeric", "truth", "ordinary"))
    pool = [nasty_text.name(rng, event_flavour) for _ in range(rng.randint(1, 4))]
    runs = []
    for _ in range(rng.randint(1, 3)):
        instructions = []
        for i in range(rng.randint(1, 5)):
            if rng.random() < 0.4:
                instructions.append(Instruction("", i, int_id=rng.choice((0, 3, 12, 2**31 - 1, -2))))
            else:
                instructions.append(Instruction(rng.choice(pool), i))
        runs.append(run(rng, nasty_text.name(rng, block_flavour), instructions, mixed))
    return Dump(runs, options=scale_options(rng))


def statistics(rng):
    """1 to 300 samples of every size."""
    clock = rng.choice((typical, tiny, huge, wrapping, mixed))
    instructions = [Instruction(f"op{i}", i, int_id=rng.choice((-1, -1, i))) for i in range(rng.randint(1, 4))]
    count = rng.choice((1, 2, 3, 7, 8, 9, 10, 11, 127, 128, 129, 136, 257, rng.randint(1, 300), rng.randint(1, 40)))
    return Dump([run(rng, "Execute", instructions, clock) for _ in range(count)], options=scale_options(rng))


METADATA = (b"", b"x", b"cycles=12", b"it's", b'"', b"'\"", b"\x00\x01\xff", "é漢😀".encode(), b"\xe6\xbc", b"\xf0\x9f\x98", b"\\\n\t\r",
            bytes(range(256)), b"12", b"True", b"\x1b", b"\xc3(", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf")


def delegates(rng):
    """Both kinds of identifier, metadata in every form, delegates' own time scales."""
    runs, metadata = [], rng.sample(METADATA, rng.randint(1, 4))
    for block in range(rng.randint(1, 3)):
        instructions = []
        for i in range(rng.randint(1, 6)):
            instructions.append(Instruction(
                rng.choice((None, "", "named", "OPERATOR_CALL")), rng.randint(-1, 3), int_id=rng.choice((-1, -1, 0, i, 13, -7)),
                string_id=rng.choice((None, None, "", "13", "conv_13", nasty_text.nasty(rng))),
                metadata=metadata if rng.random() < 0.7 else None))
        runs += [run(rng, f"block{block}", instructions, mixed) for _ in range(rng.randint(1, 4))]
    options = scale_options(rng)
    if rng.random() < 0.6:
        options += delegate_scale_options(rng, options)
    if rng.random() < 0.7:
        options.append("--include_delegate_debug_data")
        options += rng.choice(([], ["--delegate_metadata", "utf8"], ["--delegate_metadata", "hex"]))
    return Dump(runs, options=options, wants_record=rng.random() < 0.3)


def association(rng):
    """Instruction ids and delegate identifiers that may be in a record's maps (random_record.py)."""
    identifiers = ["1", "13", "3", "conv_13", "conv", "conv_1", "fused 1,3", "", "113"]
    runs = []
    for block in range(rng.randint(1, 3)):
        instructions = []
        for _ in range(rng.randint(1, 8)):
            delegated = rng.random() < 0.5
            instructions.append(Instruction(
                rng.choice(("relu.out", "DELEGATE_CALL", "OPERATOR_CALL", "Method::init", "Method::execute",
                            "Program::load_method", "DELEGATE_CALL ", "")),
                rng.choice((-1, 0, 1, 2, 3, 4, 5, 12)), int_id=rng.choice((-1, 1, 13, 3, 0)) if delegated else -1,
                string_id=rng.choice(identifiers) if delegated else None,
                values=[value("Int", int_value=schema.Int(1))] if rng.random() < 0.1 else [],
                metadata=[b"m"] if rng.random() < 0.1 else None))
        case = rng.choice((-1, -1, 0, 0, 1, 2))  # of the bundled inputs
        runs += [run(rng, f"block{block}", instructions, typical, case) for _ in range(rng.randint(1, 3))]
    return Dump(runs, options=scale_options(rng), wants_record=True)


def debug_data(rng):
    """Values of every kind, with events and alone, run outputs, with and without the debug buffer."""
    runs = []
    for block in range(rng.randint(1, 3)):
        instructions = []
        for i in range(rng.randint(1, 4)):
            instructions.append(Instruction(
                rng.choice(("op", "other", "")), rng.randint(-2, 2), rng.choice((0, 0, 1)), int_id=rng.choice((-1, -1, 4)),
                string_id=rng.choice((None, None, "", "id")), values=[debug_value(rng) for _ in range(rng.randint(0, 3))],
                debug_name=rng.choice((None, "", "logged", "op")), timed=rng.random() < 0.7))
        outputs = [debug_value(rng, True) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.1 and outputs:
            outputs[0].output = schema.Bool(False)
        # A list of tensors in the outputs of two merged runs is a RuntimeError in the Inspector: see outcomes.py.
        repeats = 1 if any(output.val == "TensorList" for output in outputs) and rng.random() < 0.8 else rng.randint(1, 3)
        for _ in range(repeats):
            made = run(rng, f"block{block}", instructions, typical)
            made.events += [debug_event(output, instruction_id=rng.choice((-1, 0, 7))) for output in outputs]
            runs.append(made)
    buffer = debug_buffer(rng) if rng.random() < 0.7 else None
    return Dump(runs, buffer, scale_options(rng))


def merging(rng):
    """Equality of events, and of runs."""
    def instruction():
        return Instruction(
            rng.choice(("a", "b", "", None)), rng.choice((-1, 0, 1)), rng.choice((0, 0, 1, -1)), int_id=rng.choice((-1, -1, -1, 0)),
            string_id=rng.choice((None, None, "", "a")), values=[value("Bool", bool_value=schema.Bool(True))] * rng.choice((0, 0, 0, 1, 2)),
            debug_name=rng.choice((None, "", "d")), timed=rng.random() < 0.85)

    pool = [instruction() for _ in range(rng.randint(1, 5))]
    patterns = [rng.choices(pool, k=rng.randint(1, 9)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.3:
        patterns.append(patterns[0][::-1])
    runs = []
    for _ in range(rng.randint(1, 8)):
        made = run(rng, rng.choice(("Execute", "Execute", "Other")), rng.choice(patterns), rng.choice((tiny, typical)),
                   rng.choice((-1, -1, -1, 0, 1)))
        runs.append(made)
    if rng.random() < 0.2:
        runs.insert(rng.randint(0, len(runs)), schema.RunData("Skipped", -1, None, None))
    return Dump(runs, options=scale_options(rng))


def scales(rng):
    """All 25 pairs; the eight with cycles on one side only are errors."""
    instructions = [Instruction("op", 0), Instruction("", 1, int_id=3), Instruction("", 1, string_id="conv")]
    clock = rng.choice(CLOCKS)
    options = ["--source_time_scale", rng.choice(EVERY_SCALE), "--target_time_scale", rng.choice(EVERY_SCALE)]
    if rng.random() < 0.5:
        options += delegate_scale_options(rng, options)
    return Dump([run(rng, "Execute", instructions, clock) for _ in range(rng.randint(1, 5))], options=options)


def large(rng):
    """Many rows, long lists, 100 blocks."""
    blocks, rows = rng.choice(((1, 300), (40, 8), (100, 2)))
    runs = [run(rng, f"block{block}", [Instruction(rng.choice(("relu.out", "OPERATOR_CALL", f"op{i}")), i) for i in range(rows)], typical)
            for block in range(blocks)]
    return Dump(runs, wants_record=rng.random() < 0.5)


def errors(rng):
    """One thing that the Inspector rejects, in an otherwise ordinary dump; outcomes.py lists etinspect's behaviour."""
    good = run(rng, "Execute", [Instruction("op", 1), Instruction("other", 2)], typical)
    debug = [schema.Event(None, None, None)]
    kind = rng.choice(("backwards", "backwards delegate", "allocation", "empty event", "empty run", "no runs", "only outputs", "dtype",
                       "no tensor", "no scalar", "buffer end", "buffer width", "unequal", "unequal outputs", "unequal lengths",
                       "nan tensor", "infinite", *CONTAINERS))
    if kind in CONTAINERS:
        return Dump([good], container=kind, expected="answer" if kind == "unprefixed" else None)
    buffer = debug_buffer(rng)
    a = value("Tensor", tensor=schema.Tensor(ScalarType.FLOAT, [2], [1], 0))
    b = value("Tensor", tensor=schema.Tensor(ScalarType.FLOAT, [2], [1], 64))
    if kind == "backwards":
        debug = run(rng, "", [Instruction("late", 3)], broken).events
    elif kind == "backwards delegate":
        debug = run(rng, "", [Instruction("", 3, int_id=1)], broken).events
    elif kind == "allocation":
        debug = [schema.Event(None, schema.AllocationEvent(0, 64), None)]
    elif kind in ("empty run", "no runs", "only outputs"):
        outputs = [debug_event(value("Int", True, int_value=schema.Int(1)))]
        others = {"empty run": [schema.RunData("Empty", -1, None, [])], "no runs": [],
                  "only outputs": [schema.RunData("Outputs", -1, None, outputs)]}[kind]
        return Dump(others if kind == "no runs" or rng.random() < 0.5 else others + [good])
    elif kind == "dtype":
        dtype = rng.choice((12, 13, 14, 15, 23, 24, 25, 26, 28, 29))
        debug = [debug_event(value("Tensor", tensor=schema.Tensor(dtype, [1], [1], 0)), instruction_id=1)]
    elif kind == "no tensor":
        debug = [debug_event(value(rng.choice(("Tensor", "TensorList"))), instruction_id=1)]
    elif kind == "no scalar":
        debug = [debug_event(value(rng.choice(("Int", "Bool", "Float", "Double"))), instruction_id=1)]
    elif kind == "buffer end":
        offset = rng.choice((BUFFER_SIZE, BUFFER_SIZE - 4, BUFFER_SIZE + 100, -4, -(2**62), 2**62))
        debug = [debug_event(value("Tensor", tensor=schema.Tensor(ScalarType.FLOAT, [2], [1], offset)), instruction_id=1)]
    elif kind == "buffer width":
        debug = [debug_event(value("Tensor", tensor=schema.Tensor(ScalarType.LONG, [1], [1], BUFFER_SIZE - 5)), instruction_id=1)]
    elif kind == "unequal":
        other = rng.choice((b, value("Int", int_value=schema.Int(1)), value("Null"), value("TensorList", tensor_list=schema.TensorList([]))))
        first = run(rng, "Execute", [Instruction("op", 1, values=[a])], typical)
        return Dump([first, run(rng, "Execute", [Instruction("op", 1, values=[other])], typical)], buffer)
    elif kind == "unequal outputs":
        first, second = (run(rng, "Execute", [Instruction("op", 1)], typical) for _ in range(2))
        one, two = rng.choice(((a, b), (value("Int", int_value=schema.Int(1)), value("Bool", bool_value=schema.Bool(True))),
                               (value("Bool", bool_value=schema.Bool(True)), value("Int", int_value=schema.Int(1))),
                               (value("Int", int_value=schema.Int(1)), value("Int", int_value=schema.Int(2)))))
        for made, shown in ((first, one), (second, two)):
            made.events.append(debug_event(dataclasses.replace(shown, output=schema.Bool(True))))
        # For the Inspector True may follow 1, but 1 may not follow True.
        return Dump([first, second], buffer, expected="either" if "Bool" in (one.val, two.val) else None)
    elif kind == "unequal lengths":
        first, second = (run(rng, "Execute", [Instruction("op", 1)], typical) for _ in range(2))
        for made, count in ((first, 1), (second, rng.choice((0, 2)))):
            made.events += [debug_event(dataclasses.replace(a, output=schema.Bool(True))) for _ in range(count)]
        return Dump([first, second], buffer)
    elif kind == "nan tensor":
        # NaN is unequal to itself, so the Inspector rejects a model that outputs it twice; here equal bits are equal.
        runs = [run(rng, "Execute", [Instruction("op", 1, values=[a])], typical) for _ in range(2)]
        return Dump(runs, b"\xff" * 64, expected="answer")
    elif kind == "infinite":
        number = rng.choice((float("nan"), float("inf"), float("-inf")))
        debug = [debug_event(rng.choice((value("Double", double_value=schema.Double(number)),
                                         value("Float", float_value=schema.Float(number)))), instruction_id=1)]
    good.events[rng.randint(0, 2):0] = debug
    # The Inspector prints the same for an allocation event, which is no error.
    return Dump([good], buffer, expected="error" if kind == "empty event" else None)


FAMILIES = (names, numeric_columns, statistics, delegates, association, debug_data, merging, scales, errors)


def random_dump(family, seed):
    rng = random.Random(f"{family.__name__} {seed}")
    dump = family(rng)
    if rng.random() < 0.15:
        dump.options.append("--no-include_units")
    if rng.random() < 0.15 and "--include_delegate_debug_data" not in dump.options:
        dump.options.append("--include_delegate_debug_data")
    if rng.random() < 0.1 and dump.buffer is None:
        dump.buffer = debug_buffer(rng)
    return dump, rng
