"""Compares the times inside random delegate calls with an account of its own, for each backend that logs events.

    inside_calls.py [--build BUILD] [--calls N] [--seed SEED]

An ETDump has many calls of a backend, with events as its runtime logs them: random names, nesting, stamps and values, also
such that add up to more than the call. Role, unit, value, short name, compute unit and parent of every event must be those that
its backend means, its self time within rounding the one computed here with fractions, and the self times of a call and its
events must add up to the call exactly. The ETDumps are written here byte by byte. Ends in "inside_calls: N passed, N failed, N
skipped"; a case is a backend.
"""

import argparse
import dataclasses
import json
import random
import struct
import subprocess
from fractions import Fraction
from pathlib import Path

CALLS_OF_DUMP = 500

# ---------------------------------------------------------------- ETDumps


class Writer:
    """A FlatBuffer from front to back: objects come after those that refer to them."""

    def __init__(self):
        self.bytes = bytearray(b"\0\0\0\0ED00")

    def pad(self, size):
        self.bytes += bytes(-len(self.bytes) % size)

    def refer(self, place, make):
        struct.pack_into("<I", self.bytes, place, make(self) - place)

    def vector(self, items):
        """Writes references to the objects that `items` make."""
        self.pad(4)
        at = len(self.bytes)
        self.bytes += struct.pack("<I", len(items)) + bytes(4 * len(items))
        for i, item in enumerate(items):
            self.refer(at + 4 + 4 * i, item)
        return at

    def counted(self, data, end=b""):
        """Writes a string, with `end`, or a vector of bytes."""
        self.pad(4)
        at = len(self.bytes)
        self.bytes += struct.pack("<I", len(data)) + data + end
        return at

    def table(self, fields):
        """Writes {number: (format, value)}, or a function that writes the object that the field refers to."""
        sizes = {field: struct.calcsize(value[0]) if isinstance(value, tuple) else 4 for field, value in fields.items()}
        places, size = {}, 4
        for field in sorted(fields, key=lambda field: -sizes[field]):
            places[field] = size + -size % sizes[field]
            size = places[field] + sizes[field]
        n = max(fields) + 1
        vtable = struct.pack(f"<{n + 2}H", 2 * n + 4, size, *(places.get(field, 0) for field in range(n)))
        self.bytes += bytes(-(len(self.bytes) + len(vtable)) % 8)
        before = len(self.bytes)
        self.bytes += vtable
        at = len(self.bytes)
        self.bytes += bytes(size)
        struct.pack_into("<i", self.bytes, at, at - before)
        for field, value in fields.items():
            if isinstance(value, tuple):
                struct.pack_into("<" + value[0], self.bytes, at + places[field], value[1])
            else:
                self.refer(at + places[field], value)
        return at


def table_of(fields):
    return lambda writer: writer.table(fields)


def text_of(text):
    return lambda writer: writer.counted(text.encode(), b"\0")


def event_of(start, end, name=None, instruction=-1, number=None, identifier=None, metadata=None):
    """Returns a function that writes an Event with a ProfileEvent."""
    fields = {1: ("i", 0), 2: ("i", instruction), 6: ("Q", start), 7: ("Q", end)}
    if name is not None:
        fields[0] = text_of(name)
    if number is not None:
        fields[3] = ("i", number)
    if identifier is not None:
        fields[4] = text_of(identifier)
    if metadata is not None:
        fields[5] = lambda writer: writer.counted(metadata)
    return table_of({0: table_of(fields)})


def dump_of(events):
    """Returns an ETDump with one run."""
    writer = Writer()
    run = table_of({0: text_of("Execute"), 3: lambda w: w.vector(events)})
    root = writer.table({0: ("I", 0), 1: lambda w: w.vector([run])})
    struct.pack_into("<I", writer.bytes, 0, root)
    return struct.pack("<I", len(writer.bytes)) + bytes(writer.bytes)


# ---------------------------------------------------------------- what backends log


@dataclasses.dataclass(eq=False)
class Logged:
    """An event, as it is in the file and as it must be understood."""

    text: str  # the name, or the decimal text of the number
    start: int
    end: int
    role: str = "node"
    unit: str = "ns"
    label: str = None  # None: not compared
    compute_unit: str = None
    metadata: bytes = None
    is_plain: bool = False
    is_number: bool = False
    is_on_host: bool = False
    is_total: bool = False
    around: "Logged" = None  # unless it is on the host; None: the call
    value: int = None
    inside: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        if self.value is None:
            self.value = self.end - self.start

    def write(self, instruction):
        if self.is_plain:
            return event_of(self.start, self.end, self.text, instruction, metadata=self.metadata)
        if self.is_number:
            return event_of(self.start, self.end, None, instruction, number=int(self.text), metadata=self.metadata)
        return event_of(self.start, self.end, None, instruction, identifier=self.text, metadata=self.metadata)


def nested(rng, start, end, depth, make):
    """Returns random events in [start, end), each after those inside of it."""
    events = []
    while start < end and rng.random() < 0.75:
        first = rng.randrange(start, end)
        start = rng.randint(first + 1, end)
        if depth > 0:
            events += nested(rng, first, start, depth - 1, make)
        events.append(make(first, start))
    return events


def log_vgf(rng, start, end):
    roles = {"VGF_QUEUE_SUBMIT_AND_WAIT_FENCE": "device", "VGF_COPY_INPUTS": "transfer", "VGF_COPY_OUTPUTS": "transfer",
             "VGF_NEURAL_STATISTICS": "profiling", "VGF_TIMESTAMP_QUERY_READBACK": "profiling", "VGF_EXECUTE": "wrapper"}

    def make(first, last):
        name = rng.choice(list(roles))
        return Logged(name, first, last, roles[name], label=name, is_on_host=True)

    return nested(rng, start, end, 3, make)


def log_ethosu(rng, start, end):
    def make(name, first, last, role, **others):
        return Logged(name, first, last, role, label=name, is_plain=True, is_on_host=True, **others)

    first = rng.randrange(start, end)
    last = rng.randint(first + 1, end)
    copies = nested(rng, first, last, 0, lambda a, b: make("+EthosUBackend::execute()handles.input.memcpy()", a, b, "transfer"))
    at = copies[-1].end if copies else first
    if at < last:
        copies.append(make("+EthosUBackend::execute()NPU", at, rng.randint(at + 1, last), "device", compute_unit="NPU"))
    return [*copies, make("EthosUBackend::execute()", first, last, "wrapper")]


def log_coreml(rng, start, end):
    events = []
    for i in range(rng.randint(1, 12)):
        unit = rng.choice(("NE", "CPU", "GPU"))
        costs = {"preferredComputeUnit": unit, "supportedComputeUnits": ["CPU", unit], "outputNames": [f"o{i}"],
                 "operatorName": "ios16.conv", "estimatedCost": rng.random()}
        name = f"o{i}_cast_fp16:conv"
        first = rng.randrange(1 << rng.choice((8, 30, 50)))
        events.append(Logged(name, first, first + rng.choice((0, 1, rng.randrange(3 * (end - start)))), label=name, compute_unit=unit,
                             metadata=json.dumps(costs).encode()))
    return events


def log_neutron(rng, _start, _end):
    events, counts, now = [], {}, rng.randrange(1 << 32)
    for i in range(rng.randint(1, 12)):
        kernel = rng.choice((0, 12, 12, 13, 13, 255))
        value = rng.choice((0, 1, rng.randrange(1 << 16), rng.randrange(1 << 31)))
        counts[kernel] = counts.get(kernel, 0) + 1
        then, now = now, (now + value) % (1 << 32)
        events.append(Logged(str(i), then, now, "node" if kernel else "profiling", "cycles",
                             f"Neutron kernel {kernel} #{counts[kernel]}" if kernel else "Profiling dump", "NPU" if kernel else None,
                             bytes([kernel]), is_number=True, value=value))
    return events


def log_qnn(rng, start, end):
    chain = ("QNN (execute) time", "RPC (execute) time", "QNN accelerator (execute) time", "Accelerator (execute) time",
             "Accelerator (execute excluding wait) time")
    events, inner = [], None
    for i, name in enumerate(chain):
        if rng.random() < 0.7:
            label = rng.choice((name, name.upper()))
            inner = Logged(f"{label} (us)", 0, rng.randrange((end - start) // 500 + 2), "wrapper", "us", label,
                           "CPU" if i < 2 else "accelerator", around=inner)
            events.append(inner)
    if rng.random() < 0.6:
        events.append(Logged(f"{chain[3]} (cycles)", 0, rng.randrange(1 << rng.choice((8, 20))), "counter", "cycles", chain[3],
                             is_total=True, around=inner))
    for name, unit in (("DDR spill", "bytes"), ("Number of HVX threads used", "count"), ("Time for initial VTCM acquire", "us")):
        if rng.random() < 0.4:
            events.append(Logged(f"{name} ({unit})", 0, rng.randrange(1 << 20), "counter", unit, name))
    for i in range(rng.randint(1, 12)):
        suffix = rng.choice(("", " (cycles)"))
        value = rng.choice((0, rng.randrange(1 << 20)))
        if i > 0 and rng.random() < 0.2:
            events.append(Logged(f"{rng.choice(('Input', 'Output'))} OpId_{i}{suffix}", 0, value, "transfer", "cycles", None,
                                 "accelerator", around=inner))
        else:
            events.append(Logged(f"aten_op_{i}:OpId_{i}{suffix}", 0, value, "node", "cycles", f"aten_op_{i}", "accelerator",
                                 around=inner))
    rng.shuffle(events)
    return events


def dispatch_name(rng, kernel, number, has_node_ids):
    """Returns a name as the runtime logs it since December 2025, or, with `has_node_ids`, since August 2026."""
    if kernel.startswith("Blit"):
        return f'{{{kernel}, "dispatch_id": {number}}}'
    operator = {"name": "et_vk.conv_with_clamp.default", "delegate_node_id": number,
                "args": [{"type": "TENSOR", "value_ref": 3, "dtype": "Float", "sizes": [1, 2, number]}]}
    if not has_node_ids:
        del operator["delegate_node_id"]
    return json.dumps({"operator": operator, "kernel_name": kernel, "operator_id": rng.randrange(1000), "dispatch_id": number})


def log_vulkan(rng, start, end):
    kernels = ("conv2d_clamp_float", "binary_add_texture3d", "nchw_to_image_float", "image_to_nchw_float", "Blit_half_to_float")
    age = rng.choice(("names", "names without nodes", "kernels"))
    places = sorted(rng.sample(range(start, end + 1), 6))

    def host(name, first, last, role):
        return Logged(name, places[first], places[last], role, label=name, compute_unit="CPU", is_on_host=True)

    graph = host("ETVK_COMPUTE_GRAPH_EXECUTE", 2, 3, "wrapper") if rng.random() < 0.9 else None
    events = [host("ETVK_COPY_INPUTS", 1, 2, "transfer"), *([graph] if graph else [])]
    counts, now = {}, rng.randrange(1 << 40)
    for i in range(rng.randint(0, 12)):
        kernel = rng.choice(kernels)
        counts[kernel] = counts.get(kernel, 0) + 1
        name = f"{kernel}_{i}" if age == "kernels" else dispatch_name(rng, kernel, i, age == "names")
        value = rng.choice((0, 1, rng.randrange(2000), rng.randrange(end - start)))
        copies = "nchw" in kernel or kernel.startswith("Blit")
        events.append(Logged(name, now, now + value, "transfer" if copies else "node", "ns", f"{kernel} #{counts[kernel]}", "GPU",
                             bytes(24) if age == "kernels" else None, around=graph))
        now += value + rng.randrange(300)
    events.append(host("ETVK_COPY_OUTPUTS", 3, 4, "transfer"))
    if rng.random() < 0.85:  # a call may end early
        events.append(host("ETVK_EXECUTE", 0, 5, "wrapper"))
    return events


def log_unknown(rng, start, end):
    """Events of a backend without an adapter: on the clock of the runtime, or not."""
    events = nested(rng, start, end, 3, lambda first, last: Logged("", first, last, is_on_host=True)) if rng.random() < 0.5 else []
    for event in events:
        is_around = any(event.start <= other.start and other.end <= event.end for other in events[:events.index(event)])
        event.role = "wrapper" if is_around else "node"
    if not events:
        first = end + rng.randrange(1 << 40)
        events = [Logged("", first, first + rng.randrange(2 * (end - start))) for _ in range(rng.randint(1, 8))]
    for i, event in enumerate(events):
        event.text = event.label = f"step_{i}"
    return events


BACKENDS = {"Vulkan": log_vulkan, "Core ML": log_coreml, "QNN": log_qnn, "Ethos-U": log_ethosu, "VGF": log_vgf,
            "Neutron": log_neutron, "unknown": log_unknown}

# ---------------------------------------------------------------- the account


def smallest_around(events, i, call):
    """Returns the smallest event on the host that contains another; of equal stamps, one recorded later."""
    inner, found = events[i], call
    for k, outer in enumerate(events):
        same = (outer.start, outer.end) == (inner.start, inner.end)
        if not outer.is_on_host or k == i or outer.start > inner.start or outer.end < inner.end or (same and k < i):
            continue
        if found is call or outer.end - outer.start < found.end - found.start:
            found = outer
    return found


def settle(events, call):
    """Sets `around`, `time` and `own` of all events."""
    for i, event in enumerate(events):
        event.around = smallest_around(events, i, call) if event.is_on_host else event.around or call
        event.around.inside.append(event)
    call.time = Fraction(call.value)
    divide(call)


def divide(outer):
    """Divides the time of an event among those inside of it: first lengths, then cycles."""
    inside = outer.inside
    for event in inside:
        event.time = Fraction(0)
    lengths = [event for event in inside if event.unit != "cycles" and event.role != "counter"]
    cycles = [event for event in inside if event.unit == "cycles" and event.role in ("node", "transfer")]
    for event in lengths:
        event.time = Fraction(event.value * (1000 if event.unit == "us" else 1))
    others = [event for event in lengths if not event.is_on_host]
    room = outer.time - sum(event.time for event in lengths if event.is_on_host)
    whole = sum(event.time for event in others)
    for event in others:
        event.time *= min(Fraction(1), room / whole) if whole else 1
    room -= min(room, whole)
    whole = max([sum(event.value for event in cycles), *(event.value for event in inside if event.is_total)])
    for event in cycles:
        event.time = room * event.value / whole if whole else Fraction(0)
    outer.own = outer.time - sum(event.time for event in inside)
    for event in inside:
        divide(event)


# ---------------------------------------------------------------- comparison


def make_calls(rng, log, n):
    """Returns the bytes of an ETDump, and its calls with their events."""
    written, calls, now = [], [], 1000
    for instruction in range(n):
        length = rng.choice((1000, rng.randrange(10, 100_000), rng.randrange(1000, 10**9)))
        call = Logged("DELEGATE_CALL", now, now + length, "delegate_call", is_plain=True, is_on_host=True)
        events = log(rng, now, now + length)
        written += [event.write(instruction) for event in [*events, call]]
        settle(events, call)
        calls.append((call, events))
        now += length + rng.randrange(5)
    return dump_of([*written, event_of(900, now + 50, "Method::execute")]), calls


def wrong_of_call(call, events, rows):
    """Yields what is wrong with the rows of a call."""
    rows = {name: [row for row in rows if (row["logged_name"] or row["event_name"]) == name] for name in
            {row["logged_name"] or row["event_name"] for row in rows}}
    (of_call,) = rows.pop("DELEGATE_CALL")
    names = {name: [event for event in events if event.text == name] for name in {event.text for event in events}}
    if set(names) != set(rows):
        yield f"events {set(names) ^ set(rows)}"
        return
    total = of_call["self_time"] + sum(row["self_time"] or 0 for of_name in rows.values() for row in of_name)
    if round(total) != call.value:
        yield f"self times add up to {total}, right {call.value}"
    if abs(of_call["self_time"] - call.own) > 1 + len(call.inside):
        yield f"self time of the call {of_call['self_time']}, right {float(call.own)}"
    for name, same in names.items():
        own, found = sum(event.own for event in same), sum(row["self_time"] or 0 for row in rows[name])
        if abs(found - own) > sum(2 + len(event.inside) for event in same):
            yield f"{name}: self time {found}, right {float(own)}"
        if len(same) > 1:  # one row stands for all of them
            continue
        event, (row,) = same[0], rows[name]
        outer = of_call if event.around is call else (rows.get(event.around.text) or [None])[0]
        expected = {"role": event.role, "unit": event.unit, "value": event.value}
        if event.label:
            expected["event_name"] = event.label
        if event.compute_unit:
            expected["compute_unit"] = event.compute_unit
        if event.role != "counter" and not (event.role == "profiling" and event.unit == "cycles") and (
                event.around is call or len(names[event.around.text]) == 1):
            expected["parent"] = outer["event"]
        for column, right in expected.items():
            if row[column] != right:
                yield f"{name}: {column} {row[column]}, right {right}"


def wrong_of_dump(build, path, calls):
    """Yields what is wrong with the events of an ETDump."""
    done = subprocess.run([build / "etinspect", "events", path, "--skip_first", "0", "--target_time_scale", "ns", "--columns", "all",
                           "--format", "json"], capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        yield f"exit status {done.returncode}: {done.stderr}"
        return
    rows = {}
    for row in json.loads(done.stdout)["tables"]["events"]:
        rows.setdefault(row["instruction_id"], []).append(row)
    for instruction, (call, events) in enumerate(calls):
        for wrong in wrong_of_call(call, events, rows[instruction]):
            yield f"{path.name}: instruction {instruction}: {wrong}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    directory = arguments.build / "parity" / "inside"
    directory.mkdir(parents=True, exist_ok=True)
    n_failed = 0
    for backend, log in BACKENDS.items():
        n_wrong = 0
        for first in range(0, arguments.calls, CALLS_OF_DUMP):
            rng = random.Random(f"{backend} {arguments.seed} {first}")
            contents, calls = make_calls(rng, log, min(CALLS_OF_DUMP, arguments.calls - first))
            path = directory / f"{backend.replace(' ', '')}-{first}.etdp"
            path.write_bytes(contents)
            wrong = list(wrong_of_dump(arguments.build, path, calls))
            for line in wrong[:max(0, 5 - n_wrong)]:
                print(f"FAILED {backend}: {line}")
            n_wrong += len(wrong)
            if not wrong:
                path.unlink()
        n_failed += n_wrong > 0
    print(f"inside_calls: {len(BACKENDS) - n_failed} passed, {n_failed} failed, 0 skipped")
    return n_failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
