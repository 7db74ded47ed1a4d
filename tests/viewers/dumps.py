"""ETDumps as flatc reads and makes them with schema/etdump.fbs, and the traces expected for them, computed without the
program."""

import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile

from checks import ROOT

SCHEMA = ROOT / "schema" / "etdump.fbs"
CLOCK_32_MAX = 2**32 - 1
LARGEST = 2**63 - 1


@dataclasses.dataclass
class Event:
    name: str
    start: int
    end: int  # a 32-bit clock that wrapped around continues
    is_delegated: bool
    key: tuple = ()  # events with the same are one Event of the EventBlock
    call: tuple = ()  # its chain and instruction
    length: int = 0  # of its slice


@dataclasses.dataclass
class Run:
    name: str
    number: int  # number among the runs of the same EventBlock
    events: list
    allocations: list  # (allocator's name, bytes)
    block: tuple = ()  # runs with the same are one EventBlock

    @property
    def runtime_events(self):
        return [event for event in self.events if not event.is_delegated]

    @property
    def has_times(self):
        return any(event.end != 0 for event in self.runtime_events)

    @property
    def has_slice(self):
        return bool(self.name) and self.has_times


def flatc(*words):
    subprocess.run(["flatc", "--size-prefixed", "--allow-non-utf8", *map(str, words)], check=True, capture_output=True)


def to_json(path):
    with tempfile.TemporaryDirectory() as folder:
        flatc("--json", "--strict-json", "-o", folder, SCHEMA, "--", path)
        made = pathlib.Path(folder, pathlib.Path(path).stem + ".json")
        # bytes that are not UTF-8, which flatc writes as \xFF, in the form that viewers show
        text = re.sub(rb"\\(\\|x([0-9A-F]{2}))", lambda found: bytes([int(found[2], 16)]) if found[2] else found[0], made.read_bytes())
        return json.loads(text.decode("utf-8", errors="replace"), strict=False)


def write_dump(path, runs):
    """Writes an ETDump: `runs` are RunData as JSON; a surrogate in a text stands for a byte, as in names of files."""
    source = pathlib.Path(path).with_suffix(".json")
    text = json.dumps({"version": 0, "run_data": runs}, ensure_ascii=False)
    source.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    flatc("-b", "-o", source.parent, SCHEMA, source)
    source.with_suffix(".etdp").replace(path)


def end_of(start, end):
    if end >= start:
        return end
    return end + CLOCK_32_MAX if start <= CLOCK_32_MAX else start


KEYS = ("name", "chain_index", "instruction_id", "delegate_debug_id_int", "delegate_debug_id_str")


def read_event(fields):
    start, number, text = fields.get("start_time", 0), fields.get("delegate_debug_id_int", -1), fields.get("delegate_debug_id_str")
    is_delegated = number != -1 or bool(text)
    name = text if text else str(number) if is_delegated else fields.get("name", "")
    end = end_of(start, fields.get("end_time", 0))
    call = (fields.get("chain_index", 0), fields.get("instruction_id", -1))
    return Event(name or "(no name)", start, end, is_delegated, tuple(fields.get(key) for key in KEYS), call, end - start)


def shorten(events):
    """Shortens the events of each delegate call that together last longer than the call, unless their stamps show that they
    are inside it and inside each other. An event belongs to the next call of its instruction, or else to the one before."""
    inside = collections.defaultdict(list)
    for i, event in enumerate(events):
        calls = [k for k, call in enumerate(events) if call.name == "DELEGATE_CALL" and not call.is_delegated and call.call == event.call]
        if event.is_delegated and calls:
            inside[next((k for k in calls if k > i), calls[-1])].append(event)
    for number, of in inside.items():
        call = events[number]
        most, every, before = call.length, sum(event.length for event in of), 0
        nest = all(call.start <= event.start and event.end <= call.end for event in of) and not overlap(of)
        for event in of if every > most and not nest else []:
            before, length = before + event.length, event.length
            event.length = most * before // every - most * (before - length) // every
    return events


KEYS = ("name", "chain_index", "instruction_id", "delegate_debug_id_int", "delegate_debug_id_str")


def signature(run):
    """Common data of an EventBlock's runs."""
    events = []
    for event in run.get("events", []):
        for kind in ("profile_event", "debug_event"):
            if kind in event:
                events.append((kind, *(event[kind].get(key) for key in KEYS)))
    return run.get("name"), run.get("bundled_input_index", -1), tuple(dict.fromkeys(events))


def read_dump(path, numbers=None):
    """Returns the runs. `numbers`: numbers of runs in files read before, which are continued."""
    runs, numbers = [], {} if numbers is None else numbers
    for fields in to_json(path).get("run_data", []):
        events = fields.get("events", [])
        key = signature(fields)
        numbers[key] = numbers.get(key, -1) + 1
        allocators = [allocator.get("name", "") for allocator in fields.get("allocators", [])]
        given = [event["allocation_event"] for event in events if "allocation_event" in event]
        runs.append(Run(fields.get("name", ""), numbers[key],
                        shorten([read_event(event["profile_event"]) for event in events if "profile_event" in event]),
                        [(allocators[one.get("allocator_id", 0)], one.get("allocation_size", 0)) for one in given], key))
    return runs


def depths(events):
    """Returns the number of events around each. By definition an event is inside another if it neither starts before nor
    ends after it; of equal ones the one recorded later is outside. Nothing is inside an event without length. An event
    without length that starts where another ends is inside that one only if it would be inside none."""
    found = []
    for i, inner in enumerate(events):
        around, ended = 0, 0
        for j, outer in enumerate(events):
            if i == j or outer.start == outer.end or outer.start > inner.start or outer.end < inner.end:
                continue
            if (outer.start, outer.end) == (inner.start, inner.end):
                around += j > i
            elif inner.start == inner.end == outer.end:
                ended += 1
            else:
                around += 1
        found.append(around if around else min(ended, 1))
    return found


def overlap(events):
    """Returns whether two events overlap only in part."""
    return any(a.start < b.start < a.end < b.end for a in events for b in events)


def files_beside(path):
    """Returns the ETRecord and the program of an ETDump, if they exist."""
    for name in ("record.etrecord", "model.etrecord"):
        if (path.parent / name).exists():
            return [path.parent / name, *(file for file in [path.parent / "model.pte"] if file.exists())]
    return []


def all_dumps(build):
    """Returns the available real ETDumps: those of testdata/, and those of the parity suite, if it ran."""
    places = [ROOT / "testdata", pathlib.Path(build) / "delegates", pathlib.Path(build) / "numerics"]
    return [path for place in places for path in sorted(place.glob("*/run.etdp"))]
